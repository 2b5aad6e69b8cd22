//! `convlog edit`: replaces the messages by those of a file.

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};
use convlog_codec::jsonl;
use convlog_message::{Log, Timestamp};
use convlog_store::{BranchName, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::counted;

/// Replace the messages by those of a file; a backup branch keeps what was there
///
/// The file holds one JSON object a line, as `convlog --json show` and the transcripts themselves do. A
/// line that is no message is an error, and nothing is changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  convlog edit ID --from corrected.jsonl")]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// The messages: JSON lines; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    from: PathBuf,

    /// Edit a branch
    #[arg(long, value_name = "NAME")]
    branch: Option<BranchName>,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let log = read(&options.from)?;
    let mut session = Session::open(app.fs(), app.logs.home_of(&options.id)?, app.on(options.branch.as_ref()))?;
    app.recovered(&session);
    let unchanged =
        log.len() == session.log().len() && log.iter().zip(session.log()).all(|(a, b)| a.is_stored_alike(b));
    let messages = log.len() as u64;
    let edited = if unchanged { None } else { Some(session.edit(log)?) };
    session.close()?;
    app.uncaptured(edited.as_ref().map(|edited| &*edited.uncaptured).unwrap_or_default());
    let mut out = std::io::stdout().lock();
    let backup = edited.as_ref().map(|edited| edited.backup.as_str());
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"messages": messages, "changed": !unchanged, "backup": backup}))?,
        Format::Text => match backup {
            Some(backup) => {
                let now = counted(messages, "message");
                writeln!(out, "{now} now; branch {backup} keeps what was there")?;
            }
            None => writeln!(out, "nothing changed")?,
        },
    }
    Ok(Outcome::Done)
}

/// The messages of a file, all of them or none.
fn read(path: &std::path::Path) -> Result<Log> {
    let bytes = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        bytes
    } else {
        std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?
    };
    let reading = jsonl::read(&bytes, &Timestamp::now());
    if let Some(finding) = reading.report.skipped().next() {
        bail!("{}, {}: {}; correct it, nothing was changed", path.display(), finding.line, finding.problem);
    }
    if reading.log.is_empty() {
        bail!("{} holds no message; nothing was changed", path.display());
    }
    Ok(reading.log)
}
