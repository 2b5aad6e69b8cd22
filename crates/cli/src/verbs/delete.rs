//! `convlog delete`: removes conversations.

use std::io::{IsTerminal as _, Write as _};

use anyhow::{Result, bail};
use convlog_query::{Deleted, Deletion};
use convlog_store::ConversationId;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::{counted, size};

/// Remove conversations for good
///
/// Asks first on a terminal; elsewhere `--yes` is needed. Refused while a conversation is open. Of a
/// conversation that is a link, only the link goes.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog delete ID --dry-run\n  convlog delete ID1 ID2 --yes")]
pub(crate) struct Options {
    /// Conversations: their whole ids
    #[arg(value_name = "ID", required = true)]
    ids: Vec<ConversationId>,

    /// Do not ask
    #[arg(long)]
    yes: bool,

    /// Only say what would be removed
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    for id in &options.ids {
        let looked = app.logs.delete(id, Deletion::DryRun)?;
        if options.dry_run {
            tell(app, id, &looked, Deletion::DryRun, "deleted")?;
        } else if options.yes || agrees(id, &looked)? {
            let deleted = app.logs.delete(id, Deletion::Real)?;
            tell(app, id, &deleted, Deletion::Real, "deleted")?;
        } else {
            return Ok(Outcome::Failed);
        }
    }
    Ok(Outcome::Done)
}

/// Asks on a terminal; nobody can be asked elsewhere.
fn agrees(id: &ConversationId, looked: &Deleted) -> Result<bool> {
    if !std::io::stdin().is_terminal() {
        bail!("{id} is not deleted without being asked; add --yes");
    }
    let mut err = std::io::stderr().lock();
    write!(err, "delete {id} ({}) for good? [y/N] ", what(looked))?;
    err.flush()?;
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

fn what(deleted: &Deleted) -> String {
    match &deleted.link_to {
        Some(target) => format!("only the link; {} stays", target.display()),
        None => format!("{}, {}", counted(deleted.files, "file"), size(deleted.bytes)),
    }
}

/// Says what was done to a conversation, or would be: `deleted`, say.
pub(super) fn tell(app: &App, id: &ConversationId, deleted: &Deleted, deletion: Deletion, done: &str) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let is_dry = deletion == Deletion::DryRun;
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let link_to = deleted.link_to.as_ref().map(|path| path.to_string_lossy());
            let (bytes, files) = (deleted.bytes, deleted.files);
            let object =
                json!({"id": id.as_str(), "bytes": bytes, "files": files, "link_to": link_to, "dry_run": is_dry});
            writeln!(out, "{object}")?;
        }
        Format::Text if is_dry => writeln!(out, "{id} would be {done} ({})", what(deleted))?,
        Format::Text => writeln!(out, "{id} is {done} ({})", what(deleted))?,
    }
    Ok(())
}
