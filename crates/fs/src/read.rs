//! Reading a whole file, and how it ends.

use std::io::Read;
use std::path::Path;

use crate::{Error, File, FileSystem, Open, Operation, Patient, Result, read_full_at};

/// The whole content of a file.
///
/// # Errors
/// When it cannot be opened or read.
pub fn read_all(fs: &dyn FileSystem, path: &Path) -> Result<Vec<u8>> {
    let mut file = fs.open(path, Open::Read)?;
    let mut bytes = Vec::new();
    Patient::new(&mut *file).read_to_end(&mut bytes).map_err(|cause| Error::new(Operation::Read, path, cause))?;
    Ok(bytes)
}

/// Whether the last record of a file is whole: the file is empty or ends in a newline.
///
/// Where it is not, the next record must begin with a newline of its own.
///
/// # Errors
/// When the file cannot be read.
pub fn ends_in_newline(file: &dyn File) -> Result<bool> {
    let Some(last) = file.stat()?.len.checked_sub(1) else {
        return Ok(true);
    };
    let mut byte = [0];
    let read = read_full_at(file, &mut byte, last)?;
    Ok(read == 0 || byte == *b"\n")
}
