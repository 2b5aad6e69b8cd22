//! Why a conversation could not be opened or read.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::Transcript;

/// A conversation could not be opened.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum OpenError {
    /// Nothing lies at the path.
    #[error("there is no conversation at {}", path.display())]
    NotFound {
        /// The directory.
        path: PathBuf,
    },
    /// Something else than a directory lies there.
    #[error("{} is not a directory, so it is no conversation", path.display())]
    NotADirectory {
        /// What was given.
        path: PathBuf,
    },
    /// The directory holds nothing of a conversation.
    #[error("{} holds no conversation: there is neither conversation.jsonl nor events.jsonl in it", path.display())]
    NoConversation {
        /// The directory.
        path: PathBuf,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

/// A log of a conversation could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The conversation has no such log.
    #[error("the conversation has no {which} ({} is missing)", path.display())]
    NotFound {
        /// The log.
        which: Transcript,
        /// Its file.
        path: PathBuf,
    },
    /// A directory, a device or the like lies in its place.
    #[error("{} is {found}, not a file; move it away", path.display())]
    NotAFile {
        /// The path.
        path: PathBuf,
        /// What lies there.
        found: &'static str,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// Reading failed half way.
    #[error("cannot read {}: {source}", path.display())]
    Stream {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}
