//! Stored copies of attached files: where they lie and whether they are whole.

mod capture;
mod hash;

use std::io;
use std::path::PathBuf;

use convlog_fs::{FileSystem, Kind};
use convlog_message::FileRef;
use thiserror::Error;

pub(crate) use capture::Capture;
pub use capture::{CaptureFault, Uncaptured};
use hash::{Algorithm, Hasher, hash_file};

use crate::Layout;

/// A stored copy, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoredFile {
    hash: String,
    suffix: String,
    algorithm: Algorithm,
}

/// What is wrong with a stored copy.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AttachmentFault {
    /// What stands as hash is none, so no file is looked for.
    #[error("{hash:?} is no hash of a stored file")]
    NoHash {
        /// What stands there.
        hash: String,
    },
    /// There is no such copy.
    #[error("the stored copy is missing")]
    Missing,
    /// Something else than a file lies there.
    #[error("the stored copy is not a file")]
    NotAFile,
    /// The content has another hash.
    #[error("the stored copy has changed: its hash is now {found}")]
    Changed {
        /// The hash of what lies there.
        found: String,
    },
    /// The copy could not be read.
    #[error("the stored copy cannot be read: {source}")]
    Io {
        /// What the system said.
        source: io::Error,
    },
}

impl StoredFile {
    /// The stored copy of a file, by its hash as a message records it.
    ///
    /// # Errors
    ///
    /// When the hash is none: 16 or 64 lower-case hexadecimal digits. Nothing else becomes part of a path.
    pub fn new(file: &FileRef, hash: &str) -> Result<Self, AttachmentFault> {
        match Algorithm::of(hash) {
            Some(algorithm) => Ok(Self { hash: hash.to_owned(), suffix: suffix(file.as_str()).to_owned(), algorithm }),
            None => Err(AttachmentFault::NoHash { hash: hash.to_owned() }),
        }
    }

    /// Where the copy lies, or where one without suffix does.
    pub(crate) fn path(&self, fs: &dyn FileSystem, layout: &Layout) -> PathBuf {
        let plain = layout.files().join(&self.hash);
        let with_suffix = layout.files().join(format!("{}{}", self.hash, self.suffix));
        if !self.suffix.is_empty() && fs.lstat(&with_suffix).is_err() && fs.lstat(&plain).is_ok() {
            return plain;
        }
        with_suffix
    }

    /// Reads the copy and compares its hash.
    pub(crate) fn verify(&self, fs: &dyn FileSystem, layout: &Layout) -> Result<(), AttachmentFault> {
        let path = self.present(fs, layout)?;
        let found =
            hash_file(fs, &path, self.algorithm).map_err(|error| AttachmentFault::Io { source: error.cause })?;
        if found == self.hash { Ok(()) } else { Err(AttachmentFault::Changed { found }) }
    }

    /// The content of the copy, once its hash was found right.
    pub(crate) fn read(&self, fs: &dyn FileSystem, layout: &Layout) -> Result<Vec<u8>, AttachmentFault> {
        let path = self.present(fs, layout)?;
        let bytes = convlog_fs::read_all(fs, &path).map_err(|error| AttachmentFault::Io { source: error.cause })?;
        let mut hasher = Hasher::new(self.algorithm);
        hasher.update(&bytes);
        let found = hasher.finish();
        if found == self.hash { Ok(bytes) } else { Err(AttachmentFault::Changed { found }) }
    }

    /// Where the copy lies, when a file lies there. Nothing else is opened.
    fn present(&self, fs: &dyn FileSystem, layout: &Layout) -> Result<PathBuf, AttachmentFault> {
        let path = self.path(fs, layout);
        match fs.stat(&path) {
            Ok(stat) if stat.kind == Kind::File => Ok(path),
            Ok(_) => Err(AttachmentFault::NotAFile),
            Err(error) if error.is_not_found() => Err(AttachmentFault::Missing),
            Err(error) => Err(AttachmentFault::Io { source: error.cause }),
        }
    }
}

/// Python's `Path.suffix`: from the last dot of the last component on, unless that begins or ends it.
fn suffix(path: &str) -> &str {
    let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    match name.rfind('.') {
        Some(dot) if dot > 0 && dot.saturating_add(1) < name.len() => name.get(dot..).unwrap_or_default(),
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_are_pythons() {
        for (path, expected) in [
            ("/a/b.txt", ".txt"),
            ("/a/b.tar.gz", ".gz"),
            ("/a/B.PDF", ".PDF"),
            ("/a/.env", ""),
            ("/a/.env.example", ".example"),
            ("/a/name.", ""),
            ("/a.b/c", ""),
            ("/a/b.txt/", ".txt"),
            ("", ""),
        ] {
            assert_eq!(suffix(path), expected, "{path}");
        }
    }

    #[test]
    fn only_a_hash_becomes_part_of_a_path() {
        let file = FileRef::new("/a/b.txt");
        for hash in ["../conversation", "", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdeg"] {
            assert!(matches!(StoredFile::new(&file, hash), Err(AttachmentFault::NoHash { .. })), "{hash}");
        }
        assert!(StoredFile::new(&file, "0123456789abcdef").is_ok());
    }
}
