//! `convlog undo`: removes the last messages.

use std::io::Write as _;

use anyhow::Result;
use convlog_store::{BranchName, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::output::counted;

/// Remove the last messages; a backup branch keeps what was there
///
/// A command `/undo` at the very end is removed as well.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog undo ID\n  convlog undo ID 3\n  convlog show ID --branch main-undo-0")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// How many messages
    #[arg(value_name = "N", value_parser = count, default_value = "1")]
    number: u64,

    /// Undo on a branch
    #[arg(long, value_name = "NAME")]
    branch: Option<BranchName>,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = Session::open(app.fs(), app.logs.home_of(&options.id)?, app.on(options.branch.as_ref()))?;
    app.recovered(&session);
    let undone = session.undo(usize::try_from(options.number).unwrap_or(usize::MAX))?;
    session.close()?;
    let mut out = std::io::stdout().lock();
    let backup = undone.backup.as_ref().map(BranchName::as_str);
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"removed": undone.removed, "backup": backup}))?,
        Format::Text => {
            let removed = counted(undone.removed as u64, "message");
            match backup {
                Some(backup) => writeln!(out, "removed {removed}; branch {backup} keeps what was there")?,
                None => writeln!(out, "nothing to undo")?,
            }
        }
    }
    Ok(Outcome::Done)
}
