//! `convlog rename`: gives a conversation another name to show.

use std::io::Write as _;

use anyhow::Result;
use convlog_store::ConversationId;
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;

/// Give a conversation another name to show; its id stays
///
/// The name stands in config.toml, where comments and everything else are kept.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog rename ID 'the parser, at last'")]
pub(crate) struct Options {
    /// A conversation: its whole id
    #[arg(value_name = "ID")]
    id: ConversationId,

    /// The name
    #[arg(value_name = "NAME")]
    name: String,

    /// Only say what would be done
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let Options { id, name, dry_run } = options;
    if *dry_run {
        app.logs.open(id)?;
    } else {
        app.logs.rename(id, name)?;
    }
    let mut out = std::io::stdout().lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"id": id.as_str(), "name": name, "dry_run": dry_run}))?,
        Format::Text if *dry_run => writeln!(out, "{id} would be named {name:?}")?,
        Format::Text => writeln!(out, "{id} is named {name:?}")?,
    }
    Ok(Outcome::Done)
}
