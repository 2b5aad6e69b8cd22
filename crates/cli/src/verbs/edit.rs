//! `convlog edit`: replaces the messages, by hand or by those of a file.

mod by_hand;
mod draft;
mod editor;

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use convlog_message::Log;
use convlog_store::{BranchName, Edited, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::messages_file;
use crate::on_branch::OnBranch;
use crate::output::counted;
use draft::Draft;

/// Replace the messages, by hand or by those of a file; a backup branch keeps what was there
///
/// Without `--from`, `$VISUAL` or `$EDITOR` opens the messages as TOML; the conversation stays locked until the
/// editor is left. A mistake is shown at its place, with the offer to go on; the text is kept whatever happens.
///
/// A file for `--from` holds TOML, as `convlog export --to toml` writes it, or one JSON object a line, as the
/// transcripts and `convlog --json show` have it. What is no message in it is an error, and nothing is changed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog edit ID\n  EDITOR='code --wait' convlog edit ID --branch dev\n  convlog edit ID --from corrected.toml"
)]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// The messages: TOML or JSON lines; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let editor = if options.from.is_some() { None } else { Some(editor::Editor::from_environment()?) };
    let mut session = app.open_active(&options.id, &options.on)?;
    let (log, draft) = match (&options.from, editor) {
        (Some(path), _) => (messages_file::read(path, session.log(), &session.now())?, None),
        (None, Some(editor)) => by_hand::edit(app, &session, &editor)?,
        (None, None) => (session.log().clone(), None),
    };
    let edited = replace(&mut session, &log).with_context(|| match &draft {
        Some(draft) => format!("the messages were not replaced, the text is kept in {}", draft.path().display()),
        None => "the messages were not replaced".to_owned(),
    })?;
    session.close()?;
    draft.map_or(Ok(()), Draft::remove)?;
    app.uncaptured(edited.as_ref().map(|edited| &*edited.uncaptured).unwrap_or_default());
    report(app, &log, edited.as_ref().map(|edited| &edited.backup))?;
    Ok(Outcome::Done)
}

/// Replaces the messages unless all are as they were; gives the branch that keeps those.
fn replace(session: &mut Session, log: &Log) -> Result<Option<Edited>> {
    let is_unchanged =
        log.len() == session.log().len() && log.iter().zip(session.log()).all(|(a, b)| a.is_stored_alike(b));
    Ok(if is_unchanged { None } else { Some(session.edit(log.clone())?) })
}

fn report(app: &App, log: &Log, backup: Option<&BranchName>) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let messages = log.len() as u64;
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let backup = backup.map(BranchName::as_str);
            writeln!(out, "{}", json!({"messages": messages, "changed": backup.is_some(), "backup": backup}))?;
        }
        Format::Text => match backup {
            Some(backup) => {
                let now = counted(messages, "message");
                writeln!(out, "{now} now; branch {backup} keeps what was there")?;
            }
            None => writeln!(out, "nothing changed")?,
        },
    }
    Ok(())
}
