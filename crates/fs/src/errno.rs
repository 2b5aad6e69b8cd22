//! What error numbers mean to convlog: where a file system lacks something, and does not fail.

use std::io;

use rustix::io::Errno;

/// Directories cannot be synced here.
pub(crate) fn cannot_sync_dir(error: &io::Error) -> bool {
    is_one_of(error, &[Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP])
}

/// A hard link cannot be made here: other file system, no links, too many, or not for this user.
pub(crate) fn cannot_link(error: &io::Error) -> bool {
    is_one_of(error, &[Errno::XDEV, Errno::PERM, Errno::MLINK, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP])
}

/// Files have no permission bits here.
pub(crate) fn has_no_modes(error: &io::Error) -> bool {
    is_one_of(error, &[Errno::PERM, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP])
}

// Not a pattern: some of these are one number on Linux and two elsewhere.
fn is_one_of(error: &io::Error, errnos: &[Errno]) -> bool {
    Errno::from_io_error(error).is_some_and(|errno| errnos.contains(&errno))
}
