//! `LogLock`: the lock that serialises writes to one event log.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use convlog_fs::{File, FileSystem, Locked, Missing, Open};

use super::error::Blocked;
use crate::LOCK_FILE;

/// How long the first pause between two attempts is; each is twice as long as the one before, up to the
/// longest.
const FIRST_PAUSE: Duration = Duration::from_micros(100);
const LONGEST_PAUSE: Duration = Duration::from_millis(5);

/// The lock file, kept open.
#[derive(Debug)]
pub(super) struct LogLock {
    path: PathBuf,
    /// `None` after the lock could not be given back by other means than closing.
    file: Option<Box<dyn File>>,
}

impl LogLock {
    /// Opens the lock file of a directory, and makes it where it is missing.
    pub(super) fn open(fs: &dyn FileSystem, dir: &Path) -> Result<Self, Blocked> {
        let path = dir.join(LOCK_FILE);
        let file = fs.open(&path, Open::Append(Missing::Create))?;
        Ok(Self { path, file: Some(file) })
    }

    /// Takes the lock, trying for so long.
    pub(super) fn acquire(&mut self, fs: &dyn FileSystem, patience: Duration) -> Result<(), Blocked> {
        let file = match self.file.take() {
            Some(file) => file,
            None => fs.open(&self.path, Open::Append(Missing::Create))?,
        };
        let file = self.file.insert(file);
        let (mut waited, mut pause) = (Duration::ZERO, FIRST_PAUSE);
        loop {
            if file.try_lock()? == Locked::Acquired {
                return Ok(());
            }
            if waited >= patience {
                return Err(Blocked::Held { path: self.path.clone(), waited });
            }
            let next = pause.min(patience.saturating_sub(waited));
            thread::sleep(next);
            waited = waited.saturating_add(next);
            pause = pause.saturating_mul(2).min(LONGEST_PAUSE);
        }
    }

    /// Whether the lock's name stands for the file that is locked.
    pub(super) fn check(&self, fs: &dyn FileSystem) -> Result<(), Blocked> {
        let lost = || Blocked::LockLost { path: self.path.clone() };
        let named = match fs.stat(&self.path) {
            Ok(stat) => stat.id,
            Err(error) if error.is_not_found() => return Err(lost()),
            Err(error) => return Err(error.into()),
        };
        match &self.file {
            Some(file) if file.stat()?.id == named => Ok(()),
            _ => Err(lost()),
        }
    }

    /// Gives the lock back. Where that fails the file is closed, which always ends the lock.
    pub(super) fn release(&mut self) {
        if self.file.as_ref().is_some_and(|file| file.unlock().is_err()) {
            self.file = None;
        }
    }
}
