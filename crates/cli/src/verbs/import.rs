//! `convlog import`: a new conversation of the messages of a file.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use convlog_message::{Log, Timestamp};
use convlog_store::{ConversationId, Session, SessionOptions};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::messages_file;
use crate::output::counted;

/// Make a new conversation of the messages of a file
///
/// The file holds TOML, as `convlog export --to toml` writes it, or JSON lines, as `--to jsonl` does and the
/// transcripts themselves are. A conversation that is there already is never touched, and a line that cannot be
/// read is an error: then nothing is made. Attached files are named in the messages, not copied.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog import talk.toml\n  convlog import - --as 2026-01-12-a-talk < talk.jsonl")]
pub(crate) struct Options {
    /// TOML or JSON lines; `-` reads standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The id of the new conversation [default: the file's name without its suffix]
    #[arg(long = "as", value_name = "NEW")]
    id: Option<String>,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let id = options.new_id()?;
    let log = messages_file::read(&options.file, &Log::new(), &Timestamp::now())?;
    let home = app.logs.path().join(id.as_str());
    let messages = log.len();
    let session = Session::create(app.fs(), home, SessionOptions::default(), log.iter().cloned())?;
    app.uncaptured(session.uncaptured());
    session.close()?;
    let mut out = std::io::stdout().lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"id": id.as_str(), "messages": messages}))?,
        Format::Text => writeln!(out, "{id}: {}", counted(messages as u64, "message"))?,
    }
    Ok(Outcome::Done)
}

impl Options {
    fn new_id(&self) -> Result<ConversationId> {
        if let Some(id) = &self.id {
            return Ok(ConversationId::for_new(id)?);
        }
        let stem = if messages_file::is_stdin(&self.file) { None } else { self.file.file_stem() };
        let stem = stem.and_then(|stem| stem.to_str()).context("name the new conversation with `--as ID`")?;
        ConversationId::for_new(stem).context("the file's name is no id; name the new conversation with `--as ID`")
    }
}
