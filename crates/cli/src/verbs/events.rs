//! `convlog events`: the event log, one event a line.

use std::io::Write as _;

use anyhow::{Result, bail};

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::on_branch::OnBranch;

/// Print the event log as it stands, one JSON object a line
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog events ID | jq -r '\"\\(.seq) \\(.type)\"'")]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let which = options.on.transcript();
    let Some(reading) = conversation.events(&which)? else {
        bail!("{} has no event log", conversation.layout().events_dir(&which).display());
    };
    for oddity in &reading.report {
        app.warn(format_args!("{}: {oddity}", reading.path().display()));
    }
    if app.format == Format::Quiet {
        return Ok(Outcome::Done);
    }
    let bytes = convlog_fs::read_all(conversation.file_system(), reading.path())?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for event in &reading.events {
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        out.write_all(bytes.get(at(event.span.start)..at(event.span.end)).unwrap_or_default())?;
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(Outcome::Done)
}
