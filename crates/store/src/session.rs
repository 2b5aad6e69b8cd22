//! A conversation opened for writing: [`Session`].

mod append;
mod appender;
mod backtrack;
pub(crate) mod backup;
mod branch;
mod checkpoint;
mod close;
mod compact;
mod create;
mod current;
mod dictionary;
mod draft;
mod error;
mod fork;
pub(crate) mod journal;
mod lines;
mod lock;
mod open;
mod options;
mod rewrite;
mod settings;
mod transcript;
mod view;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use convlog_fs::{DirSync, FileSystem};
use convlog_message::{Log, Message, Timestamp};

pub use append::Appended;
pub use appender::Appender;
pub use backtrack::{Backtracked, Rewind};
pub use compact::CompactError;
pub use current::{CurrentSession, SharedSession, current};
pub use draft::Draft;
pub use error::{
    AppendError, BacktrackError, BranchError, Changed, CloseError, CreateError, DraftError, ForkError, LockError,
    MarkError, OpenSessionError, Refusal, RestoreError, RewriteError, SwitchError, SyncError, ViewError,
};
pub use fork::Forked;
pub use options::SessionOptions;
pub(crate) use rewrite::write_log;
pub use rewrite::{Edited, Undone};
pub use settings::TraceError;

use crate::{ConversationId, Layout, RecoveryReport, Transcript, Uncaptured};
use journal::Journal;
pub(crate) use lock::{SessionLock, held_elsewhere};
pub(crate) use transcript::TranscriptFile;

/// A conversation opened for writing: it holds the lock until it is closed or dropped.
///
/// Every change goes to the event log first, then to the transcript; nothing is read back. An append at
/// level [`Synced`](convlog_fs::Durability::Synced) survives power loss when the call returns, at
/// [`Written`](convlog_fs::Durability::Written) the death of the process. An undo or an edit is always
/// durable, and keeps what it replaces in a backup branch.
///
/// Before each write the files are compared with what this session left; what another program has
/// changed is never overwritten, the write fails with a conflict, and opening again takes the change in.
/// After a failed write or sync the session refuses everything further, with the cause; opening again
/// recovers.
///
/// ```
/// use std::sync::Arc;
/// use convlog_fs::{Durability, RealFs};
/// use convlog_message::{Message, Role, Timestamp};
/// use convlog_store::{Session, SessionOptions};
///
/// let logs = tempfile::tempdir()?;
/// let home = logs.path().join("2026-01-02-a-first-talk");
/// let hello = Message::new(Role::System, "You are brief.", Timestamp::now());
/// let mut session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), vec![hello])?;
/// session.append(Message::new(Role::User, "What is 6 × 7?", Timestamp::now()))?;
/// session.append_at(Message::new(Role::Assistant, "42", Timestamp::now()), Durability::Synced)?;
/// assert_eq!(session.log().len(), 3);
/// session.close()?;
///
/// let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default())?;
/// assert!(session.recovery().is_empty());
/// assert_eq!(session.undo(1)?.removed, 1);
/// assert_eq!(session.log().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session {
    fs: Arc<dyn FileSystem>,
    layout: Layout,
    options: SessionOptions,
    lock: SessionLock,
    journal: Journal,
    recovery: RecoveryReport,
    uncaptured: Vec<Uncaptured>,
    /// The message that was being streamed when a session before this one died.
    interrupted: Option<draft::Interrupted>,
    observer: Option<Observer>,
    refusal: Option<Refusal>,
    closed: bool,
    /// A directory that goes with the session.
    temporary: Option<PathBuf>,
}

type Observer = Box<dyn FnMut(&Message) + Send>;

impl Session {
    /// The messages of the log that this session acts on, as they are now.
    #[must_use]
    pub fn log(&self) -> &Log {
        &self.journal.active().log
    }

    /// The log that this session acts on: main, a branch, or the active view.
    #[must_use]
    pub fn transcript(&self) -> &Transcript {
        &self.journal.active().which
    }

    /// Where the files lie.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The id: the name of the directory.
    #[must_use]
    pub fn id(&self) -> Option<ConversationId> {
        self.layout.home().file_name()?.to_str()?.parse().ok()
    }

    /// What opening did to heal what a crash or another program left.
    #[must_use]
    pub fn recovery(&self) -> &RecoveryReport {
        &self.recovery
    }

    /// Whether the names of the files that were made survive power loss; where the file system cannot see to that, the
    /// user should be warned once.
    pub fn dir_sync(&self) -> DirSync {
        self.journal.events.dir_sync()
    }

    /// The files of the initial messages whose content could not be stored when the conversation was created.
    #[must_use]
    pub fn uncaptured(&self) -> &[Uncaptured] {
        &self.uncaptured
    }

    /// Why the session refuses everything further; `None` while it does not.
    #[must_use]
    pub fn refusal(&self) -> Option<&Refusal> {
        self.refusal.as_ref()
    }

    /// The time for a message that is made now, in the kind that this log has: with an offset when the last
    /// recorded time has one, otherwise local time without one, as gptme writes it.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let last = self.log().iter().rev().find(|message| message.has_recorded_timestamp());
        if last.is_some_and(|message| !message.timestamp().is_naive()) {
            Timestamp::now_utc()
        } else {
            Timestamp::now()
        }
    }

    /// Sets what is called with each message that was appended, to print it say; quiet ones are left out.
    pub fn set_observer(&mut self, observer: impl FnMut(&Message) + Send + 'static) {
        self.observer = Some(Box::new(observer));
    }

    /// Refuses everything further, and remembers why.
    fn refuse(&mut self, refusal: Refusal) -> Refusal {
        self.refusal.get_or_insert(refusal).clone()
    }

    fn check_refusal(&self) -> Result<(), Refusal> {
        match &self.refusal {
            Some(refusal) => Err(refusal.clone()),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("home", &self.layout.home())
            .field("transcript", self.transcript())
            .field("messages", &self.log().len())
            .field("refusal", &self.refusal)
            .finish_non_exhaustive()
    }
}
