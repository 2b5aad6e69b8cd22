//! `convlog compact`: drops the events before the last checkpoint.

use std::io::Write as _;

use anyhow::Result;
use convlog_store::{Compacted, Session, SessionOptions};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;

/// Drop the events before the last checkpoint
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog compact ID")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let home = app.logs.home_of(&options.id)?;
    let events = home.join("events.jsonl");
    let length = || std::fs::metadata(&events).map_or(0, |metadata| metadata.len());
    let before = length();
    let mut session = Session::open(app.fs(), &home, SessionOptions::default())?;
    app.recovered(&session);
    let dropped = match session.compact()? {
        Compacted::Dropped { bytes } => bytes,
        // Opening over another program's events has done it already.
        _ => before.saturating_sub(length()),
    };
    session.close()?;
    let mut out = std::io::stdout().lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"dropped": dropped}))?,
        Format::Text if dropped > 0 => writeln!(out, "dropped {dropped} bytes")?,
        Format::Text => writeln!(out, "nothing stands before the last checkpoint")?,
    }
    Ok(Outcome::Done)
}
