//! [`Replacement`]: a file replaced as a whole, step by step.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use crate::draft::Draft;
use crate::target::parent;
use crate::{
    DirSync, Error, FILE_MODE, FileSystem, Kind, Operation, Patient, Result, Stat, errno, resolve_target, temporary,
};

/// The mode of a file that takes the place of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReplaceMode {
    /// That of the file there is; [`FILE_MODE`] when there is none.
    Keep,
    /// This one.
    Set(u32),
}

/// A new content on its way to take the place of a file: begun, not yet synced.
///
/// The steps are [`begin`](Self::begin), [`write`](Self::write), [`finish`](Self::finish), which
/// gives a [`Prepared`]; [`Prepared::commit`], which gives a [`Committed`]; and
/// [`Committed::sync_dir`]. A caller puts between them what must be durable before or after; one
/// with nothing to put there calls [`replace`](crate::replace). Until `commit` the old content
/// stands; dropping the value before removes the temporary file.
///
/// ```
/// use convlog_fs::{FileSystem, ReplaceMode, Replacement, hard_link_or_copy, read_all, replace};
/// use convlog_fs::sim::SimFs;
/// use std::path::Path;
///
/// let (fs, log) = (SimFs::new(), Path::new("/log"));
/// replace(&fs, log, ReplaceMode::Keep, |out| out.write_all(b"old\n")).unwrap();
///
/// let mut new = Replacement::begin(&fs, log, ReplaceMode::Keep)?;
/// new.write(|out| out.write_all(b"new\n"))?;
/// let prepared = new.finish()?;
/// hard_link_or_copy(&fs, log, Path::new("/backup"))?;
/// let replaced = prepared.commit()?.sync_dir()?;
/// assert_eq!(replaced.stat.len, 4);
/// assert_eq!(read_all(&fs, log)?, b"new\n");
/// assert_eq!(read_all(&fs, Path::new("/backup"))?, b"old\n");
/// # Ok::<(), convlog_fs::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "the old content stands until the replacement is committed"]
pub struct Replacement<'fs> {
    draft: Draft<'fs>,
}

/// A new content that is synced under a temporary name: commit it, or drop it.
#[derive(Debug)]
#[must_use = "the old content stands until the replacement is committed"]
pub struct Prepared<'fs> {
    draft: Draft<'fs>,
}

/// A new content under the final name: sync the directory, for a power loss may bring the old
/// one back until then.
#[derive(Debug)]
#[must_use = "a power loss may bring the old content back until the directory is synced"]
pub struct Committed<'fs> {
    draft: Draft<'fs>,
}

/// What took the place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// The path of the new file, symbolic links resolved.
    pub target: PathBuf,
    /// The new file as it stands under that name.
    pub stat: Stat,
    /// Whether its name survives power loss.
    pub dir_sync: DirSync,
}

impl<'fs> Replacement<'fs> {
    /// Creates the temporary file, in the directory of the target.
    ///
    /// Symbolic links are followed: what they point to is replaced, or made where they point
    /// nowhere.
    ///
    /// # Errors
    /// When the target is no regular file, or no file can be made in its directory.
    pub fn begin(fs: &'fs dyn FileSystem, target: &Path, mode: ReplaceMode) -> Result<Self> {
        let target = resolve_target(fs, target)?;
        let existing = match fs.lstat(&target) {
            Ok(stat) if stat.kind == Kind::File => Some(stat.mode),
            Ok(stat) => return Err(not_a_file(&target, stat.kind)),
            Err(error) if error.is_not_found() => None,
            Err(error) => return Err(error),
        };
        let mode = match mode {
            ReplaceMode::Keep => existing.unwrap_or(FILE_MODE),
            ReplaceMode::Set(mode) => mode,
        };
        Self::at(fs, target, mode)
    }

    /// Creates the temporary file for a target that is resolved already.
    pub(crate) fn at(fs: &'fs dyn FileSystem, target: PathBuf, mode: u32) -> Result<Self> {
        let (temporary, file) = temporary::create(fs, parent(&target), mode)?;
        let draft = Draft { fs, target, temporary, file, gone: false };
        Ok(Self { draft })
    }

