//! `convlog verify`: reads everything and says what does not fit.

use std::io::Write as _;

use anyhow::{Result, bail};
use convlog_store::{Conversation, FaultKind, verify};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::counted;
use crate::style;

/// Read everything and say what does not fit
///
/// Checks every log of a conversation, the marker of the active view, and the stored copies of attachments
/// against their hashes. Changes nothing. Exit code 1 when something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog verify 2026-01-12\n  convlog verify --all")]
pub(crate) struct Options {
    /// Conversations: their ids, the beginnings of them, or paths
    #[arg(value_name = "ID", required_unless_present = "all", conflicts_with = "all")]
    ids: Vec<String>,

    /// Check all conversations
    #[arg(long)]
    all: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut sound = true;
    if options.all {
        for id in app.logs.list()? {
            match id {
                Ok(id) => sound &= check(app, id.as_str(), app.logs.open(&id).map_err(Into::into))?,
                Err(skipped) => {
                    app.warn(&skipped);
                    sound = false;
                }
            }
        }
    } else {
        for text in &options.ids {
            sound &= check(app, text, app.logs.find(text).map_err(Into::into))?;
        }
    }
    Ok(if sound { Outcome::Done } else { Outcome::Failed })
}

/// Checks one conversation, prints what was found, and says whether all is well.
fn check(app: &App, name: &str, opened: Result<Conversation>) -> Result<bool> {
    let conversation = match opened {
        Ok(conversation) => conversation,
        Err(error) if app.is_json() => bail!(error),
        Err(error) => {
            app.warn(format_args!("{error:#}"));
            return Ok(false);
        }
    };
    let id = conversation.layout().home().file_name().map_or(name.into(), |name| name.to_string_lossy());
    let found = verify(&conversation)?;
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            for fault in &found.faults {
                let (line, byte) = match &fault.kind {
                    FaultKind::Line(finding) => (Some(finding.line.number()), Some(finding.span.start)),
                    _ => (None, None),
                };
                let object = json!({
                    "id": id,
                    "level": if fault.is_note() { "note" } else { "fault" },
                    "path": fault.path.to_string_lossy(),
                    "line": line,
                    "byte": byte,
                    "kind": fault.kind.code(),
                    "message": fault.kind.to_string(),
                });
                writeln!(out, "{object}")?;
            }
            let sound = found.is_sound();
            let summary = json!({"id": id, "ok": sound, "messages": found.messages, "attachments": found.attachments});
            writeln!(out, "{summary}")?;
        }
        Format::Text => {
            for fault in found.faults.iter().filter(|fault| app.verbose || !fault.is_note()) {
                let level = if fault.is_note() { style::warning("note") } else { style::problem("fault") };
                writeln!(out, "{level}: {fault}")?;
            }
            let counts =
                format!("{}, {}", counted(found.messages, "message"), counted(found.attachments, "attachment"));
            if found.is_sound() {
                writeln!(out, "{id}: {} ({counts})", style::good("sound"))?;
            } else {
                let faults = found.faults.iter().filter(|fault| !fault.is_note()).count() as u64;
                writeln!(out, "{id}: {} ({counts})", style::problem(counted(faults, "fault")))?;
            }
        }
    }
    Ok(found.is_sound())
}
