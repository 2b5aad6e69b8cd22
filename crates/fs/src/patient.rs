//! [`Patient`]: reading and writing that go on after an interruption.

use std::io::{self, Read, Write};

use crate::{Error, File, Operation, Result};

/// How often one call is tried again after an interruption by a signal.
///
/// A bound, as a call that is interrupted for ever must end in an error, not in a hang.
const INTERRUPTIONS: u32 = 128;

/// A file whose reads and writes try again after an interruption (`EINTR`).
///
/// The standard library's helpers such as `read_to_end` and `write_all` do so for ever; through
/// this they end, with an error of another kind.
///
/// ```
/// use convlog_fs::{FileSystem, Open, Operation, Patient};
/// use convlog_fs::sim::{Fault, SimFs, Times, When};
/// use std::{io::Write, path::Path};
///
/// let fs = SimFs::new();
/// let mut file = fs.open(Path::new("/a"), Open::CREATE_NEW)?;
/// fs.fail(When::operation(Operation::Write), Fault::INTERRUPTED, Times::Forever);
/// assert!(Patient::new(&mut *file).write_all(b"text").is_err());
/// # Ok::<(), convlog_fs::Error>(())
/// ```
#[derive(Debug)]
pub struct Patient<'a> {
    file: &'a mut dyn File,
}

impl<'a> Patient<'a> {
    /// Reads and writes this file, at its position.
    pub fn new(file: &'a mut dyn File) -> Self {
        Self { file }
    }
}

impl Read for Patient<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        retry(|| self.file.read(buffer))
    }
}

impl Write for Patient<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        retry(|| self.file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Fills the buffer from an offset and returns how many bytes there were; fewer than asked for
/// only when the file ends. The position stays.
///
/// # Errors
/// When reading fails.
pub fn read_full_at(file: &dyn File, buffer: &mut [u8], offset: u64) -> Result<usize> {
    let mut filled = 0_usize;
    while let Some(rest) = buffer.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        let from = offset.saturating_add(filled as u64);
        let read = retry(|| file.read_at(rest, from).map_err(|error| error.cause))
            .map_err(|cause| Error::new(Operation::Read, file.path(), cause))?;
        if read == 0 {
            break;
        }
        filled = filled.saturating_add(read);
    }
    Ok(filled)
}

pub(crate) fn retry<T>(mut call: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    for _ in 0..INTERRUPTIONS {
        match call() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            outcome => return outcome,
        }
    }
    Err(io::Error::new(io::ErrorKind::TimedOut, "interrupted by signals again and again"))
}
