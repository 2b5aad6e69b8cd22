//! [`EventLog`]: an event log opened for writing.

mod append;
mod checkpoint;
mod compact;
mod create;
mod error;
mod lock;
mod state;
mod take_back;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::{DirSync, File, FileSystem, Missing, Open, Stat};

pub use append::Append;
pub use compact::Compacted;
pub use error::{Blocked, Change, CheckpointError, CompactError, Conflict, CreateError, SyncError, WriteError};
use lock::LogLock;

use crate::chain::Chain;
use crate::{EVENTS_FILE, Options, Resume, Seq};

/// An event log opened for writing: one file, one lock beside it.
///
/// Each write takes the lock, compares the file with what this handle left, writes, and gives the lock
/// back. Between two writes other programs may write; the next write here then fails with a
/// [`Conflict`], and [`read`](crate::read) takes their work in.
///
/// Nothing is read back: an append reads no byte and makes the same few calls whatever the length of the
/// log.
///
/// After a failed sync, or a failed write that could not be taken back, the handle refuses everything
/// further, with the cause.
///
/// ```
/// use convlog_eventlog::{EventLog, Options, Seq, read};
/// use convlog_fs::{Durability, FileSystem, sim::SimFs};
/// use convlog_message::{Log, Message, Role, Timestamp};
/// use std::{path::Path, sync::Arc};
///
/// let (fs, dir) = (Arc::new(SimFs::new()), Path::new("/log"));
/// fs.create_dir(dir)?;
/// let mut log = EventLog::create(fs.clone(), dir, Options::default(), &Log::new(), &[])?;
/// let hi = Message::new(Role::User, "hi", Timestamp::now());
/// assert_eq!(log.append_message(&hi, &[], Durability::Synced)?, Seq::new(2).unwrap());
///
/// let reading = read(&fs, dir)?.unwrap();
/// assert_eq!(reading.replay().unwrap().len(), 1);
/// let mut again = EventLog::resume(fs, dir, Options::default(), reading.resume())?;
/// assert_eq!(again.undo(1, Durability::Written)?, Seq::new(3).unwrap());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct EventLog {
    fs: Arc<dyn FileSystem>,
    path: PathBuf,
    options: Options,
    lock: LogLock,
    file: Box<dyn File>,
    /// The file as this handle left it.
    left: Stat,
    ends_in_newline: bool,
    /// The highest number ever, 0 without one.
    highest: u64,
    /// The number of the last checkpoint.
    checkpoint: Option<Seq>,
    /// How many bytes the payloads since the last checkpoint take.
    since: u64,
    chain: Chain,
    /// Whether something is written and not synced.
    unsynced: bool,
    /// Whether the file's name may not be durable: whoever made the file may have died too early.
    unnamed: bool,
    /// The weakest outcome of a directory sync so far.
    dir_sync: DirSync,
    /// Why nothing more is written.
    refusal: Option<Arc<convlog_fs::Error>>,
    /// Where lines are put together.
    buffer: Vec<u8>,
    /// How the log was before its last write, while that can be taken back.
    before: Option<take_back::Before>,
}

impl EventLog {
    /// Goes on with a log that was [`read`](crate::read).
    ///
    /// The file must be as it was when reading began; nothing is read again. Neither is anything written:
    /// what the log needs after a crash (FORMAT.md §6) is up to the caller, by
    /// [`checkpoint`](Self::checkpoint).
    ///
    /// # Errors
    /// When the file has changed since, or it or the lock cannot be opened.
    pub fn resume(fs: Arc<dyn FileSystem>, dir: &Path, options: Options, resume: Resume) -> Result<Self, Blocked> {
        let path = dir.join(EVENTS_FILE);
        let lock = LogLock::open(&*fs, dir)?;
        let file = match fs.open(&path, Open::Append(Missing::Fail)) {
            Ok(file) => file,
            Err(error) if error.is_not_found() => return Err(Conflict { path, change: Change::Vanished }.into()),
            Err(error) => return Err(error.into()),
        };
        Conflict::check(&path, &resume.stat, &file.stat()?)?;
        let Resume { stat, ends_in_newline, highest, checkpoint, since, chain, closed } = resume;
        Ok(Self {
            fs,
            path,
            options,
            lock,
            file,
            left: stat,
            ends_in_newline,
            highest,
            checkpoint,
            since,
            chain,
            unsynced: true,
            unnamed: !closed,
            dir_sync: DirSync::Synced,
            refusal: None,
            buffer: Vec::new(),
            before: None,
        })
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of the last event; `None` when there never was one.
    #[must_use]
    pub fn last_seq(&self) -> Option<Seq> {
        Seq::new(self.highest)
    }

    /// The file as this handle left it.
    #[must_use]
    pub fn left(&self) -> &Stat {
        &self.left
    }

    /// Whether the names of the files that were made survive power loss; where the file system cannot see to
    /// that, the user should be warned once.
    pub fn dir_sync(&self) -> DirSync {
        self.dir_sync
    }

    /// Why this handle refuses everything further; `None` while it does not.
    #[must_use]
    pub fn refusal(&self) -> Option<&convlog_fs::Error> {
        self.refusal.as_deref()
    }

    /// Whether a [`checkpoint`](Self::checkpoint) is due, by the policy of the options.
    ///
    /// `snapshot` is about how many bytes it would take: the length of the transcript will do.
    #[must_use]
    pub fn checkpoint_due(&self, snapshot: u64) -> bool {
        self.options.policy.is_due(self.last_seq(), self.checkpoint, snapshot, self.since)
    }
}

impl fmt::Debug for EventLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EventLog")
            .field("path", &self.path)
            .field("last_seq", &self.last_seq())
            .field("refusal", &self.refusal)
            .finish_non_exhaustive()
    }
}
