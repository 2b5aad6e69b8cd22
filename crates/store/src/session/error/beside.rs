//! Why something was not done beside appending, undoing and editing: with branches, views, bookmarks, drafts, forks.

use std::path::PathBuf;

use thiserror::Error;

use super::{AppendError, CloseError, LockError, OpenSessionError, Refusal, RewriteError, SyncError};
use crate::{BranchName, NameError, ReadError, Transcript, ViewName};

/// A branch was not restored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// The branch cannot be read; nothing was changed.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Main could not be replaced.
    #[error(transparent)]
    Rewrite(#[from] RewriteError),
}

/// A branch was not made or not removed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BranchError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name cannot be that of a new branch.
    #[error(transparent)]
    Name(#[from] NameError),
    /// `main` is the conversation itself.
    #[error("main is the conversation itself; choose another name for the branch")]
    Main,
    /// There is one.
    #[error("there is a branch {name} already")]
    Exists {
        /// The branch.
        name: BranchName,
    },
    /// There is none.
    #[error("there is no branch {name}")]
    NotFound {
        /// The branch.
        name: BranchName,
    },
    /// The session is on it.
    #[error("the session is on the branch {name}; switch to another first")]
    InUse {
        /// The branch.
        name: BranchName,
    },
    /// The log has fewer messages.
    #[error("the log has {there} messages, so it cannot be branched at {at}")]
    Beyond {
        /// Where the branch was to begin.
        at: usize,
        /// How many messages there are.
        there: usize,
    },
    /// The event log of the branch could not be made; there is no branch.
    #[error("cannot create the event log of the branch: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

impl From<SyncError> for BranchError {
    fn from(SyncError::Refused(refusal): SyncError) -> Self {
        Self::Refused(refusal)
    }
}

/// The session did not go to another branch.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SwitchError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The other branch cannot be opened; the session stays where it is.
    #[error(transparent)]
    Open {
        /// Why.
        source: Box<OpenSessionError>,
    },
    /// The log that was to be left could not be made durable.
    #[error("the log that was to be left could not be closed: {source}")]
    Close {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
}

/// Something was not done with a view.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ViewError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name cannot be that of a new view.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Views belong to main.
    #[error("views belong to main, and the session is on the branch {branch}; switch to main first")]
    OnBranch {
        /// The branch.
        branch: BranchName,
    },
    /// There is one.
    #[error("there is a view {name} already")]
    Exists {
        /// The view.
        name: ViewName,
    },
    /// There is none.
    #[error("there is no view {name}")]
    NotFound {
        /// The view.
        name: ViewName,
    },
    /// It is active.
    #[error("the view {name} is active; go back to main first")]
    Active {
        /// The view.
        name: ViewName,
    },
    /// The view cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// The event log could not be written; nothing was changed.
    #[error("nothing was changed, since the event log could not be written: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system refused; nothing was changed.
    #[error("nothing was changed: {source}")]
    Io {
        /// What failed; it names the file.
        #[from]
        source: convlog_fs::Error,
    },
    /// It was done, and a power loss may undo it; the session refuses everything further.
    #[error("the change is made but not durable: {source}; open the conversation again")]
    NotDurable {
        /// What failed; it names the file.
        source: convlog_fs::Error,
    },
}

impl From<SyncError> for ViewError {
    fn from(SyncError::Refused(refusal): SyncError) -> Self {
        Self::Refused(refusal)
    }
}

/// A bookmark was not set.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MarkError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The name could never be asked for.
    #[error("{label:?} cannot be the name of a bookmark: it is blank, or a number, which stands for so many messages")]
    Label {
        /// The name.
        label: String,
    },
    /// The file could not be read or written.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

impl From<SyncError> for MarkError {
    fn from(SyncError::Refused(refusal): SyncError) -> Self {
        Self::Refused(refusal)
    }
}

/// The log was not rewound.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BacktrackError {
    /// There is no bookmark of that name.
    #[error("there is no bookmark {label:?}")]
    Unknown {
        /// The name.
        label: String,
    },
    /// The bookmark stands for messages that are not there any more, or was set on another log.
    #[error(
        "the bookmark {label:?} is stale: it was set behind {index} messages, and those are not what this log of \
         {there} begins with; give a number of messages instead"
    )]
    Stale {
        /// The name.
        label: String,
        /// How many messages there were.
        index: usize,
        /// How many there are.
        there: usize,
    },
    /// There are fewer messages.
    #[error("there are {there} messages, so the log cannot go back to {index}")]
    Beyond {
        /// How many were asked for.
        index: usize,
        /// How many there are.
        there: usize,
    },
    /// The bookmarks could not be read.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// The log could not be replaced.
    #[error(transparent)]
    Rewrite(#[from] RewriteError),
}

/// Something was not done with a message that streams.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DraftError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is one that was interrupted.
    #[error("a message was interrupted while it was streamed; keep or drop it first")]
    Interrupted,
    /// It belongs to another branch than the session is on.
    #[error("the message was streamed to {which}; open that to keep it")]
    Elsewhere {
        /// The log.
        which: Transcript,
    },
    /// Its file could not be written.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// The whole message could not be appended; the draft stays.
    #[error(transparent)]
    Append(#[from] AppendError),
}

/// A conversation was not forked; nothing of the copy stays.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ForkError {
    /// The session takes nothing more, or not any longer.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is something.
    #[error("there is something at {} already", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// A conversation cannot hold a copy of itself.
    #[error("{} lies in the conversation itself", path.display())]
    Inside {
        /// The path.
        path: PathBuf,
    },
    /// There are fewer messages.
    #[error("the log has {there} messages, so it cannot be forked at {at}")]
    Beyond {
        /// Where the copy was to end.
        at: usize,
        /// How many messages there are.
        there: usize,
    },
    /// The view and main do not share their last messages.
    #[error("message {at} of the view {view} stands for several of main; fork main instead, or further to the end")]
    WithinView {
        /// The view.
        view: ViewName,
        /// Where the copy was to end.
        at: usize,
    },
    /// The copy could not be locked while it was made.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A log cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// An event log of the copy could not be made.
    #[error("cannot create an event log of the copy: {source}")]
    Events {
        /// Why.
        #[source]
        source: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// The session that was to move could not be closed; the copy is there.
    #[error(transparent)]
    Close(#[from] CloseError),
    /// The copy could not be opened; it is there.
    #[error(transparent)]
    Open(#[from] OpenSessionError),
}
