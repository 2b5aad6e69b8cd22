//! Why a session could not do what it was asked: one error an operation.

mod beside;

use std::path::PathBuf;
use std::sync::Arc;

use convlog_message::Timestamp;
use thiserror::Error;

pub use beside::{BacktrackError, BranchError, DraftError, ForkError, MarkError, RestoreError, SwitchError, ViewError};

use super::transcript::CheckError;
use crate::{OpenError, ReadError};

/// The lock of a conversation could not be taken.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LockError {
    /// Another process holds it.
    #[error("the conversation is in use{}{} ({}); try again when it is closed", by(*pid), since_when(since.as_ref()), path.display())]
    Held {
        /// The lock.
        path: PathBuf,
        /// The process, as far as the lock tells.
        pid: Option<u32>,
        /// When the lock was taken.
        since: Option<Timestamp>,
    },
    /// Another session in this process holds it.
    #[error("the conversation is open already in this process ({})", path.display())]
    HeldHere {
        /// The lock.
        path: PathBuf,
    },
    /// Its file is replaced again and again.
    #[error("the lock {} does not stay in its place; something removes it", path.display())]
    Lost {
        /// The lock.
        path: PathBuf,
    },
    /// The file system has no locks; on it a conversation can only be read.
    #[error("the file system cannot lock, so the conversation cannot be written here")]
    Unsupported {
        /// What it said.
        source: convlog_fs::Error,
    },
    /// The lock's file could not be opened or written.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

fn by(pid: Option<u32>) -> String {
    pid.map(|pid| format!(" by process {pid}")).unwrap_or_default()
}

fn since_when(since: Option<&Timestamp>) -> String {
    since.map(|since| format!(" since {since}")).unwrap_or_default()
}

/// Another program changed a file of the conversation; nothing was overwritten.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{} {how} by another program; open the conversation again to take that in", path.display())]
pub struct Changed {
    /// The file.
    pub path: PathBuf,
    /// In what way it is not as it was left.
    pub how: &'static str,
}

/// Why a session takes nothing more.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum Refusal {
    /// An earlier write failed, and what is on the disk is open until the conversation is opened again.
    #[error("the session takes nothing more since an earlier write failed ({cause}); open the conversation again")]
    Failed {
        /// What failed then.
        cause: Arc<dyn std::error::Error + Send + Sync>,
    },
    /// Another program changed a file.
    #[error(transparent)]
    Changed(#[from] Changed),
    /// The lock's name stands for another file.
    #[error("the lock {} was removed or replaced, so the session writes nothing more; open the conversation again", path.display())]
    LockLost {
        /// The lock.
        path: PathBuf,
    },
    /// It was closed.
    #[error("the session is closed")]
    Closed,
}

impl Refusal {
    pub(super) fn failed(cause: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Failed { cause: Arc::new(cause) }
    }
}

impl From<CheckError> for Refusal {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Changed(changed) => Self::Changed(changed),
            CheckError::Io(error) => Self::failed(error),
        }
    }
}

/// A conversation could not be opened for writing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenSessionError {
    /// There is none, or it cannot be looked at.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Somebody else writes.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The transcript cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The event log could not be opened for writing.
    #[error("cannot go on with the event log: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system refused while something was healed. Nothing is lost; opening again goes on.
    #[error("cannot recover the conversation: {source}")]
    Recovery {
        /// What failed; it names the file.
        source: convlog_fs::Error,
    },
}

/// A conversation could not be created.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CreateError {
    /// There is one.
    #[error("there is a conversation at {} already", path.display())]
    Exists {
        /// The directory.
        path: PathBuf,
    },
    /// Somebody else is at it.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The file system refused.
    #[error("cannot create the conversation: {source}")]
    Io {
        /// What failed; it names the file.
        source: convlog_fs::Error,
    },
    /// The event log could not be made.
    #[error("cannot create the event log: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// A branch has no conversation of its own to create.
    #[error("a conversation is created with its main branch")]
    OnBranch,
}

impl From<convlog_fs::Error> for CreateError {
    fn from(source: convlog_fs::Error) -> Self {
        Self::Io { source }
    }
}

/// A message was not appended. It will not appear later, unless [`AppendError::may_stand`].
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Nothing was written, and the next append may be tried.
    #[error("the message was not written: {source}")]
    NotWritten {
        /// What failed.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The content of an attached file could not be stored in the conversation's directory; nothing was written.
    #[error("the message was not written, since its files could not be stored: {source}")]
    Storing {
        /// What failed; it names the file.
        #[from]
        source: convlog_fs::Error,
    },
    /// It could not be written or not be taken back; the session refuses everything further.
    #[error("the message may not be written: {source}; open the conversation again to see")]
    Unknown {
        /// What failed.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl AppendError {
    /// Whether the message may be there when the conversation is opened again.
    #[must_use]
    pub const fn may_stand(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}

/// An undo or an edit was not done: the messages are as they were, on the disk and in the session.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RewriteError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A file could not be made, linked or renamed.
    #[error("nothing was changed: {source}")]
    Io {
        /// What failed; it names the file.
        #[from]
        source: convlog_fs::Error,
    },
    /// The event log could not be written.
    #[error("nothing was changed, since the event log could not be written: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// It was done, and a power loss may bring the old messages back; the session refuses everything further.
    #[error("the change is made but not durable: {source}; open the conversation again")]
    NotDurable {
        /// What failed; it names the file.
        source: convlog_fs::Error,
    },
}

/// What was written could not be made durable; the session refuses everything further.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SyncError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
}

/// A session was not closed properly. Its lock is given back, nothing is lost, and the next opening puts
/// all in order.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CloseError {
    /// A file could not be synced.
    #[error("cannot close the conversation: {source}")]
    Io {
        /// What failed; it names the file.
        #[from]
        source: convlog_fs::Error,
    },
    /// The event log could not be written.
    #[error("cannot close the event log: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}
