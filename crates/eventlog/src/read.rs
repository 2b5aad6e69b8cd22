//! [`read`]: a whole event log from its file.

use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, SystemTime};

use convlog_fs::{Error, FileSystem, FileTime, Open, Operation, Patient, Result, read_full_at};
use convlog_message::Timestamp;
use memchr::memrchr;

use crate::EVENTS_FILE;
use crate::closed::Closed;
use crate::reading::Reading;
use crate::scan::Scan;

/// Reads the event log of a directory; `None` when there is none.
///
/// Whatever the file holds, this succeeds: what is odd is in the report. Nothing is written and no lock
/// is taken. Messages without a time get that of the file's last change.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn read(fs: &dyn FileSystem, dir: &Path) -> Result<Option<Reading>> {
    let path = dir.join(EVENTS_FILE);
    let mut file = match fs.open(&path, Open::Read) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error),
    };
    // Looked at before it is read, and not read beyond what it was then: whatever is written meanwhile is
    // a difference that the next write notices.
    let stat = file.stat()?;
    let mut bytes = Vec::new();
    let _ = bytes.try_reserve_exact(usize::try_from(stat.len).unwrap_or(0));
    let mut limited = Patient::new(&mut *file).take(stat.len);
    limited.read_to_end(&mut bytes).map_err(|cause| Error::new(Operation::Read, &path, cause))?;
    drop(file);
    let scan = Scan::new(&bytes, &timestamp(stat.mtime));
    Ok(Some(Reading::new(path, stat, &bytes, scan)))
}

/// Reads the end of an event log only: how convlog left it, when closing it was the last that happened.
///
/// `None` when there is no log, or anything else is last. What it costs does not depend on the length of
/// the log; no hash is checked.
///
/// # Errors
/// When the file cannot be opened or read.
pub fn read_closed(fs: &dyn FileSystem, dir: &Path) -> Result<Option<Closed>> {
    /// More than a closing that names a few transcripts takes.
    const END: u64 = 16 << 10;

    let path = dir.join(EVENTS_FILE);
    let file = match fs.open(&path, Open::Read) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error),
    };
    let stat = file.stat()?;
    let length = stat.len.min(END);
    let mut end = vec![0; usize::try_from(length).unwrap_or(0)];
    let read = read_full_at(&*file, &mut end, stat.len.saturating_sub(length))?;
    end.truncate(read);
    let Some(lines) = end.strip_suffix(b"\n") else { return Ok(None) };
    let line = match memrchr(b'\n', lines) {
        Some(newline) => lines.get(newline.saturating_add(1)..).unwrap_or_default(),
        None if length == stat.len => lines,
        None => return Ok(None),
    };
    Ok(Closed::of(stat, line))
}

/// A time of the file system, in UTC.
pub(crate) fn timestamp(time: FileTime) -> Timestamp {
    let seconds = Duration::from_secs(time.secs.unsigned_abs());
    let whole = if time.secs < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(seconds)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(seconds)
    };
    let exact = whole.and_then(|whole| whole.checked_add(Duration::from_nanos(time.nanos.into())));
    exact.unwrap_or(SystemTime::UNIX_EPOCH).into()
}