    /// Writes a part of the new content; may be called again for the next.
    ///
    /// The writer has no buffer; wrap it in a [`BufWriter`](io::BufWriter) for many small parts,
    /// and flush that.
    ///
    /// # Errors
    /// When `write` fails. Drop the replacement then.
    pub fn write(&mut self, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
        write(&mut Patient::new(&mut *self.draft.file))
            .map_err(|cause| Error::new(Operation::Write, &self.draft.temporary, cause))
    }

    /// Syncs the new content: data, mode, length.
    ///
    /// # Errors
    /// When the device fails; the old content stands.
    pub fn finish(mut self) -> Result<Prepared<'fs>> {
        self.draft.file.sync_all()?;
        Ok(Prepared { draft: self.draft })
    }

    /// The file to be replaced, symbolic links resolved.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.draft.target
    }
}

impl<'fs> Prepared<'fs> {
    /// Renames the new file over the target: from now on every reader sees the new content.
    ///
    /// # Errors
    /// When the temporary file is no longer ours or the rename fails; the old content stands.
    pub fn commit(mut self) -> Result<Committed<'fs>> {
        let Draft { fs, target, temporary, file, gone } = &mut self.draft;
        if fs.lstat(temporary)?.id != file.stat()?.id {
            *gone = true;
            let cause = io::Error::other("another process put a file of its own in this place");
            return Err(Error::new(Operation::Rename, &*temporary, cause));
        }
        fs.rename(temporary, target)?;
        *gone = true;
        Ok(Committed { draft: self.draft })
    }

    /// Gives the new file its name only if nothing bears that name, and never otherwise.
    ///
    /// By a hard link; where the file system has none, by looking first and renaming then.
    ///
    /// # Errors
    /// With [`AlreadyExists`](io::ErrorKind::AlreadyExists) when the name is taken.
    pub fn commit_new(mut self) -> Result<Committed<'fs>> {
        let Draft { fs, target, temporary, gone, .. } = &mut self.draft;
        match fs.hard_link(temporary, target) {
            Ok(()) => {
                // Where the second name cannot be removed, it is tried once more on drop.
                *gone = fs.remove_file(temporary).is_ok();
                Ok(Committed { draft: self.draft })
            }
            Err(error) if errno::cannot_link(&error.cause) => match fs.lstat(target) {
                Ok(_) => Err(Error::between(Operation::Rename, temporary, target, Errno::EXIST.into())),
                Err(error) if error.is_not_found() => self.commit(),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        }
    }

    /// The new file as it is before it gets its name; a rename changes the ctime.
    ///
    /// # Errors
    /// When the kernel does not say.
    pub fn stat(&self) -> Result<Stat> {
        self.draft.file.stat()
    }

    /// The file to be replaced, symbolic links resolved.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.draft.target
    }
}

impl Committed<'_> {
    /// Makes the new name durable: from now on a power loss leaves the new content.
    ///
    /// # Errors
    /// When the device fails. The new content stands; the name may not survive power loss.
    pub fn sync_dir(&self) -> Result<Replaced> {
        let dir_sync = self.draft.fs.sync_dir(parent(&self.draft.target))?;
        Ok(Replaced { target: self.draft.target.clone(), stat: self.stat()?, dir_sync })
    }

    /// The file that has the new content, symbolic links resolved.
    #[must_use]
    pub fn target(&self) -> &Path {
        &self.draft.target
    }

    /// The new file as it is under its name.
    ///
    /// # Errors
    /// When the kernel does not say.
    pub fn stat(&self) -> Result<Stat> {
        self.draft.file.stat()
    }
}

fn not_a_file(path: &Path, kind: Kind) -> Error {
    let errno = if kind == Kind::Dir { Errno::ISDIR } else { Errno::INVAL };
    Error::new(Operation::Write, path, errno.into())
}
