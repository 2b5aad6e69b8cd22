//! The lock on a conversation: one writer, whoever it is.

use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use convlog_fs::{Error, File, FileId, FileSystem, Locked, Missing, Open, Operation, Patient};
use convlog_message::Timestamp;

use super::LockError;

/// How often the lock is tried anew when its file was replaced meanwhile.
const TRIES: usize = 8;

/// The locks that this process holds: only it can know, since in two containers both may be process 1.
static HELD: Mutex<Vec<FileId>> = Mutex::new(Vec::new());

/// An exclusive lock on `.lock`, given back when dropped; the file stays.
///
/// The kernel's lock decides, whatever the text says: a lock dies with its process, so there is no stale
/// one on a local disk. The text, `pid N`, is for messages. It is never a bare number, which gptme takes
/// for a process that may be dead, and then unlinks the file.
#[derive(Debug)]
#[must_use = "the lock is given back when this is dropped"]
pub(crate) struct SessionLock {
    path: PathBuf,
    file: Box<dyn File>,
    id: FileId,
}

impl SessionLock {
    /// Takes the lock, at once or not at all.
    pub(crate) fn acquire(fs: &dyn FileSystem, home: &Path) -> Result<Self, LockError> {
        let path = home.join(".lock");
        for _ in 0..TRIES {
            let file = fs.open(&path, Open::ReadWrite(Missing::Create))?;
            let id = file.stat()?.id;
            {
                let mut held = held_here();
                match file.try_lock() {
                    Ok(Locked::Acquired) => held.push(id),
                    Ok(Locked::Held) if held.contains(&id) => return Err(LockError::HeldHere { path }),
                    Ok(Locked::Held) => {
                        drop(held);
                        return Err(held_elsewhere(fs, path));
                    }
                    Err(error) => return Err(LockError::Unsupported { source: error }),
                }
            }
            let mut lock = Self { path: path.clone(), file, id };
            lock.write_text()?;
            // Looked at last: before the text is there, gptme may read a dead process's number, and unlink.
            if lock.still_holds(fs)? {
                return Ok(lock);
            }
        }
        Err(LockError::Lost { path })
    }

    /// Whether the path still names the file that is locked.
    pub(super) fn still_holds(&self, fs: &dyn FileSystem) -> Result<bool, Error> {
        match fs.stat(&self.path) {
            Ok(stat) => Ok(stat.id == self.id),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Puts the new text over the old one and cuts the rest off, so that a reader never finds none.
    fn write_text(&mut self) -> Result<(), Error> {
        let text = format!("pid {}\n", std::process::id());
        let written = self.file.seek(SeekFrom::Start(0));
        let written = written.and_then(|_| Patient::new(&mut *self.file).write_all(text.as_bytes()));
        written.map_err(|cause| Error::new(Operation::Write, &self.path, cause))?;
        self.file.set_len(text.len() as u64)
    }
}

impl Drop for SessionLock {
    /// Unlocks, and does not leave that to the closing: a child being started may still have the file open.
    fn drop(&mut self) {
        let mut held = held_here();
        let _ = self.file.unlock();
        if let Some(at) = held.iter().position(|id| *id == self.id) {
            held.swap_remove(at);
        }
    }
}

fn held_here() -> MutexGuard<'static, Vec<FileId>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Who holds a lock, as far as its file tells.
pub(crate) fn held_elsewhere(fs: &dyn FileSystem, path: PathBuf) -> LockError {
    let text = convlog_fs::read_all(fs, &path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let first = text.lines().next().unwrap_or_default();
    let pid = first.trim().trim_start_matches("pid").trim().parse().ok();
    let since = fs.stat(&path).ok().map(|stat| Timestamp::from(SystemTime::from(stat.mtime)));
    LockError::Held { path, pid, since }
}
