//! Creating a log: its first event is a checkpoint of what is there.

use std::path::Path;
use std::sync::Arc;

use convlog_fs::{FILE_MODE, FileSystem, create_durable};
use convlog_message::Log;

use super::EventLog;
use super::checkpoint::{Snapshot, open_known};
use super::error::{Blocked, CreateError};
use super::lock::LogLock;
use crate::chain::Chain;
use crate::encode::time_text;
use crate::{EVENTS_FILE, Options, Place, Seq};

impl EventLog {
    /// Creates the log of a directory that has none.
    ///
    /// Its first event is a checkpoint of `initial`, the messages that are there, whose lines stand, or
    /// are about to, at `places`. Durable when this returns: file and name. The directory must exist, and
    /// be durable.
    ///
    /// # Errors
    /// When there is a log already, or it cannot be made.
    pub fn create(
        fs: Arc<dyn FileSystem>,
        dir: &Path,
        options: Options,
        initial: &Log,
        places: &[Place],
    ) -> Result<Self, CreateError> {
        let mut lock = LogLock::open(&*fs, dir)?;
        lock.acquire(&*fs, options.lock_wait)?;
        let made = Self::create_locked(&*fs, dir, &options, initial, places);
        lock.release();
        let (path, (file, left), chain, dir_sync) = made?;
        Ok(Self {
            fs,
            path,
            options,
            lock,
            file,
            left,
            ends_in_newline: true,
            highest: Seq::FIRST.get(),
            checkpoint: Some(Seq::FIRST),
            since: 0,
            chain,
            unsynced: false,
            unnamed: false,
            dir_sync,
            refusal: None,
            buffer: Vec::new(),
            before: None,
        })
    }

    fn create_locked(
        fs: &dyn FileSystem,
        dir: &Path,
        options: &Options,
        initial: &Log,
        places: &[Place],
    ) -> Result<Made, CreateError> {
        let path = dir.join(EVENTS_FILE);
        match fs.lstat(&path) {
            Ok(_) => return Err(CreateError::Exists { path }),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(Blocked::from(error).into()),
        }
        let ts = time_text(&options.clock.now());
        let snapshot = Snapshot { seq: Seq::FIRST, ts, messages: initial, places, carries: None };
        let mut chain = Chain::start();
        let made = create_durable(fs, &path, FILE_MODE, |file| {
            chain = snapshot.write(file)?;
            Ok(())
        });
        let made = made.map_err(|source| CreateError::Failed { source })?;
        let opened = open_known(fs, &path, &made.stat).map_err(|source| CreateError::Unopened { source })?;
        Ok((path, opened, chain, made.dir_sync))
    }
}

type Made = (std::path::PathBuf, (Box<dyn convlog_fs::File>, convlog_fs::Stat), Chain, convlog_fs::DirSync);
