//! The lock on a conversation: one writer, whoever it is.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use convlog_fs::{Error, File, FileSystem, Locked, Missing, Open, Operation, Patient};
use convlog_message::Timestamp;

use super::LockError;

/// How often the lock is tried anew when its file was replaced meanwhile.
const TRIES: usize = 8;

/// An exclusive lock on `.lock`, given back when dropped; the file stays.
///
/// The kernel's lock decides, whatever the text says: a lock dies with its process, so there is no stale
/// one on a local disk. The text, `pid N`, is for messages. It is never a bare number, which gptme takes
/// for a process that may be dead, and then unlinks the file.
#[derive(Debug)]
#[must_use = "the lock is given back when this is dropped"]
pub(super) struct SessionLock {
    path: PathBuf,
    file: Box<dyn File>,
}

impl SessionLock {
    /// Takes the lock, at once or not at all.
    pub(super) fn acquire(fs: &dyn FileSystem, home: &Path) -> Result<Self, LockError> {
        let path = home.join(".lock");
        for _ in 0..TRIES {
            let file = fs.open(&path, Open::ReadWrite(Missing::Create))?;
            match file.try_lock() {
                Ok(Locked::Acquired) => {}
                Ok(Locked::Held) => return Err(held(fs, path)),
                Err(error) => return Err(LockError::Unsupported { source: error }),
            }
            let mut lock = Self { path: path.clone(), file };
            if lock.still_holds(fs)? {
                lock.write_text()?;
                return Ok(lock);
            }
        }
        Err(LockError::Lost { path })
    }

    /// Whether the path still names the file that is locked.
    pub(super) fn still_holds(&self, fs: &dyn FileSystem) -> Result<bool, Error> {
        match fs.stat(&self.path) {
            Ok(stat) => Ok(stat.id == self.file.stat()?.id),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn write_text(&mut self) -> Result<(), Error> {
        let text = format!("pid {}\n", std::process::id());
        self.file.set_len(0)?;
        let written = self.file.seek(SeekFrom::Start(0));
        let written = written.and_then(|_| Patient::new(&mut *self.file).write_all(text.as_bytes()));
        written.map_err(|cause| Error::new(Operation::Write, &self.path, cause))
    }
}

/// Who holds a lock, as far as its file tells.
fn held(fs: &dyn FileSystem, path: PathBuf) -> LockError {
    let text = convlog_fs::read_all(fs, &path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let pid = text.trim().trim_start_matches("pid").trim().parse().ok();
    let since = fs.stat(&path).ok().map(|stat| Timestamp::from(SystemTime::from(stat.mtime)));
    if pid == Some(std::process::id()) {
        return LockError::HeldHere { path };
    }
    LockError::Held { path, pid, since }
}
