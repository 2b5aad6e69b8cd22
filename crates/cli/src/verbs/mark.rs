//! `convlog mark`: sets a bookmark.

use anyhow::Result;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;
use crate::output::counted;

/// Set a bookmark behind the last message, to go back to with `backtrack`
///
/// Without a label it gets `cp<n>`. Of several with the same label the newest counts. With an active view, it is set
/// on the view.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog mark ID before-the-rewrite\n  convlog backtrack ID before-the-rewrite")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Its name; not a number, which stands for so many messages
    #[arg(value_name = "LABEL")]
    label: Option<String>,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = app.open_active(&options.id, &options.on)?;
    let mark = session.mark(options.label.as_deref())?;
    session.close()?;
    app.answer(
        &json!({"index": mark.index, "label": mark.label, "timestamp": mark.timestamp}),
        format_args!("bookmark {:?} stands behind {}", mark.label, counted(mark.index as u64, "message")),
    )?;
    Ok(Outcome::Done)
}
