//! `convlog clean`: finds conversations that hold next to nothing.

use std::io::Write as _;

use anyhow::Result;
use convlog_query::{CleanOptions, Cleanable, Deletion, Tests};
use serde_json::json;

use super::delete::tell;
use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::output::{counted, cut, pad, printable, size};

/// Find conversations that hold next to nothing, and remove them when told to
///
/// One with branches, with a line that cannot be read, or with an event log that knows more than the
/// transcript is never among them.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog clean\n  convlog clean --max-messages 2 --delete")]
pub(crate) struct Options {
    /// At most so many messages; 1 is the system's, as a rule
    #[arg(long, value_name = "N", value_parser = count, default_value = "1")]
    max_messages: u64,

    /// Look at conversations that tests make, too
    #[arg(long)]
    with_test: bool,

    /// Remove them for good
    #[arg(long)]
    delete: bool,

    /// With `--delete`: only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut how = CleanOptions::default();
    how.max_messages = options.max_messages;
    how.threads = app.threads();
    how.tests = if options.with_test { Tests::With } else { Tests::Without };
    let (found, skipped) = app.logs.cleanable(&how, None)?;
    for skipped in &skipped {
        app.warn(skipped);
    }
    if !options.delete {
        list(app, &found)?;
        return Ok(Outcome::Done);
    }
    let deletion = if options.dry_run { Deletion::DryRun } else { Deletion::Real };
    let mut outcome = Outcome::Done;
    for Cleanable { id, .. } in &found {
        match app.logs.delete(id, deletion) {
            Ok(deleted) => tell(app, id, &deleted, deletion)?,
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
            let hint = if found.is_empty() { "" } else { "; `--delete` removes them" };
            writeln!(out, "{what}, {}{hint}", size(all))?;
        }
    }
    Ok(())
}
