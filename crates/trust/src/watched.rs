//! [`Watched`]: a file system with a hook before each operation: to kill a session in the middle of its work, to meddle,
//! or to leave something out.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use convlog_fs::{DirEntry, DirSync, Error, File, FileSystem, Locked, Open, Operation, RealFs, Result, Stat};

/// What is called before each operation; an error takes its place.
type Hook = Arc<dyn Fn(Operation, &Path) -> io::Result<Go> + Send + Sync>;

/// What becomes of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// It is done.
    On,
    /// It is not done, and success is reported; only for syncs and renames.
    Without,
}

/// A file system with a hook. Unlocking is not hooked: the kernel does it for the dead.
#[derive(Clone)]
pub struct Watched {
    inner: Arc<dyn FileSystem>,
    hook: Hook,
}

impl Watched {
    /// Calls `hook` before each operation of the real file system.
    pub fn new(hook: impl Fn(Operation, &Path) -> io::Result<()> + Send + Sync + 'static) -> Self {
        Self::over(Arc::new(RealFs), move |operation, path| hook(operation, path).map(|()| Go::On))
    }

    /// Calls `hook` before each operation of another file system.
    pub fn over(
        inner: Arc<dyn FileSystem>,
        hook: impl Fn(Operation, &Path) -> io::Result<Go> + Send + Sync + 'static,
    ) -> Self {
        Self { inner, hook: Arc::new(hook) }
    }

    fn ask(&self, operation: Operation, path: &Path) -> Result<Go> {
        (self.hook)(operation, path).map_err(|cause| Error::new(operation, path, cause))
    }

    fn before(&self, operation: Operation, path: &Path) -> Result<&dyn FileSystem> {
        self.ask(operation, path)?;
        Ok(&*self.inner)
    }
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watched")
    }
}

/// When a process dies: after so many more operations, and from then on nothing it does reaches the disk.
#[derive(Clone, Debug)]
pub struct Death(Arc<AtomicI64>);

impl Death {
    /// A death that does not come until it is set.
    #[must_use]
    pub fn never() -> Self {
        Self(Arc::new(AtomicI64::new(i64::MAX)))
    }

    /// It comes after so many more operations.
    pub fn after(&self, operations: usize) {
        self.0.store(i64::try_from(operations).unwrap(), Ordering::SeqCst);
    }

    /// Whether it has come.
    #[must_use]
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::SeqCst) < 0
    }

    /// The file system of the process.
    #[must_use]
    pub fn file_system(&self) -> Arc<dyn FileSystem> {
        let left = Arc::clone(&self.0);
        Arc::new(Watched::new(move |_, _| {
            let before = left.fetch_sub(1, Ordering::SeqCst);
            if before > 0 { Ok(()) } else { Err(io::Error::other("the process is dead")) }
        }))
    }
}

impl FileSystem for Watched {
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
        let file = self.before(Operation::Open, path)?.open(path, how)?;
        Ok(Box::new(WatchedFile { file, fs: self.clone() }))
    }

    fn stat(&self, path: &Path) -> Result<Stat> {
        self.before(Operation::Stat, path)?.stat(path)
    }

    fn lstat(&self, path: &Path) -> Result<Stat> {
        self.before(Operation::Stat, path)?.lstat(path)
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.before(Operation::Resolve, path)?.resolve(path)
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf> {
        self.before(Operation::ReadLink, path)?.read_link(path)
    }

    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
        self.before(Operation::List, dir)?.list(dir)
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.before(Operation::CreateDir, path)?.create_dir(path)
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        match self.ask(Operation::Rename, from)? {
            Go::On => self.inner.rename(from, to),
            Go::Without => Ok(()),
        }
    }

    fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
        self.before(Operation::HardLink, original)?.hard_link(original, link)
    }

    fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        self.before(Operation::Symlink, link)?.symlink(target, link)
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.before(Operation::RemoveFile, path)?.remove_file(path)
    }

    fn remove_dir(&self, path: &Path) -> Result<()> {
        self.before(Operation::RemoveDir, path)?.remove_dir(path)
    }

    fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
        self.before(Operation::SetMode, path)?.set_mode(path, mode)
    }

    fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
        match self.ask(Operation::SyncDir, dir)? {
            Go::On => self.inner.sync_dir(dir),
            Go::Without => Ok(DirSync::Synced),
        }
    }
}

#[derive(Debug)]
struct WatchedFile {
    file: Box<dyn File>,
    fs: Watched,
}

impl WatchedFile {
    fn before(&self, operation: Operation) -> Result<()> {
        self.fs.before(operation, self.file.path()).map(drop)
    }
}

impl Read for WatchedFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (self.fs.hook)(Operation::Read, self.file.path())?;
        self.file.read(buffer)
    }
}

impl Write for WatchedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        (self.fs.hook)(Operation::Write, self.file.path())?;
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for WatchedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

impl File for WatchedFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.before(Operation::Read)?;
        self.file.read_at(buffer, offset)
    }

    fn stat(&self) -> Result<Stat> {
        self.before(Operation::Stat)?;
        self.file.stat()
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        self.before(Operation::SetLen)?;
        self.file.set_len(len)
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.before(Operation::SetMode)?;
        self.file.set_mode(mode)
    }

    fn sync_data(&mut self) -> Result<()> {
        match self.fs.ask(Operation::SyncData, self.file.path())? {
            Go::On => self.file.sync_data(),
            Go::Without => Ok(()),
        }
    }

    fn sync_all(&mut self) -> Result<()> {
        match self.fs.ask(Operation::SyncAll, self.file.path())? {
            Go::On => self.file.sync_all(),
            Go::Without => Ok(()),
        }
    }

    fn try_lock(&self) -> Result<Locked> {
        self.before(Operation::Lock)?;
        self.file.try_lock()
    }

    fn lock(&self) -> Result<()> {
        self.before(Operation::Lock)?;
        self.file.lock()
    }

    fn unlock(&self) -> Result<()> {
        self.file.unlock()
    }

    fn path(&self) -> &Path {
        self.file.path()
    }
}
