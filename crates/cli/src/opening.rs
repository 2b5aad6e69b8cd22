//! Opening a conversation: for writing, saying what was found; or the log that is meant, for reading.

use std::path::Path;

use anyhow::{Result, bail};
use convlog_message::Message;
use convlog_store::{Appender, Conversation, RecoveryReport, Session, SessionOptions, Transcript};

use crate::app::App;
use crate::on_branch::OnBranch;
use crate::output::{cut, printable};

/// How much of an interrupted message a warning shows, in columns.
const SHOWN: usize = 40;

impl App {
    /// Opens main or a branch for writing, whatever view is active.
    pub(crate) fn open(&self, id: &str, on: &OnBranch) -> Result<Session> {
        self.open_at(&self.logs.home_of(id)?, on.session())
    }

    /// The same by the conversation's directory.
    pub(crate) fn open_at(&self, home: &Path, how: SessionOptions) -> Result<Session> {
        let session = Session::open(self.fs(), home, how)?;
        self.recovered(home, session.recovery());
        self.interrupted(home, session.interrupted(), session.interrupted_in());
        Ok(session)
    }

    /// Opens for writing the log that a verb acts on: a branch, or the active view, or main. Where the active view is
    /// missing, nothing is opened: main is hardly meant.
    pub(crate) fn open_active(&self, id: &str, on: &OnBranch) -> Result<Session> {
        if on.name().is_none() {
            active(&Conversation::open(self.fs(), self.logs.home_of(id)?)?)?;
        }
        self.open(id, on)
    }

    /// Opens for appending. Where the active view is missing, only main is written, as gptme does; that is said.
    pub(crate) fn open_appender(&self, home: &Path, how: SessionOptions) -> Result<Appender> {
        let on_main = how.branch.is_none();
        let appender = Appender::open(self.fs(), home, how)?;
        self.recovered(home, appender.recovery());
        if on_main && let Err(dangling) = active(&Conversation::open(self.fs(), home)?) {
            self.warn(dangling);
        }
        Ok(appender)
    }

    /// The log that a verb reads: a branch, or the active view, or main.
    pub(crate) fn log_of(&self, conversation: &Conversation, on: &OnBranch) -> Result<Transcript> {
        if on.name().is_some() { Ok(on.transcript()) } else { active(conversation) }
    }

    /// Says what opening a conversation had to heal.
    pub(crate) fn recovered(&self, home: &Path, recovery: &RecoveryReport) {
        if !recovery.is_empty() {
            self.warn(format_args!("{}: recovered: {recovery}", home.display()));
        }
    }

    /// Says that a message was interrupted while it was streamed, and what can be done about it.
    pub(crate) fn interrupted(&self, home: &Path, message: Option<&Message>, which: Option<&Transcript>) {
        let (Some(message), Some(which)) = (message, which) else { return };
        let branch = match which {
            Transcript::Branch(name) => format!(" --branch {name}"),
            _ => String::new(),
        };
        self.warn(format_args!(
            "{}: a message was interrupted while it was streamed to {which}: {:?}; \
             `convlog append ID{branch} --interrupted keep` appends what there is of it, `--interrupted drop` removes it",
            home.display(),
            cut(&printable(message.content()), SHOWN),
        ));
    }
}

/// The active view, or main where none is.
fn active(conversation: &Conversation) -> Result<Transcript> {
    if let Some(view) = conversation.active_view()? {
        return Ok(Transcript::View(view));
    }
    if let Some(name) = conversation.view_marker()? {
        bail!(
            "{} names the view {name:?}, which does not exist or cannot be read; `convlog view ID --main` goes back \
             to the full history, `convlog view ID --switch NAME` to another view",
            conversation.layout().view_marker().display()
        );
    }
    Ok(Transcript::Main)
}
