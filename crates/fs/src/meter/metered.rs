//! [`Metered`]: a file system that counts what it is asked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::counts::{Counter, Counts};
use super::metered_file::MeteredFile;
use crate::{DirEntry, DirSync, File, FileSystem, Open, Operation, Result, Stat};

/// A file system that counts the calls and bytes that go to another.
///
/// For statements about cost that hold on every machine: "an append reads nothing".
///
/// ```
/// use convlog_fs::{FileSystem, Metered, Missing, Open, Operation, append_whole, sim::SimFs};
/// use std::path::Path;
///
/// let fs = Metered::new(SimFs::new());
/// let mut log = fs.open(Path::new("/log"), Open::Append(Missing::Create))?;
/// let before = fs.snapshot();
/// append_whole(&mut *log, b"record\n").unwrap();
/// let cost = fs.snapshot().since(&before);
/// assert_eq!((cost.bytes_read(), cost.bytes_written(), cost.syncs()), (0, 7, 0));
/// assert_eq!(cost.calls(Operation::Write), 1);
/// # Ok::<(), convlog_fs::Error>(())
/// ```
#[derive(Debug)]
pub struct Metered<F> {
    inner: F,
    counter: Arc<Counter>,
}

impl<F: FileSystem> Metered<F> {
    /// Counts from zero what goes to `inner` through this value and the files it opens.
    pub fn new(inner: F) -> Self {
        Self { inner, counter: Arc::default() }
    }

    /// The counts until now.
    #[must_use]
    pub fn snapshot(&self) -> Counts {
        self.counter.snapshot()
    }

    /// The file system that does the work.
    pub fn inner(&self) -> &F {
        &self.inner
    }

    fn count(&self, operation: Operation) -> &F {
        self.counter.call(operation);
        &self.inner
    }
}

impl<F: FileSystem> FileSystem for Metered<F> {
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
        let file = self.count(Operation::Open).open(path, how)?;
        Ok(Box::new(MeteredFile::new(file, Arc::clone(&self.counter))))
    }

    fn stat(&self, path: &Path) -> Result<Stat> {
        self.count(Operation::Stat).stat(path)
    }

    fn lstat(&self, path: &Path) -> Result<Stat> {
        self.count(Operation::Stat).lstat(path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.count(Operation::Resolve).resolve(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf> {
        self.count(Operation::ReadLink).read_link(path)
    }

    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
        self.count(Operation::List).list(dir)
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.count(Operation::CreateDir).create_dir(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.count(Operation::Rename).rename(from, to)
    }

    fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
        self.count(Operation::HardLink).hard_link(original, link)
    }

    fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        self.count(Operation::Symlink).symlink(target, link)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.count(Operation::RemoveFile).remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> Result<()> {
        self.count(Operation::RemoveDir).remove_dir(path)
    }

    fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
        self.count(Operation::SetMode).set_mode(path, mode)
    }

    fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
        self.count(Operation::SyncDir).sync_dir(dir)
    }
}
