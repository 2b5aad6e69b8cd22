//! `convlog next`: whose turn it is.

use anyhow::Result;
use convlog_context::{InputReason, Turn, whose_turn};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;

/// Say whose turn it is: `input` (the person's) or `generate` (the model's)
///
/// With an active view, the view is asked.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog next ID && echo done")]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let which = app.log_of(&conversation, &options.on)?;
    let reading = conversation.read(&which)?;
    app.report(&conversation.layout().transcript(&which), &reading.report);
    let (next, reason) = match whose_turn(&reading.log) {
        Turn::Generate => ("generate", None),
        Turn::Input(reason) => ("input", Some(code(reason))),
    };
    app.answer(&json!({"next": next, "reason": reason}), next)?;
    Ok(Outcome::Done)
}

fn code(reason: InputReason) -> &'static str {
    match reason {
        InputReason::Empty => "empty",
        InputReason::CallUnanswered => "call-unanswered",
        InputReason::Answered => "answered",
        InputReason::Interrupted => "interrupted",
        InputReason::Declined => "declined",
        InputReason::RequestFailed => "request-failed",
        InputReason::StepLimit => "step-limit",
        InputReason::Pinned => "pinned",
        InputReason::NoUserMessage => "no-user-message",
        _ => "other",
    }
}
