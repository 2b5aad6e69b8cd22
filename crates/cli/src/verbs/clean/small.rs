//! Conversations that hold next to nothing.

use std::io::Write as _;

use anyhow::Result;
use convlog_message::Timestamp;
use convlog_query::{CleanOptions, Cleanable, Deletion, Tests};
use serde_json::json;

use super::{Action, Options};
use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::{counted, cut, pad, printable, size};
use crate::verbs::delete::tell;

/// Lists the conversations of a few messages, or moves them to the trash.
pub(super) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut how = CleanOptions::default();
    how.max_messages = options.max_messages;
    how.threads = app.threads();
    how.tests = if options.with_test { Tests::With } else { Tests::Without };
    let (found, skipped) = app.logs.cleanable(&how, None)?;
    for skipped in &skipped {
        app.warn(skipped);
    }
    let deletion = match options.action() {
        Action::List if options.delete => Deletion::DryRun,
        Action::List => return list(app, &found).map(|()| Outcome::Done),
        Action::Delete => Deletion::Real,
    };
    let mut outcome = Outcome::Done;
    for Cleanable { id, .. } in &found {
        match app.logs.discard(id, deletion, &Timestamp::now()) {
            Ok(moved) => tell(app, id, &moved, deletion, "moved to the trash")?,
            // One that is in use, say, is no reason to keep the others.
            Err(error) => {
                app.warn(format_args!("{id} stays: {error}"));
                outcome = Outcome::Failed;
            }
        }
    }
    Ok(outcome)
}

fn list(app: &App, found: &[Cleanable]) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let all = found.iter().fold(0_u64, |sum, found| sum.saturating_add(found.bytes));
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            for Cleanable { id, meta, bytes, .. } in found {
                writeln!(
                    out,
                    "{}",
                    json!({"id": id.as_str(), "name": meta.name, "messages": meta.messages, "bytes": bytes})
                )?;
            }
        }
        Format::Text => {
            for Cleanable { id, meta, bytes, .. } in found {
                let last = meta.last_message_preview.as_deref().map(printable).unwrap_or_default();
                let line =
                    format!("{}  {:>3}  {:>8}  {}", pad(id.as_str(), 40), meta.messages, size(*bytes), cut(&last, 40));
                writeln!(out, "{}", line.trim_end())?;
            }
            let what = counted(found.len() as u64, "conversation");
            let hint = if found.is_empty() { "" } else { "; `--delete` moves them to the trash" };
            writeln!(out, "{what}, {}{hint}", size(all))?;
        }
    }
    Ok(())
}
