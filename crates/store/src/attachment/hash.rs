//! The hashes that stored copies are named by: convlog's, and gptme's.

use std::io;

use convlog_fs::{File, FileSystem, Open, Result};
use sha2::{Digest as _, Sha256};

/// The length of gptme's hashes: the first 16 digits of SHA-256.
const GPTME_DIGITS: usize = 16;
/// The length of convlog's: all of BLAKE3.
const CONVLOG_DIGITS: usize = 64;

/// A hash of a file's content, and how it was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Algorithm {
    /// The first 16 hexadecimal digits of SHA-256.
    Gptme,
    /// All 64 hexadecimal digits of BLAKE3.
    Convlog,
}

impl Algorithm {
    /// How a hash was made, as its length tells; `None` when it is no hash. Nothing else becomes part of a path.
    pub(super) fn of(hash: &str) -> Option<Self> {
        let is_hex = hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        match hash.len() {
            GPTME_DIGITS if is_hex => Some(Self::Gptme),
            CONVLOG_DIGITS if is_hex => Some(Self::Convlog),
            _ => None,
        }
    }
}

/// A hash under way.
pub(super) enum Hasher {
    Gptme(Box<Sha256>),
    Convlog(Box<blake3::Hasher>),
}

impl Hasher {
    pub(super) fn new(algorithm: Algorithm) -> Self {
        match algorithm {
            Algorithm::Gptme => Self::Gptme(Box::default()),
            Algorithm::Convlog => Self::Convlog(Box::default()),
        }
    }

    pub(super) fn update(&mut self, block: &[u8]) {
        match self {
            Self::Gptme(hasher) => hasher.update(block),
            Self::Convlog(hasher) => drop(hasher.update(block)),
        }
    }

    /// The hash, in lower-case hexadecimal digits.
    pub(super) fn finish(self) -> String {
        match self {
            Self::Gptme(hasher) => {
                hasher.finalize().iter().take(GPTME_DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
            }
            Self::Convlog(hasher) => hasher.finalize().to_hex().to_string(),
        }
    }
}

/// The hash of a file's content, read block by block.
pub(super) fn hash_file(fs: &dyn FileSystem, path: &std::path::Path, algorithm: Algorithm) -> Result<String> {
    let mut file = fs.open(path, Open::Read)?;
    let mut hasher = Hasher::new(algorithm);
    let fed = feed(&mut *file, |block| {
        hasher.update(block);
        Ok(())
    });
    fed.map_err(|cause| convlog_fs::Error::new(convlog_fs::Operation::Read, path, cause))?;
    Ok(hasher.finish())
}

/// Reads a file block by block.
pub(super) fn feed(file: &mut dyn File, mut block: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = vec![0; 64 << 10];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok(()),
            Ok(length) => block(buffer.get(..length).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
