//! [`Error`]: what failed, on which path, and why.

use std::io;
use std::path::{Path, PathBuf};

use crate::Operation;

/// The result of a file operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A file operation that failed.
///
/// `Display` is one sentence with the operation, the path, the cause and, where there is one, a
/// remedy. As the cause is in that sentence, `source()` gives nothing: a report that walks the
/// chain would say it twice. The errors that wrap this one do it the other way round: they leave
/// it to the chain.
///
/// ```
/// use convlog_fs::{FileSystem, Open, Operation, sim::SimFs};
/// use std::path::Path;
///
/// let error = SimFs::new().open(Path::new("/none"), Open::Read).unwrap_err();
/// assert_eq!(error.operation, Operation::Open);
/// assert!(error.is_not_found());
/// assert!(error.to_string().starts_with("cannot open /none: "));
/// ```
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} {}{}: {cause}{}", .path.display(), second(.to.as_deref()), remedy(.cause.kind()))]
pub struct Error {
    /// What was being done.
    pub operation: Operation,
    /// The path it was done to; of a rename or a link, the first of the two.
    pub path: PathBuf,
    /// The new name in a rename, the new link in a link.
    pub to: Option<PathBuf>,
    /// What the operating system said.
    pub cause: io::Error,
}

impl Error {
    /// An error of an operation on one path.
    ///
    /// For errors from [`Read`](io::Read), [`Write`](io::Write) and [`Seek`](io::Seek) on a
    /// [`File`](crate::File), which do not know their path.
    pub fn new(operation: Operation, path: impl Into<PathBuf>, cause: io::Error) -> Self {
        Self { operation, path: path.into(), to: None, cause }
    }

    /// An error of an operation on two paths.
    pub(crate) fn between(operation: Operation, path: &Path, to: &Path, cause: io::Error) -> Self {
        Self { operation, path: path.to_path_buf(), to: Some(to.to_path_buf()), cause }
    }

    /// What kind of failure the operating system reported.
    #[must_use]
    pub fn kind(&self) -> io::ErrorKind {
        self.cause.kind()
    }

    /// The number the operating system gave, such as `ENOSPC`.
    #[must_use]
    pub fn raw_os_error(&self) -> Option<i32> {
        self.cause.raw_os_error()
    }

    /// Whether the path, or a directory on the way to it, does not exist.
    #[must_use]
    pub fn is_not_found(&self) -> bool {
        self.kind() == io::ErrorKind::NotFound
    }

    /// Whether the name is taken.
    #[must_use]
    pub fn is_already_exists(&self) -> bool {
        self.kind() == io::ErrorKind::AlreadyExists
    }
}

fn second(to: Option<&Path>) -> String {
    to.map(|to| format!(" to {}", to.display())).unwrap_or_default()
}

fn remedy(kind: io::ErrorKind) -> &'static str {
    match kind {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "; free some space and try again",
        io::ErrorKind::PermissionDenied => "; check the owner and the mode of the file and of its directory",
        io::ErrorKind::ReadOnlyFilesystem => "; mount the file system for writing",
        io::ErrorKind::FileTooLarge => "; raise the limit on the size of files",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_both_paths_and_the_remedy() {
        let full = io::Error::from(io::ErrorKind::StorageFull);
        let error = Error::between(Operation::Rename, Path::new("/a"), Path::new("/b"), full);
        assert_eq!(error.to_string(), "cannot rename /a to /b: no storage space; free some space and try again");
    }
}
