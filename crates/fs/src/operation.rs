//! [`Operation`]: the kinds of call a file system gets, for errors, counts and records.

use std::fmt;

/// A kind of call to a [`FileSystem`](crate::FileSystem) or a [`File`](crate::File).
///
/// Its `Display` is a verb for a sentence: "cannot *open* /a".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Operation {
    /// Opening, and with it creating, a file.
    Open,
    /// Reading, at the position or at an offset.
    Read,
    /// Writing at the position, or at the end for a file opened for appending.
    Write,
    /// Asking for a [`Stat`](crate::Stat), by name or of an open file.
    Stat,
    /// Resolving a path to one without symbolic links.
    Resolve,
    /// Reading where a symbolic link points.
    ReadLink,
    /// Listing a directory.
    List,
    /// Creating a directory.
    CreateDir,
    /// Renaming.
    Rename,
    /// Making a hard link.
    HardLink,
    /// Making a symbolic link.
    Symlink,
    /// Removing a name that is no directory's.
    RemoveFile,
    /// Removing an empty directory.
    RemoveDir,
    /// Changing permission bits, by name or of an open file.
    SetMode,
    /// Changing the length of an open file.
    SetLen,
    /// Syncing data and length.
    SyncData,
    /// Syncing data and metadata.
    SyncAll,
    /// Syncing the entries of a directory.
    SyncDir,
    /// Taking an exclusive lock, waiting or not.
    Lock,
    /// Giving a lock back.
    Unlock,
}

impl Operation {
    /// Every operation, in the order of the enum.
    pub const ALL: [Self; 20] = [
        Self::Open,
        Self::Read,
        Self::Write,
        Self::Stat,
        Self::Resolve,
        Self::ReadLink,
        Self::List,
        Self::CreateDir,
        Self::Rename,
        Self::HardLink,
        Self::Symlink,
        Self::RemoveFile,
        Self::RemoveDir,
        Self::SetMode,
        Self::SetLen,
        Self::SyncData,
        Self::SyncAll,
        Self::SyncDir,
        Self::Lock,
        Self::Unlock,
    ];

    /// Whether this asks for something to become durable.
    #[must_use]
    pub const fn is_sync(self) -> bool {
        matches!(self, Self::SyncData | Self::SyncAll | Self::SyncDir)
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "open",
            Self::Read => "read",
            Self::Write => "write to",
            Self::Stat => "read the metadata of",
            Self::Resolve => "resolve",
            Self::ReadLink => "read the symbolic link",
            Self::List => "list the directory",
            Self::CreateDir => "create the directory",
            Self::Rename => "rename",
            Self::HardLink => "make a hard link from",
            Self::Symlink => "make a symbolic link from",
            Self::RemoveFile => "remove",
            Self::RemoveDir => "remove the directory",
            Self::SetMode => "set the mode of",
            Self::SetLen => "set the length of",
            Self::SyncData | Self::SyncAll => "sync",
            Self::SyncDir => "sync the directory",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Operation;

    #[test]
    fn all_is_in_the_order_of_the_enum() {
        for (position, operation) in Operation::ALL.into_iter().enumerate() {
            assert_eq!(operation as usize, position);
        }
    }
}
