//! `convlog undo`: removes the last messages.

use anyhow::Result;
use convlog_store::BranchName;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::count;
use crate::on_branch::OnBranch;
use crate::output::counted;

/// Remove the last messages; a backup branch keeps what was there
///
/// A command `/undo` at the very end is removed as well. With an active view, acts on the view; main stays whole.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog undo ID\n  convlog undo ID 3\n  convlog show ID --branch main-undo-0")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// How many messages
    #[arg(value_name = "N", value_parser = count, default_value = "1")]
    number: u64,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = app.open_active(&options.id, &options.on)?;
    let undone = session.undo(usize::try_from(options.number).unwrap_or(usize::MAX))?;
    session.close()?;
    let backup = undone.backup.as_ref().map(BranchName::as_str);
    let removed = counted(undone.removed as u64, "message");
    let sentence = match backup {
        Some(backup) => format!("removed {removed}; branch {backup} keeps what was there"),
        None => "nothing to undo".to_owned(),
    };
    app.answer(&json!({"removed": undone.removed, "backup": backup}), sentence)?;
    Ok(Outcome::Done)
}
