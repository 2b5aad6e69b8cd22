//! `convlog fork`: a copy of a conversation under another id.

use std::path::Path;

use anyhow::Result;
use convlog_store::ConversationId;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::count;
use crate::on_branch::OnBranch;

/// Copy a conversation, with all that belongs to it, to another one that does not exist yet
///
/// The copy lies beside the original. With `--at`, main (or the branch, or the active view together with main) ends
/// there in the copy. It appears whole or not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog fork 2026-01-12-fixing-the-parser another-way --at 6")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// The id of the copy
    #[arg(value_name = "NEW")]
    new: String,

    /// Copy only the first N messages
    #[arg(long, value_name = "N", value_parser = count)]
    at: Option<u64>,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let new = ConversationId::for_new(&options.new)?;
    let session = app.open_active(&options.id, &options.on)?;
    let logs = session.layout().home().parent().filter(|parent| !parent.as_os_str().is_empty());
    let target = logs.unwrap_or(Path::new(".")).join(new.as_str());
    let forked = session.fork(&target, options.at.map(|at| usize::try_from(at).unwrap_or(usize::MAX)))?;
    session.close()?;
    for left in &forked.left {
        app.warn(format_args!("{} is not copied: it is neither a file nor a directory", left.display()));
    }
    app.answer(
        &json!({"id": new.as_str(), "path": target.to_string_lossy()}),
        format_args!("{new} is a copy of {}", options.id),
    )?;
    Ok(Outcome::Done)
}
