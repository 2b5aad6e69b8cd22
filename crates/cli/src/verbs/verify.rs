//! `convlog verify`: reads everything and says what does not fit.

mod summary;

use std::io::Write as _;

use anyhow::{Result, bail};
use convlog_store::{Conversation, FaultKind, verify};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::counted;
use crate::progress::Progress;
use crate::style;
use summary::Summary;

/// Read everything and say what does not fit
///
/// Checks every log of a conversation, the marker of the active view, and the stored copies of attachments
/// against their hashes. Changes nothing. Exit code 1 when something is wrong.
///
/// With `--all`, only what is wrong is named, and at the end all is summed up, with what to do about it; `--verbose`
/// names the conversations that are sound too.
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
    if options.all {
        return all(app);
    }
    let mut sound = true;
    for text in &options.ids {
        match app.logs.find(text) {
            Ok(conversation) => {
                let found = verify(&conversation)?;
                print(app, &name_of(&conversation), &found)?;
                sound &= found.is_sound();
            }
            Err(error) if app.is_json() => bail!(error),
            Err(error) => {
                app.warn(error);
                sound = false;
            }
        }
    }
    Ok(if sound { Outcome::Done } else { Outcome::Failed })
}

/// Checks every conversation, and sums up.
fn all(app: &App) -> Result<Outcome> {
    let progress = Progress::new(app, "verified");
    let mut summary = Summary::default();
    for id in app.logs.list()? {
        let opened = match id {
            Ok(id) => app.logs.open(&id).map_err(anyhow::Error::from),
            Err(skipped) => Err(skipped.into()),
        };
        match opened {
            Ok(conversation) => {
                let found = verify(&conversation)?;
                let id = name_of(&conversation);
                summary.add(&id, &found);
                if app.is_json() || app.verbose || !found.is_sound() {
                    progress.suspend(|| print(app, &id, &found))?;
                }
            }
            Err(error) => {
                summary.add_unopened();
                progress.suspend(|| app.warn(format_args!("{error:#}")));
            }
        }
        progress.step();
    }
    progress.finish();
    app.answer(&summary.as_json(), &summary)?;
    Ok(if summary.is_sound() { Outcome::Done } else { Outcome::Failed })
}

fn name_of(conversation: &Conversation) -> String {
    let home = conversation.layout().home();
    home.file_name().map_or_else(|| home.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Prints what was found in one conversation.
fn print(app: &App, id: &str, found: &convlog_store::Verification) -> Result<()> {
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
    Ok(())
}
