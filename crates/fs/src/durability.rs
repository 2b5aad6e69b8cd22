//! [`Durability`], the two levels of safety, and [`DirSync`], what came of syncing a directory.

use std::io;

use crate::errno;

/// What a change survives once it is acknowledged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Durability {
    /// The kernel has the change.
    ///
    /// It survives the death of the process, by a panic, by `SIGKILL`, by the out-of-memory
    /// killer. Power loss or a crash of the kernel may undo it, in part and out of order.
    Written,
    /// The change is on stable storage, as far as the device tells the truth about flushing.
    ///
    /// It survives power loss too.
    Synced,
}

/// What came of asking for the entries of a directory to be synced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "an unsupported directory sync deserves a warning"]
pub enum DirSync {
    /// The names in the directory survive power loss.
    Synced,
    /// The file system cannot sync directories (`EINVAL`, `ENOSYS` or `ENOTSUP`).
    ///
    /// Nothing more can be done; the user should be warned, once a directory.
    Unsupported,
}

impl DirSync {
    /// Sorts the outcome of the system call: not being able to is no failure, failing is.
    pub(crate) fn from_outcome(outcome: io::Result<()>) -> io::Result<Self> {
        match outcome {
            Ok(()) => Ok(Self::Synced),
            Err(error) if errno::cannot_sync_dir(&error) => Ok(Self::Unsupported),
            Err(error) => Err(error),
        }
    }

    /// The weaker of two outcomes.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Synced, Self::Synced) => Self::Synced,
            _ => Self::Unsupported,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn only_missing_support_is_tolerated() {
        for errno in [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP] {
            let outcome = DirSync::from_outcome(Err(errno.into()));
            assert_eq!(outcome.unwrap(), DirSync::Unsupported);
        }
        for errno in [Errno::IO, Errno::NOSPC, Errno::ACCESS, Errno::BADF] {
            assert!(DirSync::from_outcome(Err(errno.into())).is_err());
        }
    }
}
