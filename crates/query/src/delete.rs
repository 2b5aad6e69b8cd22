//! Removing a conversation: [`LogsDir::delete`].

use std::path::{Path, PathBuf};

use convlog_fs::{FileSystem, Kind};
use convlog_store::{ConversationId, Hold, LockError, OpenError, remove_tree};
use thiserror::Error;

use crate::LogsDir;

/// Whether a conversation is removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deletion {
    /// It is.
    Real,
    /// It is only looked at; nothing is changed.
    DryRun,
}

/// What was removed, or would be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Deleted {
    /// Bytes in files, each name counted.
    pub bytes: u64,
    /// Files, links among them.
    pub files: u64,
    /// Where the conversation lies and stays, when only a link to it went.
    pub link_to: Option<PathBuf>,
}

/// A conversation could not be removed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DeleteError {
    /// There is no such conversation.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// It is in use.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// It is out of the list, and some of its files are still there.
    #[error("{} was not removed to its end: {source}; remove it by hand", path.display())]
    Partly {
        /// What is left.
        path: PathBuf,
        /// What the system said.
        source: convlog_fs::Error,
    },
}

impl LogsDir {
    /// Removes a conversation with all that is in its directory. Where the directory is a link, only that is
    /// removed; links within are not followed.
    ///
    /// Refused while a session is open. The conversation is out of all lists at one moment, and durably so
    /// when this returns; there is no way back.
    ///
    /// # Errors
    ///
    /// When there is no such conversation, it is in use, or the file system refuses.
    pub fn delete(&self, id: &ConversationId, deletion: Deletion) -> Result<Deleted, DeleteError> {
        let fs = &**self.fs();
        let home = self.path().join(id.as_str());
        self.open(id)?;
        let is_link = fs.lstat(&home)?.kind == Kind::Symlink;
        let deleted = if is_link {
            Deleted { bytes: 0, files: 1, link_to: Some(fs.resolve(&home)?) }
        } else {
            let (bytes, files) = size(fs, &home)?;
            Deleted { bytes, files, link_to: None }
        };
        if deletion == Deletion::DryRun {
            Hold::would_be_taken(fs, &home)?;
            return Ok(deleted);
        }
        let hold = Hold::take(fs, &home)?;
        if is_link {
            fs.remove_file(&home)?;
        } else {
            let doomed = self.path().join(format!(".convlog-{}.tmp", blake3::hash(id.as_str().as_bytes()).to_hex()));
            // What an earlier deletion left when it was cut short.
            if fs.lstat(&doomed).is_ok() {
                remove_tree(fs, &doomed)?;
            }
            fs.rename(&home, &doomed)?;
            let _ = fs.sync_dir(self.path())?;
            remove_tree(fs, &doomed).map_err(|source| DeleteError::Partly { path: doomed, source })?;
        }
        drop(hold);
        let _ = fs.sync_dir(self.path())?;
        Ok(deleted)
    }
}

/// Bytes and files in a directory; links count as files of no size.
pub(crate) fn size(fs: &dyn FileSystem, directory: &Path) -> Result<(u64, u64), convlog_fs::Error> {
    let (mut bytes, mut files) = (0_u64, 0_u64);
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(directory) = waiting.pop() {
        for entry in fs.list(&directory)? {
            let path = directory.join(&entry.name);
            if entry.kind == Kind::Dir {
                waiting.push(path);
                continue;
            }
            files = files.saturating_add(1);
            if entry.kind == Kind::File {
                bytes = bytes.saturating_add(fs.lstat(&path)?.len);
            }
        }
    }
    Ok((bytes, files))
}
