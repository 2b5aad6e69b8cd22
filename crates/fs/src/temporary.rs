//! Temporary files: their names, and the removal of those a crash left.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};
use std::process;

use crate::{Error, File, FileSystem, Kind, Open, Operation, Result};

const PREFIX: &str = ".convlog-";
const SUFFIX: &str = ".tmp";

/// Whether a name is one that convlog gives to its temporary files: `.convlog-*.tmp`.
///
/// ```
/// use convlog_fs::is_temporary;
///
/// assert!(is_temporary(".convlog-41-0.tmp".as_ref()));
/// assert!(!is_temporary("conversation.jsonl.tmp".as_ref()));
/// ```
#[must_use]
pub fn is_temporary(name: &OsStr) -> bool {
    let name = name.as_encoded_bytes();
    name.strip_prefix(PREFIX.as_bytes()).is_some_and(|rest| rest.ends_with(SUFFIX.as_bytes()))
}

/// Removes convlog's own temporary files from a directory and returns their names.
///
/// Nothing else is touched, nor a directory of such a name. A file under work by another process
/// would go too, and that process's replacement fail with the old content standing: call this
/// only under the lock that excludes other writers.
///
/// # Errors
/// When the directory cannot be listed, or a file in it not be removed.
pub fn remove_temporaries(fs: &dyn FileSystem, dir: &Path) -> Result<Vec<OsString>> {
    let mut removed = Vec::new();
    for entry in fs.list(dir)? {
        if entry.kind == Kind::Dir || !is_temporary(&entry.name) {
            continue;
        }
        match fs.remove_file(&dir.join(&entry.name)) {
            Ok(()) => removed.push(entry.name),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(removed)
}

/// Creates a temporary file in a directory.
///
/// The name is the first free one of this process, so that the same run makes the same names.
pub(crate) fn create(fs: &dyn FileSystem, dir: &Path, mode: u32) -> Result<(PathBuf, Box<dyn File>)> {
    const ATTEMPTS: u32 = 10_000;

    let process = process::id();
    for number in 0..ATTEMPTS {
        let path = dir.join(format!("{PREFIX}{process}-{number}{SUFFIX}"));
        match fs.open(&path, Open::CreateNew { mode }) {
            Ok(file) => return Ok((path, file)),
            Err(error) if error.is_already_exists() => {}
            Err(error) => return Err(error),
        }
    }
    let cause = io::Error::new(io::ErrorKind::AlreadyExists, "too many files named .convlog-*.tmp; remove them");
    Err(Error::new(Operation::Open, dir, cause))
}
