//! [`Place`], where a line stands in a transcript, and [`FileFigures`], how a transcript was left.

use std::ops::Range;
use std::sync::Arc;

use convlog_fs::{FileId, FileTime, Stat};

/// Where the line of a message stands, or is about to, in a transcript.
///
/// A place of a checkpoint may hold a run of lines; together, in order, the places of one file hold
/// the lines of the checkpoint's messages.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The transcript, relative to the conversation's directory (`conversation.jsonl`).
    pub file: Arc<str>,
    /// Which file bore that name.
    pub id: FileId,
    /// The bytes of the line, its newline included.
    pub range: Range<u64>,
}

/// A transcript as it was left when its log was closed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FileFigures {
    /// The transcript, relative to the conversation's directory.
    pub file: Arc<str>,
    /// Which file bore that name.
    pub id: FileId,
    /// Its length in bytes.
    pub len: u64,
    /// When its content last changed.
    pub mtime: FileTime,
    /// When its content, mode or names last changed.
    pub ctime: FileTime,
    /// How many messages can be read in it.
    pub messages: u64,
}

impl FileFigures {
    /// The figures of a file that the file system describes so, and that holds so many messages.
    #[must_use]
    pub fn new(file: impl Into<Arc<str>>, stat: &Stat, messages: u64) -> Self {
        Self { file: file.into(), id: stat.id, len: stat.len, mtime: stat.mtime, ctime: stat.ctime, messages }
    }

    /// Whether a file is as it was left: same identity, length and times.
    #[must_use]
    pub fn fits(&self, stat: &Stat) -> bool {
        (self.id, self.len, self.mtime, self.ctime) == (stat.id, stat.len, stat.mtime, stat.ctime)
    }
}
