//! `convlog backtrack`: goes back to a bookmark or a number of messages.

use anyhow::Result;
use convlog_store::{BranchName, Rewind};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;
use crate::output::counted;

/// Go back to a bookmark; a backup branch keeps what was there
///
/// A hidden system message then tells the model of it. A bookmark whose messages are not there any more is refused.
/// With an active view, acts on the view.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog backtrack ID before-the-rewrite --reason \"the rewrite broke the tests\"\n  convlog backtrack ID 12"
)]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// A bookmark, or how many messages are to stay
    #[arg(value_name = "LABEL|N")]
    to: Rewind,

    /// Why; the model reads it
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = app.open_active(&options.id, &options.on)?;
    let done = session.backtrack(&options.to, options.reason.as_deref())?;
    session.close()?;
    let backup = done.backup.as_ref().map(BranchName::as_str);
    let sentence = match backup {
        Some(backup) => {
            let (removed, index) = (counted(done.removed as u64, "message"), counted(done.index as u64, "message"));
            format!("went back {removed}, to {index}; branch {backup} keeps what was there")
        }
        None => "that is where the log is".to_owned(),
    };
    app.answer(&json!({"removed": done.removed, "index": done.index, "backup": backup}), sentence)?;
    Ok(Outcome::Done)
}
