//! `convlog append`: one message, or one a line from standard input.

mod files;
mod lines;
mod message;

use std::io::Write as _;

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;
use convlog_fs::Durability;
use convlog_store::{Appended, Appender, ConversationId, CreateError, OpenError, OpenSessionError, Session};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::on_branch::OnBranch;

/// Append a message
///
/// With `--jsonl -`, one message object a line is read from standard input, and each is answered on
/// standard output once it is acknowledged: `{"ok":true,"index":n}` or `{"ok":false,"error":"…"}`. The lock
/// is held throughout. The content of attached files is stored with the conversation; a relative path begins
/// in the current directory. With an active view, the message goes to main and to the view.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Make the conversation when there is none
    #[arg(long)]
    create: bool,

    #[command(flatten)]
    on: OnBranch,

    /// Make each message survive power loss before it is acknowledged
    #[arg(long)]
    sync: bool,

    /// Read messages from standard input, one JSON object a line
    #[arg(long, value_name = "-", conflicts_with_all = ["content", "role", "file", "pinned", "hide", "ui_only", "ephemeral_ttl", "call_id", "metadata"])]
    jsonl: Option<String>,

    /// What becomes of a message that was interrupted while it was streamed; before anything else is appended
    #[arg(long, value_name = "WHAT", conflicts_with = "create")]
    interrupted: Option<Interrupted>,

    #[command(flatten)]
    fields: message::Fields,
}

/// What becomes of an interrupted message.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Interrupted {
    /// Append what there is of it
    Keep,
    /// Remove it, and print it one last time
    Drop,
}

const EXAMPLES: &str = "\
Examples:
  convlog append ID --create \"What is 6 × 7?\"
  git diff | convlog append ID --role system -
  convlog append ID --file notes.txt --file plot.png \"What do you make of these?\"
  my-agent | convlog append ID --jsonl - --sync";

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    if options.jsonl.as_deref().is_some_and(|from| from != "-") {
        bail!("`--jsonl` reads standard input only: `--jsonl -`");
    }
    let mut appender = open(app, options)?;
    settle(app, options, &mut appender)?;
    let outcome = if options.jsonl.is_some() {
        lines::append_lines(app, &mut appender)?
    } else {
        if options.fields.has_content() {
            let message = options.fields.message(appender.now())?;
            acknowledge(app, &appender.append(files::absolute(message))?)?;
        }
        Outcome::Done
    };
    appender.close()?;
    Ok(outcome)
}

/// Keeps or drops an interrupted message, or says that there is one.
fn settle(app: &App, options: &Options, appender: &mut Appender) -> Result<()> {
    let none = "no message was interrupted, so there is none to keep or to drop";
    match options.interrupted {
        None => app.interrupted(appender.layout().home(), appender.interrupted(), appender.interrupted_in()),
        Some(Interrupted::Keep) => acknowledge(app, &appender.keep_interrupted()?.context(none)?)?,
        Some(Interrupted::Drop) => {
            let dropped = appender.drop_interrupted()?.context(none)?;
            app.answer(&json!({"ok": true, "dropped": dropped.content()}), dropped.content())?;
        }
    }
    Ok(())
}

/// Says to programs where the message stands, and to people only what is wrong with its files.
fn acknowledge(app: &App, appended: &Appended) -> Result<()> {
    app.uncaptured(&appended.uncaptured);
    if app.is_json() {
        writeln!(std::io::stdout().lock(), "{}", json!({"ok": true, "index": appended.index()}))?;
    }
    Ok(())
}

fn open(app: &App, options: &Options) -> Result<Appender> {
    let home = app.logs.home_of(&options.id)?;
    let durability = if options.sync { Durability::Synced } else { Durability::Written };
    let how = options.on.session().with_durability(durability);
    let opened = app.open_appender(&home, how.clone());
    match opened.as_ref().map_err(anyhow::Error::downcast_ref) {
        Err(Some(OpenSessionError::Open(OpenError::NotFound { .. } | OpenError::NoConversation { .. })))
            if options.create =>
        {
            // A new name is held to more than an old one.
            if !options.id.contains('/') {
                ConversationId::for_new(&options.id)?;
            }
            match Session::create(app.fs(), &home, how.clone(), Vec::new()) {
                // Somebody else was faster.
                Err(CreateError::Exists { .. }) => app.open_appender(&home, how),
                created => Ok(created?.into()),
            }
        }
        _ => opened,
    }
}
