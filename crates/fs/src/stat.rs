//! What a file system knows of a file: [`Stat`], its identity, its kind, its times.

use std::ffi::OsString;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What the file system knows of a file, without its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stat {
    /// Which file this is.
    pub id: FileId,
    /// What it is.
    pub kind: Kind,
    /// Length in bytes; of no meaning for a directory.
    pub len: u64,
    /// Permission bits, `0o7777` at most; the kind is not in them.
    pub mode: u32,
    /// How many names the file has.
    pub links: u64,
    /// When the content last changed.
    pub mtime: FileTime,
    /// When the content, the mode or the names last changed.
    pub ctime: FileTime,
}

/// Which file something is, whatever its name.
///
/// Inode numbers are used again, often at once, so device and inode alone say little: a file
/// that took the place of a removed one may bear its number. The birth time tells the two apart
/// where the file system keeps one.
///
/// ```
/// use convlog_fs::{FileSystem, Open, sim::{Quirks, SimFs}};
/// use std::path::Path;
///
/// let fs = SimFs::with(Quirks { reuse_inodes: true, ..Quirks::default() });
/// let name = Path::new("/a");
/// let old = fs.open(name, Open::CREATE_NEW)?.stat()?;
/// fs.remove_file(name)?;
/// let new = fs.open(name, Open::CREATE_NEW)?.stat()?;
/// assert_eq!(old.id.ino, new.id.ino);
/// assert_ne!(old.id, new.id);
/// # Ok::<(), convlog_fs::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FileId {
    /// The device that holds the file.
    pub dev: u64,
    /// The inode number on that device.
    pub ino: u64,
    /// When the inode was made; `None` where the file system does not say.
    pub birth: Option<FileTime>,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Symlink,
    /// A pipe, a socket, a device.
    Other,
}

/// A point in time as file systems keep it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileTime {
    /// Whole seconds since 1970-01-01T00:00:00Z, rounded down; negative before it.
    pub secs: i64,
    /// Nanoseconds after `secs`, below 1,000,000,000.
    pub nanos: u32,
}

impl From<SystemTime> for FileTime {
    fn from(time: SystemTime) -> Self {
        match time.duration_since(UNIX_EPOCH) {
            Ok(after) => Self { secs: i64::try_from(after.as_secs()).unwrap_or(i64::MAX), nanos: after.subsec_nanos() },
            Err(before) => Self::before_epoch(before.duration()),
        }
    }
}

impl From<FileTime> for SystemTime {
    /// A time that the system cannot say becomes 1970-01-01.
    fn from(time: FileTime) -> Self {
        let whole = Duration::from_secs(time.secs.unsigned_abs());
        let seconds = if time.secs < 0 { UNIX_EPOCH.checked_sub(whole) } else { UNIX_EPOCH.checked_add(whole) };
        seconds.and_then(|s| s.checked_add(Duration::from_nanos(time.nanos.into()))).unwrap_or(UNIX_EPOCH)
    }
}

impl FileTime {
    fn before_epoch(distance: Duration) -> Self {
        let whole = i64::try_from(distance.as_secs()).unwrap_or(i64::MAX);
        match distance.subsec_nanos() {
            0 => Self { secs: whole.saturating_neg(), nanos: 0 },
            part => {
                Self { secs: whole.saturating_neg().saturating_sub(1), nanos: 1_000_000_000_u32.saturating_sub(part) }
            }
        }
    }
}

/// One name in a directory.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DirEntry {
    /// The name, without its directory.
    pub name: OsString,
    /// What it stands for; a symbolic link is not followed.
    pub kind: Kind,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_before_the_epoch_round_down() {
        let time = UNIX_EPOCH - Duration::from_millis(1_250);
        assert_eq!(FileTime::from(time), FileTime { secs: -2, nanos: 750_000_000 });
        let time = UNIX_EPOCH - Duration::from_secs(3);
        assert_eq!(FileTime::from(time), FileTime { secs: -3, nanos: 0 });
        let time = UNIX_EPOCH + Duration::new(5, 7);
        assert_eq!(FileTime::from(time), FileTime { secs: 5, nanos: 7 });
    }
}
