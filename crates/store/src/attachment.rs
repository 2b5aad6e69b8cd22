//! Stored copies of attached files: where they lie and whether they are whole.

use std::io::{self, Read as _};
use std::path::PathBuf;

use convlog_fs::{FileSystem, Kind, Open};
use convlog_message::FileRef;
use sha2::{Digest as _, Sha256};
use thiserror::Error;

use crate::Layout;

/// The length of gptme's hashes: the first half of a half of SHA-256 in hexadecimal digits.
const GPTME_DIGITS: usize = 16;
/// The length of convlog's: all of BLAKE3.
const CONVLOG_DIGITS: usize = 64;

/// A stored copy, by its hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StoredFile {
    hash: String,
    suffix: String,
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
        let is_hash = matches!(hash.len(), GPTME_DIGITS | CONVLOG_DIGITS)
            && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hash {
            return Err(AttachmentFault::NoHash { hash: hash.to_owned() });
        }
        Ok(Self { hash: hash.to_owned(), suffix: suffix(file.as_str()).to_owned() })
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
        let path = self.path(fs, layout);
        match fs.stat(&path) {
            Ok(stat) if stat.kind == Kind::File => {}
            Ok(_) => return Err(AttachmentFault::NotAFile),
            Err(error) if error.is_not_found() => return Err(AttachmentFault::Missing),
            Err(error) => return Err(AttachmentFault::Io { source: error.cause }),
        }
        let io_fault = |source| AttachmentFault::Io { source };
        let mut file = fs.open(&path, Open::Read).map_err(|error| io_fault(error.cause))?;
        let found = if self.hash.len() == GPTME_DIGITS {
            let mut hasher = Sha256::new();
            feed(&mut file, |block| hasher.update(block)).map_err(io_fault)?;
            hasher.finalize().iter().take(GPTME_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
        } else {
            let mut hasher = blake3::Hasher::new();
            feed(&mut file, |block| {
                hasher.update(block);
            })
            .map_err(io_fault)?;
            hasher.finalize().to_hex().to_string()
        };
        if found == self.hash { Ok(()) } else { Err(AttachmentFault::Changed { found }) }
    }
}

/// Reads a file block by block.
fn feed(file: &mut Box<dyn convlog_fs::File>, mut block: impl FnMut(&[u8])) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => block(buffer.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
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
