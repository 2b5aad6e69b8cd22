//! [`create_dirs_durable`]: a directory and all above it, durable.

use std::io;
use std::path::{Path, PathBuf};

use crate::target::parent;
use crate::{DirSync, Error, FileSystem, Kind, Operation, Result};

/// The directories that [`create_dirs_durable`] made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use = "an unsupported directory sync deserves a warning"]
pub struct CreatedDirs {
    /// Their paths, outermost first; empty when all were there.
    pub made: Vec<PathBuf>,
    /// Whether their names survive power loss.
    pub dir_sync: DirSync,
}

/// Makes a directory and each missing one above it, mode 0700, names synced.
///
/// Each name is made durable before the next directory is made in it. The innermost directory
/// that was there already has its name synced too: a process may have died between making and
/// syncing it.
///
/// # Errors
/// When something on the way is no directory, or a directory cannot be made or synced. Those
/// made until then stay.
///
/// ```
/// use convlog_fs::{create_dirs_durable, sim::SimFs};
/// use std::path::Path;
///
/// let fs = SimFs::new();
/// let created = create_dirs_durable(&fs, Path::new("/logs/one")).unwrap();
/// assert_eq!(created.made, [Path::new("/logs"), Path::new("/logs/one")]);
/// ```
pub fn create_dirs_durable(fs: &dyn FileSystem, path: &Path) -> Result<CreatedDirs> {
    let mut missing = Vec::new();
    let mut at = path;
    while !is_dir(fs, at)? {
        missing.push(at);
        let above = parent(at);
        if above == at {
            break;
        }
        at = above;
    }

    let mut created = CreatedDirs { made: Vec::new(), dir_sync: sync_existing(fs, at)? };
    for dir in missing.into_iter().rev() {
        match fs.create_dir(dir) {
            Ok(()) => created.made.push(dir.to_path_buf()),
            // Another process was faster; whether it syncs the name is its own affair.
            Err(error) if error.is_already_exists() && is_dir(fs, dir)? => {}
            Err(error) => return Err(error),
        }
        created.dir_sync = created.dir_sync.and(fs.sync_dir(parent(dir))?);
    }
    Ok(created)
}

/// Whether the path is a directory, symbolic links followed; false when there is nothing.
fn is_dir(fs: &dyn FileSystem, path: &Path) -> Result<bool> {
    match fs.stat(path) {
        Ok(stat) if stat.kind == Kind::Dir => Ok(true),
        Ok(_) => Err(Error::new(
            Operation::CreateDir,
            path,
            io::Error::new(io::ErrorKind::NotADirectory, "something else has this name"),
        )),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

/// Syncs the name of a directory that was there. Where the one above may not be opened, the name
/// was not made by this user, and is not theirs to sync.
fn sync_existing(fs: &dyn FileSystem, dir: &Path) -> Result<DirSync> {
    let dir = fs.resolve(dir)?;
    let Some(above) = dir.parent() else {
        return Ok(DirSync::Synced);
    };
    match fs.sync_dir(above) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(DirSync::Synced),
        outcome => outcome,
    }
}
