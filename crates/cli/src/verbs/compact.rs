//! `convlog compact`: drops the events before the last checkpoint.

use anyhow::Result;
use convlog_store::{Compacted, Layout};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;

/// Drop the events before the last checkpoint
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog compact ID")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let home = app.logs.home_of(&options.id)?;
    let events = Layout::new(home).events_dir(&options.on.transcript()).join("events.jsonl");
    let length = || std::fs::metadata(&events).map_or(0, |metadata| metadata.len());
    let before = length();
    let mut session = app.open(&options.id, &options.on)?;
    let dropped = match session.compact()? {
        Compacted::Dropped { bytes } => bytes,
        // Opening over another program's events has done it already.
        _ => before.saturating_sub(length()),
    };
    session.close()?;
    let sentence = match dropped {
        0 => "nothing stands before the last checkpoint".to_owned(),
        _ => format!("dropped {dropped} bytes"),
    };
    app.answer(&json!({"dropped": dropped}), sentence)?;
    Ok(Outcome::Done)
}
