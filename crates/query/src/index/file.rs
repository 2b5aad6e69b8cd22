//! The index as a file: a line that names version and content, a hash, and the entries.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use convlog_fs::{FileSystem, ReplaceError, ReplaceMode, create_dirs_durable, replace};
use thiserror::Error;

use super::Entry;

/// Rises with every change of what is stored.
const HEAD: &[u8] = b"convlog list index 1\n";
const HASH: usize = 32;

/// The index could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// The directory for caches cannot be made.
    #[error(transparent)]
    Directory(#[from] convlog_fs::Error),
    /// The entries cannot be put into bytes.
    #[error("cannot write {}: {source}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: postcard::Error,
    },
    /// The file cannot be replaced.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: ReplaceError,
    },
}

/// The entries in a file, when it is whole, of this version, and about these conversations.
pub(super) fn read(fs: &dyn FileSystem, path: &Path, logs: &[u8]) -> Option<HashMap<String, Entry>> {
    let bytes = convlog_fs::read_all(fs, path).ok()?;
    let (hash, body) = bytes.strip_prefix(HEAD)?.split_first_chunk::<HASH>()?;
    if blake3::hash(body).as_bytes() != hash {
        return None;
    }
    let (about, entries): (Vec<u8>, HashMap<String, Entry>) = postcard::from_bytes(body).ok()?;
    (about == logs).then_some(entries)
}

/// Replaces the file whole.
pub(super) fn write(
    fs: &dyn FileSystem,
    path: &Path,
    logs: &[u8],
    entries: &HashMap<String, Entry>,
) -> Result<(), IndexError> {
    if let Some(directory) = path.parent() {
        // Whether the name survives a loss of power is of no importance to a cache.
        let _ = create_dirs_durable(fs, directory)?;
    }
    let body = postcard::to_stdvec(&(logs, entries))
        .map_err(|source| IndexError::Encode { path: path.to_path_buf(), source })?;
    let hash = blake3::hash(&body);
    let written = replace(fs, path, ReplaceMode::Keep, |out| {
        [HEAD, hash.as_bytes(), &body].into_iter().try_for_each(|part| out.write_all(part))
    });
    written.map(drop).map_err(|source| IndexError::Write { path: path.to_path_buf(), source })
}
