//! [`hard_link_or_copy`]: a second name for a file, durable, or a copy where there are no links.

use std::io::{self, Read, Write};
use std::path::Path;

use crate::target::parent;
use crate::{DirSync, FileSystem, Open, Patient, Result, create_durable, errno, resolve_target};

/// How a file got its second name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "an unsupported directory sync deserves a warning"]
pub struct Linked {
    /// By a link or by a copy.
    pub how: LinkKind,
    /// Whether the name survives power loss.
    pub dir_sync: DirSync,
}

/// Whether two names stand for one file or for two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkKind {
    /// Both names stand for the same file.
    HardLink,
    /// The second name stands for a copy.
    Copy,
}

/// Gives the content of a file a second name that survives power loss.
///
/// The content is synced first, then linked, then the name synced. Where the file system cannot
/// link (`EXDEV`, `EPERM`, `EMLINK`, `ENOTSUP`), the content and the mode are copied. Symbolic
/// links are followed for `original`; `link` must be free.
///
/// # Errors
/// When the name is taken, or something cannot be written or synced. The name may stand then,
/// but only with the whole content.
pub fn hard_link_or_copy(fs: &dyn FileSystem, original: &Path, link: &Path) -> Result<Linked> {
    let original = resolve_target(fs, original)?;
    fs.open(&original, Open::Read)?.sync_all()?;
    match fs.hard_link(&original, link) {
        Ok(()) => Ok(Linked { how: LinkKind::HardLink, dir_sync: fs.sync_dir(parent(link))? }),
        Err(error) if errno::cannot_link(&error.cause) => {
            Ok(Linked { how: LinkKind::Copy, dir_sync: copy_durable(fs, &original, link)? })
        }
        Err(error) => Err(error),
    }
}

/// Copies a file, content and mode, to a new name, durably.
///
/// # Errors
/// With [`AlreadyExists`](io::ErrorKind::AlreadyExists) when the name is taken. The name may
/// stand when the error came late, but only with the whole content.
pub fn copy_durable(fs: &dyn FileSystem, from: &Path, to: &Path) -> Result<DirSync> {
    let mut file = fs.open(from, Open::Read)?;
    let mode = file.stat()?.mode;
    let copied = create_durable(fs, to, mode, |out| pipe(&mut Patient::new(&mut *file), out));
    Ok(copied?.dir_sync)
}

fn pipe(from: &mut dyn Read, to: &mut dyn Write) -> io::Result<()> {
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = from.read(&mut buffer)?;
        match buffer.get(..read) {
            Some(bytes) if read > 0 => to.write_all(bytes)?,
            _ => return Ok(()),
        }
    }
}
