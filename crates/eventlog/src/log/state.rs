//! The frame of each write: lock, comparison with what was left, and what a failure leaves behind.

use std::path::Path;
use std::sync::Arc;

use convlog_fs::{DirSync, Error};

use super::EventLog;
use super::error::{Blocked, Change, Conflict};
use crate::Seq;

impl EventLog {
    /// Does something under the lock, after the file was found as it was left.
    pub(super) fn locked<T, E: From<Blocked>>(&mut self, act: impl FnOnce(&mut Self) -> Result<T, E>) -> Result<T, E> {
        self.check_refusal()?;
        self.lock.acquire(&*self.fs, self.options.lock_wait)?;
        let outcome = match self.check_file() {
            Ok(()) => act(self),
            Err(blocked) => Err(blocked.into()),
        };
        self.lock.release();
        outcome
    }

    pub(super) fn check_refusal(&self) -> Result<(), Blocked> {
        match &self.refusal {
            Some(source) => Err(Blocked::Refused { path: self.path.clone(), source: Arc::clone(source) }),
            None => Ok(()),
        }
    }

    /// Compares the file with what this handle left.
    pub(super) fn check_file(&self) -> Result<(), Blocked> {
        match self.fs.stat(&self.path) {
            Ok(found) => Ok(Conflict::check(&self.path, &self.left, &found)?),
            Err(error) if error.is_not_found() => {
                Err(Conflict { path: self.path.clone(), change: Change::Vanished }.into())
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The number of the event after that one.
    pub(super) fn seq_after(&self, highest: u64) -> Result<Seq, Blocked> {
        let next = highest.checked_add(1).and_then(Seq::new);
        next.ok_or_else(|| Blocked::NoNumber { path: self.path.clone() })
    }

    /// Syncs the data and, once, the name of the file.
    pub(super) fn sync_file(&mut self) -> Result<(), Error> {
        self.file.sync_data()?;
        if self.unnamed {
            let target = self.fs.resolve(&self.path)?;
            let dir_sync = self.fs.sync_dir(target.parent().unwrap_or(Path::new("/")))?;
            self.note(dir_sync);
            self.unnamed = false;
        }
        self.unsynced = false;
        Ok(())
    }

    /// Keeps the weaker outcome.
    pub(super) fn note(&mut self, dir_sync: DirSync) {
        if dir_sync == DirSync::Unsupported {
            self.dir_sync = dir_sync;
        }
    }

    /// Refuses everything from now on, and gives the cause back.
    pub(super) fn refuse(&mut self, cause: Error) -> Arc<Error> {
        let cause = Arc::new(cause);
        self.refusal.get_or_insert_with(|| Arc::clone(&cause));
        cause
    }
}
