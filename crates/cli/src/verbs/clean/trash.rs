//! What was cleaned away before: listed, put back, removed for good.

use std::io::Write as _;

use anyhow::Result;
use convlog_message::Timestamp;
use convlog_query::Trashed;
use serde_json::json;

use super::{Action, Options};
use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::{counted, pad, size};

/// Lists the trash, or does with it what was asked for.
pub(super) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let now = Timestamp::now();
    if let Some(id) = &options.restore {
        if !options.dry_run {
            app.logs.put_back(id, &now)?;
        }
        let done = if options.dry_run { "would be put back" } else { "is put back" };
        if app.format == Format::Text {
            writeln!(std::io::stdout(), "{id} {done}")?;
        }
        return Ok(Outcome::Done);
    }
    let found = app.logs.trash()?;
    list(app, &found, options)?;
    if options.action() == Action::Delete {
        for Trashed { id, .. } in &found {
            app.logs.remove_trashed(id, &now)?;
        }
    }
    Ok(Outcome::Done)
}

fn list(app: &App, found: &[Trashed], options: &Options) -> Result<()> {
    let mut out = std::io::stdout().lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            for Trashed { id, bytes, files, .. } in found {
                writeln!(out, "{}", json!({"id": id.as_str(), "bytes": bytes, "files": files}))?;
            }
        }
        Format::Text => {
            for Trashed { id, bytes, .. } in found {
                writeln!(out, "{}  {:>8}", pad(id.as_str(), 40), size(*bytes))?;
            }
            let all = found.iter().fold(0_u64, |sum, found| sum.saturating_add(found.bytes));
            let hint = match options.action() {
                Action::Delete => " removed for good",
                Action::List if found.is_empty() => "",
                Action::List => "; `--restore ID` puts one back, `--delete` removes all for good",
            };
            let what = counted(found.len() as u64, "conversation");
            writeln!(out, "{what} in {}, {}{hint}", app.logs.trash_dir().display(), size(all))?;
        }
    }
    Ok(())
}
