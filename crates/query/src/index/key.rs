//! How a file is known again: [`FileKey`].

use std::time::SystemTime;

use convlog_fs::{FileTime, Stat};
use serde::{Deserialize, Serialize};

/// Which file, and in which state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FileKey {
    id: (u64, u64, Option<Time>),
    pub(crate) len: u64,
    mtime: Time,
    ctime: Time,
}

/// Seconds since 1970 and nanoseconds.
type Time = (i64, u32);

/// The files that an entry is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Keys {
    pub(crate) transcript: FileKey,
    /// `None` when there are no settings.
    pub(crate) config: Option<FileKey>,
    /// The directory; `None` when there is none.
    pub(crate) branches: Option<FileKey>,
}

impl FileKey {
    pub(crate) fn of(stat: &Stat) -> Self {
        Self {
            id: (stat.id.dev, stat.id.ino, stat.id.birth.map(time)),
            len: stat.len,
            mtime: time(stat.mtime),
            ctime: time(stat.ctime),
        }
    }

    /// Whether `later` can be this file with something appended.
    pub(crate) fn may_have_grown_to(&self, later: &Self) -> bool {
        self.id == later.id && self.len < later.len
    }
}

impl Keys {
    /// Whether all of them were last written before a time.
    pub(crate) fn are_older_than(&self, limit: SystemTime) -> bool {
        let limit = time(limit.into());
        let files = [Some(&self.transcript), self.config.as_ref(), self.branches.as_ref()];
        files.into_iter().flatten().all(|key| key.mtime < limit && key.ctime < limit)
    }
}

fn time(time: FileTime) -> Time {
    (time.secs, time.nanos)
}
