//! Lines that cannot be read, kept when the file that held them is rewritten.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use convlog_fs::{Error, FileSystem, Missing, Open, Operation, append_whole, ends_in_newline, read_full_at};

/// Where the unreadable lines of a transcript are kept: `<file>.quarantine` beside it.
pub(crate) fn path(transcript: &Path) -> PathBuf {
    let mut name = transcript.file_name().map(OsString::from).unwrap_or_default();
    name.push(".quarantine");
    transcript.with_file_name(name)
}

/// Saves these ranges of a transcript, each as a line, durably. What is saved already is not saved again:
/// a recovery that was cut short begins anew.
pub(crate) fn save(fs: &dyn FileSystem, transcript: &Path, ranges: &[Range<u64>]) -> Result<(), Error> {
    if ranges.is_empty() {
        return Ok(());
    }
    let file = fs.open(transcript, Open::Read)?;
    let mut pieces = Vec::with_capacity(ranges.len());
    for range in ranges {
        let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let mut piece = vec![0; length];
        let read = read_full_at(&*file, &mut piece, range.start)?;
        piece.truncate(read);
        pieces.push(piece);
    }
    save_pieces(fs, transcript, &pieces)
}

/// The same for bytes that are in memory.
pub(crate) fn save_pieces(fs: &dyn FileSystem, transcript: &Path, pieces: &[impl AsRef<[u8]>]) -> Result<(), Error> {
    let path = path(transcript);
    let saved = match convlog_fs::read_all(fs, &path) {
        Ok(saved) => saved,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let is_saved = |piece: &[u8]| saved.split(|byte| *byte == b'\n').any(|line| line == piece);
    let mut lines = Vec::new();
    for piece in pieces.iter().map(AsRef::as_ref).filter(|piece| !is_saved(piece)) {
        lines.extend_from_slice(piece);
        lines.push(b'\n');
    }
    if pieces.is_empty() {
        return Ok(());
    }
    let mut file = fs.open(&path, Open::Append(Missing::Create))?;
    if !lines.is_empty() && !saved.is_empty() && !ends_in_newline(&*file)? {
        lines.insert(0, b'\n');
    }
    append_whole(&mut *file, &lines)
        .map_err(|error| Error::new(Operation::Write, &path, error.cause().kind().into()))?;
    // Also when all is there already: a recovery that was killed may have written it, and not yet durably.
    file.sync_all()?;
    let directory = path.parent().unwrap_or_else(|| Path::new("."));
    fs.sync_dir(directory).map(drop)
}
