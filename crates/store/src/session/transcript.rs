//! A transcript opened for appending, and how it was left.

use std::path::{Path, PathBuf};

use convlog_fs::{Error, File, FileSystem, Missing, Open, Stat, append_whole, ends_in_newline};

use super::Changed;

/// A transcript opened for appending.
#[derive(Debug)]
pub(crate) struct TranscriptFile {
    path: PathBuf,
    file: Box<dyn File>,
    left: Stat,
    ends_in_newline: bool,
    /// How many bytes were appended since the file was looked at.
    appended: u64,
}

impl TranscriptFile {
    /// Opens a transcript that is there.
    pub(crate) fn open(fs: &dyn FileSystem, path: &Path) -> Result<Self, Error> {
        let file = fs.open(path, Open::Append(Missing::Fail))?;
        let left = file.stat()?;
        let ends_in_newline = left.len == 0 || ends_in_newline(&*file)?;
        Ok(Self { path: path.to_path_buf(), file, left, ends_in_newline, appended: 0 })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file as it was left.
    pub(super) fn left(&self) -> &Stat {
        &self.left
    }

    /// What goes before the next line: a newline where the last one is missing.
    pub(super) fn guard(&self) -> &'static [u8] {
        if self.ends_in_newline { b"" } else { b"\n" }
    }

    /// Compares the file under its name with what was left.
    pub(super) fn check(&self, fs: &dyn FileSystem) -> Result<(), CheckError> {
        let found = match fs.stat(&self.path) {
            Ok(found) => found,
            Err(error) if error.is_not_found() => return Err(self.changed("was removed")),
            Err(error) => return Err(CheckError::Io(error)),
        };
        let left = &self.left;
        if found.id != left.id {
            Err(self.changed("was replaced"))
        } else if found.len != left.len {
            Err(self.changed("has another length"))
        } else if (found.mtime, found.ctime) != (left.mtime, left.ctime) {
            Err(self.changed("was written to"))
        } else {
            Ok(())
        }
    }

    /// Appends whole lines, wholly or not at all, and before them the newline that is missing.
    pub(super) fn append(&mut self, lines: &[u8]) -> Result<(), convlog_fs::AppendError> {
        let guard = self.guard();
        let range = if guard.is_empty() {
            append_whole(&mut *self.file, lines)?
        } else {
            append_whole(&mut *self.file, &[guard, lines].concat())?
        };
        self.appended = range.end.saturating_sub(range.start);
        Ok(())
    }

    /// Takes back what was appended since the file was looked at.
    pub(super) fn cut_back(&mut self) -> Result<(), Error> {
        self.appended = 0;
        self.file.set_len(self.left.len)
    }

    /// Notes how the file is left after an append.
    pub(super) fn look_again(&mut self) -> Result<(), CheckError> {
        let expected = self.left.len.saturating_add(std::mem::take(&mut self.appended));
        self.ends_in_newline = true;
        self.left = self.file.stat().map_err(CheckError::Io)?;
        if self.left.len == expected { Ok(()) } else { Err(self.changed("was written to at the same time")) }
    }

    /// Notes how the file is left by something that this session did to it under its name.
    pub(super) fn accept(&mut self) -> Result<(), Error> {
        self.appended = 0;
        self.left = self.file.stat()?;
        Ok(())
    }

    pub(super) fn sync(&mut self) -> Result<(), Error> {
        self.file.sync_data()
    }

    fn changed(&self, how: &'static str) -> CheckError {
        CheckError::Changed(Changed { path: self.path.clone(), how })
    }
}

/// A file is not as it was left, or could not be looked at.
#[derive(Debug)]
pub(super) enum CheckError {
    Changed(Changed),
    Io(Error),
}
