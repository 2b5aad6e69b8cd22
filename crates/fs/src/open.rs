//! [`Open`]: the ways to open a file.

/// How a file is to be opened.
///
/// Symbolic links are followed, except by `CreateNew`. Every way allows reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Open {
    /// Reading a file that exists.
    Read,
    /// Reading, and writing at the end, wherever the position is.
    Append(Missing),
    /// Reading, and writing at the position; nothing is cut.
    ReadWrite(Missing),
    /// Reading and writing a file that did not exist; fails when the name is taken, be it by a
    /// symbolic link that points nowhere.
    CreateNew {
        /// The permission bits of the new file, whatever the umask.
        mode: u32,
    },
}

/// What to do when the file to open does not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Missing {
    /// Fail with [`NotFound`](std::io::ErrorKind::NotFound).
    Fail,
    /// Create it with mode [`FILE_MODE`], whatever the umask.
    Create,
}

impl Open {
    /// `CreateNew` with the mode [`FILE_MODE`].
    pub const CREATE_NEW: Self = Self::CreateNew { mode: FILE_MODE };
}

/// The mode of new files: for their owner alone.
pub const FILE_MODE: u32 = 0o600;

/// The mode of new directories: for their owner alone.
pub const DIR_MODE: u32 = 0o700;
