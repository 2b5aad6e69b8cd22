//! [`resolve_target`]: the file that writing to a path would write.

use std::io;
use std::path::{Component, Path, PathBuf};

use rustix::io::Errno;

use crate::{Error, FileSystem, Kind, Operation, Result};

/// The file that writing to `path` would write: absolute, free of symbolic links, and perhaps
/// yet to be made.
///
/// Unlike [`FileSystem::resolve`] it follows a symbolic link that points nowhere, to the place
/// where its file is to be. The directory of that place must exist.
///
/// # Errors
/// When the directory is missing, links go in a circle, or the path ends in no name (`/`, `..`).
///
/// ```
/// use convlog_fs::{FileSystem, resolve_target, sim::SimFs};
/// use std::path::Path;
///
/// let fs = SimFs::new();
/// fs.create_dir(Path::new("/big"))?;
/// fs.symlink(Path::new("big/log"), Path::new("/log"))?;
/// assert!(fs.resolve(Path::new("/log")).is_err());
/// assert_eq!(resolve_target(&fs, Path::new("/log"))?, Path::new("/big/log"));
/// # Ok::<(), convlog_fs::Error>(())
/// ```
pub fn resolve_target(fs: &dyn FileSystem, path: &Path) -> Result<PathBuf> {
    /// As many as Linux follows.
    const LINKS: u32 = 40;

    let mut at = path.to_path_buf();
    for _ in 0..=LINKS {
        let target = match at.components().next_back() {
            Some(Component::Normal(name)) => fs.resolve(parent(&at))?.join(name),
            _ => {
                let cause = io::Error::new(io::ErrorKind::InvalidInput, "it ends in no file name");
                return Err(Error::new(Operation::Resolve, path, cause));
            }
        };
        match fs.lstat(&target) {
            Ok(stat) if stat.kind == Kind::Symlink => {
                at = parent(&target).join(fs.read_link(&target)?);
            }
            Ok(_) => return Ok(target),
            Err(error) if error.is_not_found() => return Ok(target),
            Err(error) => return Err(error),
        }
    }
    Err(Error::new(Operation::Resolve, path, Errno::LOOP.into()))
}

/// The directory a path lies in; `.` for a lone name.
pub(crate) fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        Some(_) => Path::new("."),
        None => path,
    }
}
