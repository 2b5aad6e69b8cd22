//! [`FileSystem`]: the operations on names.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{DirEntry, DirSync, File, Open, Result, Stat};

/// The file operations that convlog needs, real or simulated.
///
/// Object safe: hold it as `Arc<dyn FileSystem>`. Every error names its path. A change is
/// [`Durability::Written`](crate::Durability::Written) when the call returns.
///
/// ```
/// use convlog_fs::{FileSystem, Missing, Open, sim::SimFs};
/// use std::{io::Write, path::Path, sync::Arc};
///
/// let fs: Arc<dyn FileSystem> = Arc::new(SimFs::new());
/// fs.create_dir(Path::new("/logs"))?;
/// let mut file = fs.open(Path::new("/logs/a"), Open::Append(Missing::Create))?;
/// file.write(b"hello\n").unwrap();
/// assert_eq!(fs.stat(Path::new("/logs/a"))?.len, 6);
/// assert_eq!(fs.stat(Path::new("/logs/a"))?.mode, 0o600);
/// # Ok::<(), convlog_fs::Error>(())
/// ```
pub trait FileSystem: Send + Sync + fmt::Debug {
    /// Opens a file, creating it where `how` says so.
    ///
    /// # Errors
    /// When the file is missing and not to be created, exists and should not, or is a directory
    /// and not opened by [`Open::Read`].
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>>;

    /// What the file system knows of the file, symbolic links followed.
    ///
    /// # Errors
    /// When there is no such file.
    fn stat(&self, path: &Path) -> Result<Stat>;

    /// What the file system knows of the name, a symbolic link not followed.
    ///
    /// # Errors
    /// When there is no such name.
    fn lstat(&self, path: &Path) -> Result<Stat>;

    /// The absolute path of a file that exists, without symbolic links, `.` and `..`.
    ///
    /// # Errors
    /// When there is no such file. For a file that is yet to be made see
    /// [`resolve_target`](crate::resolve_target).
    fn resolve(&self, path: &Path) -> Result<PathBuf>;

    /// Where a symbolic link points, as it is written there.
    ///
    /// # Errors
    /// When the name is no symbolic link.
    fn read_link(&self, path: &Path) -> Result<PathBuf>;

    /// The names in a directory, sorted by their bytes.
    ///
    /// # Errors
    /// When the path is no directory.
    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>>;

    /// Creates one directory with mode [`DIR_MODE`](crate::DIR_MODE), whatever the umask.
    ///
    /// # Errors
    /// When the name is taken or its parent is missing.
    fn create_dir(&self, path: &Path) -> Result<()>;

    /// Gives a file or directory another name, in place of what bore it.
    ///
    /// Whoever looks sees the old state or the new one. Symbolic links at the end of either path
    /// are not followed.
    ///
    /// # Errors
    /// When `from` is missing, the two are on different file systems, or a directory would take
    /// the place of a file or of a directory that is not empty.
    fn rename(&self, from: &Path, to: &Path) -> Result<()>;

    /// Gives a file a second name. A symbolic link is not followed.
    ///
    /// # Errors
    /// When `link` is taken, or the file system cannot; see
    /// [`hard_link_or_copy`](crate::hard_link_or_copy).
    fn hard_link(&self, original: &Path, link: &Path) -> Result<()>;

    /// Makes a symbolic link that points to `target`, whether that exists or not.
    ///
    /// # Errors
    /// When `link` is taken.
    fn symlink(&self, target: &Path, link: &Path) -> Result<()>;

    /// Removes the name of a file or of a symbolic link.
    ///
    /// # Errors
    /// When there is no such name, or it is a directory's.
    fn remove_file(&self, path: &Path) -> Result<()>;

    /// Removes an empty directory.
    ///
    /// # Errors
    /// When it is missing, not empty, or no directory.
    fn remove_dir(&self, path: &Path) -> Result<()>;

    /// Sets the permission bits, symbolic links followed.
    ///
    /// # Errors
    /// When there is no such file, or it belongs to someone else.
    fn set_mode(&self, path: &Path, mode: u32) -> Result<()>;

    /// Makes the names in a directory durable. Not the data of the files that bear them.
    ///
    /// # Errors
    /// When the device fails, or the path is no directory. That the file system cannot sync
    /// directories is an outcome, not an error.
    fn sync_dir(&self, dir: &Path) -> Result<DirSync>;
}

macro_rules! forward {
    ($($pointer:ty),*) => {$(
        impl<T: FileSystem + ?Sized> FileSystem for $pointer {
            fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
                (**self).open(path, how)
            }
            fn stat(&self, path: &Path) -> Result<Stat> {
                (**self).stat(path)
            }
            fn lstat(&self, path: &Path) -> Result<Stat> {
                (**self).lstat(path)
            }
            fn resolve(&self, path: &Path) -> Result<PathBuf> {
                (**self).resolve(path)
            }
            fn read_link(&self, path: &Path) -> Result<PathBuf> {
                (**self).read_link(path)
            }
            fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
                (**self).list(dir)
            }
            fn create_dir(&self, path: &Path) -> Result<()> {
                (**self).create_dir(path)
            }
            fn rename(&self, from: &Path, to: &Path) -> Result<()> {
                (**self).rename(from, to)
            }
            fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
                (**self).hard_link(original, link)
            }
            fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
                (**self).symlink(target, link)
            }
            fn remove_file(&self, path: &Path) -> Result<()> {
                (**self).remove_file(path)
            }
            fn remove_dir(&self, path: &Path) -> Result<()> {
                (**self).remove_dir(path)
            }
            fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
                (**self).set_mode(path, mode)
            }
            fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
                (**self).sync_dir(dir)
            }
        }
    )*};
}

forward!(&T, Box<T>, Arc<T>);
