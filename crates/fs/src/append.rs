//! [`append_whole`]: one record at the end of a file, wholly or not at all.

use std::io;
use std::ops::Range;

use crate::patient::retry;
use crate::{Error, File, Operation, Result};

/// Appends one whole record and returns the bytes of the file it now takes.
///
/// The file must be opened by [`Open::Append`](crate::Open::Append), and nobody else may write
/// it meanwhile. A short write is continued, an interrupted one tried again. The record is
/// [`Written`](crate::Durability::Written); [`File::sync_data`] makes it
/// [`Synced`](crate::Durability::Synced).
///
/// # Errors
/// When the file cannot take the whole record. The old length is then restored, and the error
/// says whether that succeeded.
///
/// ```
/// use convlog_fs::{AppendError, FileSystem, Missing, Open, Operation, append_whole, read_all};
/// use convlog_fs::sim::{Fault, Short, SimFs, Times, When};
/// use std::path::Path;
///
/// let (fs, path) = (SimFs::new(), Path::new("/log"));
/// let mut log = fs.open(path, Open::Append(Missing::Create))?;
/// assert_eq!(append_whole(&mut *log, b"one\n").unwrap(), 0..4);
///
/// let write = || When::operation(Operation::Write);
/// fs.fail(write(), Fault::Short(Short::Half), Times::Once);
/// fs.fail(write().skip(1), Fault::NO_SPACE, Times::Once);
/// let error = append_whole(&mut *log, b"two\n").unwrap_err();
/// assert!(matches!(error, AppendError::Restored { .. }));
/// assert_eq!(read_all(&fs, path)?, b"one\n");
/// # Ok::<(), convlog_fs::Error>(())
/// ```
pub fn append_whole(file: &mut dyn File, record: &[u8]) -> Result<Range<u64>, AppendError> {
    let start = file.stat().map_err(|source| AppendError::Restored { source })?.len;
    match write_all(file, record) {
        Ok(()) => Ok(start..start.saturating_add(record.len() as u64)),
        Err(cause) => {
            let source = Error::new(Operation::Write, file.path(), cause);
            Err(match restore(file, start) {
                Ok(()) => AppendError::Restored { source },
                Err(error) => AppendError::Torn { start, source, restore: error.cause },
            })
        }
    }
}

/// A record that could not be appended.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppendError {
    /// The file has the bytes it had before.
    #[error("nothing was appended to {}", .source.path.display())]
    Restored {
        /// Why the record could not be written; it names the file.
        source: Error,
    },
    /// A part of the record may stand at the end of the file.
    #[error(
        "a part of a record may stand in {} from byte {start} on, as it could not be cut off \
         again ({restore}); cut the file there before the next append",
        .source.path.display()
    )]
    Torn {
        /// The length before, where the part of the record begins.
        start: u64,
        /// Why the record could not be written; it names the file.
        source: Error,
        /// Why the old length could not be restored.
        restore: io::Error,
    },
}

impl AppendError {
    /// Why the record could not be written.
    #[must_use]
    pub fn cause(&self) -> &Error {
        match self {
            Self::Restored { source } | Self::Torn { source, .. } => source,
        }
    }

    /// The same, taken out.
    #[must_use]
    pub fn into_cause(self) -> Error {
        match self {
            Self::Restored { source } | Self::Torn { source, .. } => source,
        }
    }
}

fn write_all(file: &mut dyn File, mut rest: &[u8]) -> io::Result<()> {
    while !rest.is_empty() {
        let written = retry(|| file.write(rest))?;
        match rest.get(written..) {
            Some(unwritten) if written > 0 => rest = unwritten,
            _ => return Err(io::ErrorKind::WriteZero.into()),
        }
    }
    Ok(())
}

/// Brings the old length back. Nothing is changed where nothing is to be changed, so that a disk
/// which refuses every change does not make a whole file count as torn.
fn restore(file: &mut dyn File, len: u64) -> Result<()> {
    match file.stat() {
        Ok(stat) if stat.len == len => Ok(()),
        _ => file.set_len(len),
    }
}
