//! `convlog append`: one message, or one a line from standard input.

mod lines;
mod message;

use std::io::Write as _;

use anyhow::{Result, bail};
use convlog_fs::Durability;
use convlog_store::{BranchName, ConversationId, CreateError, OpenError, OpenSessionError, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;

/// Append a message
///
/// With `--jsonl -`, one message object a line is read from standard input, and each is answered on
/// standard output once it is acknowledged: `{"ok":true,"index":n}` or `{"ok":false,"error":"…"}`. The lock
/// is held throughout.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Make the conversation when there is none
    #[arg(long)]
    create: bool,

    /// Append to a branch
    #[arg(long, value_name = "NAME")]
    branch: Option<BranchName>,

    /// Make each message survive power loss before it is acknowledged
    #[arg(long)]
    sync: bool,

    /// Read messages from standard input, one JSON object a line
    #[arg(long, value_name = "-", conflicts_with_all = ["content", "role", "pinned", "hide", "ui_only", "ephemeral_ttl", "call_id", "metadata"])]
    jsonl: Option<String>,

    #[command(flatten)]
    fields: message::Fields,
}

const EXAMPLES: &str = "\
Examples:
  convlog append ID --create \"What is 6 × 7?\"
  git diff | convlog append ID --role system -
  my-agent | convlog append ID --jsonl - --sync";

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    if options.jsonl.as_deref().is_some_and(|from| from != "-") {
        bail!("`--jsonl` reads standard input only: `--jsonl -`");
    }
    let mut session = open(app, options)?;
    app.recovered(&session);
    let outcome = if options.jsonl.is_some() {
        lines::append_lines(app, &mut session)?
    } else {
        let message = options.fields.message(session.now())?;
        let appended = session.append(message)?;
        app.uncaptured(&appended.uncaptured);
        let mut out = std::io::stdout().lock();
        match app.format {
            Format::Quiet | Format::Text => {}
            Format::Json => writeln!(out, "{}", json!({"ok": true, "index": appended.index()}))?,
        }
        Outcome::Done
    };
    session.close()?;
    Ok(outcome)
}

fn open(app: &App, options: &Options) -> Result<Session> {
    let home = app.logs.home_of(&options.id)?;
    let durability = if options.sync { Durability::Synced } else { Durability::Written };
    let how = app.on(options.branch.as_ref()).with_durability(durability);
    match Session::open(app.fs(), &home, how.clone()) {
        Err(OpenSessionError::Open(OpenError::NotFound { .. } | OpenError::NoConversation { .. }))
            if options.create =>
        {
            // A new name is held to more than an old one.
            if !options.id.contains('/') {
                ConversationId::for_new(&options.id)?;
            }
            match Session::create(app.fs(), &home, how.clone(), Vec::new()) {
                // Somebody else was faster.
                Err(CreateError::Exists { .. }) => Ok(Session::open(app.fs(), &home, how)?),
                created => Ok(created?),
            }
        }
        opened => Ok(opened?),
    }
}
