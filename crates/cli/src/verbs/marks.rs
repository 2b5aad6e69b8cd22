//! `convlog marks`: lists the bookmarks.

use anyhow::Result;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::measure::print_rows;
use crate::on_branch::OnBranch;
use crate::output::{counted, printable};

/// List the bookmarks, the oldest first
///
/// Stale is one whose messages are not what the log (the active view, the branch, or main) begins with; going back to
/// it is refused.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog --json marks ID | jq -r 'select(.stale | not).label'")]
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
    let log = conversation.read(&which)?.log;
    let bookmarks = conversation.bookmarks()?;
    for line in &bookmarks.odd {
        app.warn(format_args!(
            "{}, line {line}: no bookmark; passed over",
            conversation.layout().bookmarks().display()
        ));
    }
    let rows = bookmarks.list.iter().map(|mark| {
        let is_stale = !conversation.is_current(mark, &which, &log);
        let (label, note) = (in_one_line(&mark.label), if is_stale { "stale" } else { "" });
        (
            json!({"index": mark.index, "label": mark.label, "timestamp": mark.timestamp, "stale": is_stale}),
            vec![label, counted(mark.index as u64, "message"), in_one_line(&mark.timestamp), note.to_owned()],
        )
    });
    print_rows(app, &rows.collect::<Vec<_>>())?;
    Ok(Outcome::Done)
}

/// A text that cannot break the list.
fn in_one_line(text: &str) -> String {
    printable(text).replace('\n', "\u{240a}")
}
