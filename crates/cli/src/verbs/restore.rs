//! `convlog restore`: makes main hold what a branch holds.

use anyhow::Result;
use convlog_store::{BranchName, Conversation, Transcript};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;
use crate::output::counted;

/// Make main hold what a branch holds; a backup branch keeps what was there
///
/// An edit, so that it can be undone by restoring the backup. A view that is active stays as it is.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog restore ID main-undo-0\n  convlog diff ID main main-undo-0")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// The branch
    #[arg(value_name = "BRANCH")]
    branch: BranchName,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = app.open(&options.id, &OnBranch::default())?;
    let backup = session.restore(&options.branch)?;
    let view = session.active_view().cloned();
    let main = Conversation::open(app.fs(), session.layout().home())?.read(&Transcript::Main)?;
    let messages = main.log.len() as u64;
    session.close()?;
    if let Some(view) = &view {
        app.warn(format_args!(
            "the view {view} is active and stays as it is; `convlog view ID --main` shows main again"
        ));
    }
    let now = counted(messages, "message");
    app.answer(
        &json!({"messages": messages, "backup": backup.as_str()}),
        format_args!("{now} now, as on branch {}; branch {backup} keeps what was there", options.branch),
    )?;
    Ok(Outcome::Done)
}
