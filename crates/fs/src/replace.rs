//! [`replace`] and [`create_durable`]: a whole file, durable in one call.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::target::parent;
use crate::{Committed, Error, FileSystem, Operation, ReplaceMode, Replaced, Replacement, Result};

/// Replaces the content of a file as a whole, or makes the file.
///
/// A reader sees the old content or the new, at any moment, and so does whoever looks after a
/// crash; when the call returns, only the new. Symbolic links are followed, the mode is kept or
/// set as `mode` says, the owner becomes who calls. Hard links to the old file keep the old
/// content. The new content is [`Synced`](crate::Durability::Synced), unless
/// [`Replaced::dir_sync`] says that the file system cannot.
///
/// # Errors
/// [`ReplaceError`] says which content stands. No temporary file is left as long as files can be
/// removed.
///
/// ```
/// use convlog_fs::{DirSync, FileSystem, ReplaceMode, read_all, replace, sim::SimFs};
/// use std::path::Path;
///
/// let (fs, path) = (SimFs::new(), Path::new("/config.toml"));
/// let replaced = replace(&fs, path, ReplaceMode::Keep, |out| out.write_all(b"[chat]\n")).unwrap();
/// assert_eq!(replaced.dir_sync, DirSync::Synced);
/// assert_eq!(replaced.stat, fs.stat(path)?);
/// assert_eq!(read_all(&fs, path)?, b"[chat]\n");
/// # Ok::<(), convlog_fs::Error>(())
/// ```
pub fn replace(
    fs: &dyn FileSystem,
    target: &Path,
    mode: ReplaceMode,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Replaced, ReplaceError> {
    let commit = || {
        let mut new = Replacement::begin(fs, target, mode)?;
        new.write(write)?;
        new.finish()?.commit()
    };
    settle(commit())
}

/// Makes a new file with a content, both durable, and never in the place of another.
///
/// The name appears with the whole content or not at all, at any moment and after any crash.
/// The directory must exist.
///
/// # Errors
/// With [`AlreadyExists`](io::ErrorKind::AlreadyExists) when the name is taken, be it by a
/// symbolic link; [`ReplaceError`] says whether the file stands.
pub fn create_durable(
    fs: &dyn FileSystem,
    path: &Path,
    mode: u32,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<Replaced, ReplaceError> {
    let commit = || {
        let Some(name) = path.file_name() else {
            let cause = io::Error::new(io::ErrorKind::InvalidInput, "it ends in no file name");
            return Err(Error::new(Operation::Open, path, cause));
        };
        let target = fs.resolve(parent(path))?.join(name);
        let mut new = Replacement::at(fs, target, mode)?;
        new.write(write)?;
        new.finish()?.commit_new()
    };
    settle(commit())
}

/// A file that was not replaced or made, or not durably.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// Nothing changed: the old content stands, or no file as before.
    #[error("nothing was changed")]
    Unchanged {
        /// What failed.
        source: Error,
    },
    /// The new content stands, but a power loss may bring the old one back.
    #[error(
        "{} has its new content, but may lose it with the power; write it again once the disk is \
         in order",
        .target.display()
    )]
    NotDurable {
        /// The file that has the new content, symbolic links resolved.
        target: PathBuf,
        /// What failed.
        source: Error,
    },
}

impl ReplaceError {
    /// What failed, whichever content stands.
    #[must_use]
    pub fn cause(&self) -> &Error {
        match self {
            Self::Unchanged { source } | Self::NotDurable { source, .. } => source,
        }
    }
}

impl From<ReplaceError> for Error {
    /// What failed, where it does not matter which content stands.
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::Unchanged { source } | ReplaceError::NotDurable { source, .. } => source,
        }
    }
}

fn settle(committed: Result<Committed<'_>>) -> Result<Replaced, ReplaceError> {
    let committed = committed.map_err(|source| ReplaceError::Unchanged { source })?;
    committed.sync_dir().map_err(|source| ReplaceError::NotDurable { target: committed.target().to_path_buf(), source })
}
