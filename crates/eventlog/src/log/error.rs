//! Why something was not written: [`Blocked`] before it began, and one error an operation.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use convlog_fs::{Error, ReplaceError, Stat};

/// Why a log cannot be written now. Nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Blocked {
    /// An earlier failure left it open what is on the disk.
    #[error("the event log {} takes nothing more since an earlier write failed; open it again", .path.display())]
    Refused {
        /// The log.
        path: PathBuf,
        /// What failed then.
        source: Arc<Error>,
    },
    /// Another program holds the lock.
    #[error("the lock {} was held by another program for {waited:?}; try again", .path.display())]
    Held {
        /// The lock.
        path: PathBuf,
        /// How long it was tried.
        waited: Duration,
    },
    /// The lock's name stands for another file than the one that is locked.
    #[error("the lock {} was removed or replaced; open the log again", .path.display())]
    LockLost {
        /// The lock.
        path: PathBuf,
    },
    /// Another program changed the log.
    #[error(transparent)]
    Conflict(#[from] Conflict),
    /// The log has no number left for another event.
    #[error("the event log {} has reached the highest number there is", .path.display())]
    NoNumber {
        /// The log.
        path: PathBuf,
    },
    /// The lock or the log could not be opened or looked at.
    #[error("the event log cannot be looked at")]
    Failed {
        /// What failed; it names the file.
        #[from]
        source: Error,
    },
}

/// The log is not as the handle left it: another program changed it. Nothing was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the event log {} {change} meanwhile; open it again to take that in", .path.display())]
#[non_exhaustive]
pub struct Conflict {
    /// The log.
    pub path: PathBuf,
    /// What is different.
    pub change: Change,
}

/// In what a file is not as it was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Change {
    /// It has no name any more.
    #[error("was removed")]
    Vanished,
    /// Its name stands for another file.
    #[error("was replaced")]
    Replaced,
    /// It has another length.
    #[error("went from {left} to {found} bytes")]
    Length {
        /// The length it was left with.
        left: u64,
        /// The length it has.
        found: u64,
    },
    /// It has other times.
    #[error("was written to")]
    Touched,
}

impl Conflict {
    /// Compares a file with what was left.
    pub(crate) fn check(path: &Path, left: &Stat, found: &Stat) -> Result<(), Self> {
        let change = if left.id != found.id {
            Change::Replaced
        } else if left.len != found.len {
            Change::Length { left: left.len, found: found.len }
        } else if (left.mtime, left.ctime) != (found.mtime, found.ctime) {
            Change::Touched
        } else {
            return Ok(());
        };
        Err(Self { path: path.to_path_buf(), change })
    }
}

/// An event that was not written, or not durably.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// It was not begun.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// gptme could not read the payload: numbers of more than 4,300 digits, or nested too deep.
    #[error("the payload for {} has a number or a nesting that gptme cannot read", .path.display())]
    Unreadable {
        /// The log.
        path: PathBuf,
    },
    /// Nothing was written; the next write may be tried.
    #[error("nothing was written to the event log")]
    NotWritten {
        /// What failed; it names the file.
        source: Error,
    },
    /// It could not be synced, and was taken back. The handle refuses everything further.
    #[error("the event could not be made durable and was taken back; open the log again")]
    TakenBack {
        /// What failed; it names the file.
        source: Arc<Error>,
    },
    /// All or a part of it may stand in the file. The handle refuses everything further.
    #[error(
        "the event could not be written or made durable, nor be taken back; open the log again to see if it stands"
    )]
    Unknown {
        /// What failed; it names the file.
        source: Arc<Error>,
    },
}

impl WriteError {
    /// Whether the event may be there when the log is opened again. In all other cases it is not.
    #[must_use]
    pub const fn may_stand(&self) -> bool {
        matches!(self, Self::Unknown { .. })
    }
}

/// A log that could not be synced.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SyncError {
    /// It was not begun.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// The device failed. The handle refuses everything further; what was written may be lost with the
    /// power, until the log is written anew.
    #[error("the event log could not be synced; open it again, and write a checkpoint")]
    Failed {
        /// What failed; it names the file.
        source: Arc<Error>,
    },
}

/// A log that could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CreateError {
    /// There is one.
    #[error("there is an event log {} already; read it and go on with it", .path.display())]
    Exists {
        /// The log.
        path: PathBuf,
    },
    /// It was not begun.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// It was not made, or not durably: the source says which.
    #[error("the event log could not be created")]
    Failed {
        /// What failed.
        source: ReplaceError,
    },
    /// It was made, durably, and cannot be opened.
    #[error("the new event log cannot be opened")]
    Unopened {
        /// What failed; it names the file.
        source: Error,
    },
}

/// A checkpoint that was not written, or not durably.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// It was not begun.
    #[error(transparent)]
    Blocked(#[from] Blocked),
    /// The old log stands; the handle goes on with it.
    #[error("the event log was not replaced")]
    Unchanged {
        /// What failed; it names the file.
        source: Error,
    },
    /// The new log stands, and may be lost with the power (the old one then comes back), or cannot be
    /// opened. The handle refuses everything further.
    #[error("the event log was replaced, but cannot be relied on; open it again, and write a checkpoint")]
    Unsettled {
        /// What failed; it names the file.
        source: Arc<Error>,
    },
}

/// A log that was not compacted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompactError {
    /// The log could not be read.
    #[error("the event log could not be read to compact it")]
    Unread {
        /// What failed; it names the file.
        source: Error,
    },
    /// A hash in it does not fit. Compacting would make new hashes for what was changed.
    #[error("the event log {} was changed at line {line}; verify it, then write a checkpoint", .path.display())]
    Damaged {
        /// The log.
        path: PathBuf,
        /// The line whose hash does not fit.
        line: u64,
    },
    /// As for a checkpoint.
    #[error(transparent)]
    Replace(#[from] CheckpointError),
}

impl From<Blocked> for CompactError {
    fn from(blocked: Blocked) -> Self {
        Self::Replace(blocked.into())
    }
}
