//! `RealFile`: an open file of the machine, and its metadata in this crate's words.

use std::fs::{self, FileType, Metadata, Permissions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::mem;
use std::os::unix::fs::{FileExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use fd_lock::RwLock;

use crate::{Error, File, FileId, FileTime, Kind, Locked, Operation, Result, Stat};

/// An open file of the machine.
#[derive(Debug)]
pub(super) struct RealFile {
    file: fs::File,
    path: PathBuf,
}

impl RealFile {
    pub(super) fn new(file: fs::File, path: PathBuf) -> Self {
        Self { file, path }
    }

    fn on(&self, operation: Operation) -> impl FnOnce(io::Error) -> Error {
        let path = &self.path;
        move |cause| Error::new(operation, path, cause)
    }
}

impl File for RealFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        FileExt::read_at(&self.file, buffer, offset).map_err(self.on(Operation::Read))
    }

    fn stat(&self) -> Result<Stat> {
        let metadata = self.file.metadata().map_err(self.on(Operation::Stat))?;
        Ok(stat_of(&metadata))
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        self.file.set_len(len).map_err(self.on(Operation::SetLen))
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.file.set_permissions(Permissions::from_mode(mode)).map_err(self.on(Operation::SetMode))
    }

    fn sync_data(&mut self) -> Result<()> {
        self.file.sync_data().map_err(self.on(Operation::SyncData))
    }

    fn sync_all(&mut self) -> Result<()> {
        self.file.sync_all().map_err(self.on(Operation::SyncAll))
    }

    // `fd_lock` is `flock` on Unix by contract; the standard library's `File::lock` says only
    // that it is so today. The guard borrows its lock and would end it, so it is forgotten: the
    // kernel ends the lock when the file is closed.
    fn try_lock(&self) -> Result<Locked> {
        match RwLock::new(&self.file).try_write() {
            Ok(guard) => {
                mem::forget(guard);
                Ok(Locked::Acquired)
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(Locked::Held),
            Err(error) => Err(self.on(Operation::Lock)(error)),
        }
    }

    fn lock(&self) -> Result<()> {
        loop {
            match RwLock::new(&self.file).write() {
                Ok(guard) => {
                    mem::forget(guard);
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.on(Operation::Lock)(error)),
            }
        }
    }

    // Taking a lock that is held through the same open file changes nothing, and gives the guard
    // whose drop ends it.
    fn unlock(&self) -> Result<()> {
        match RwLock::new(&self.file).try_write() {
            Ok(guard) => {
                drop(guard);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(()),
            Err(error) => Err(self.on(Operation::Unlock)(error)),
        }
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

impl Read for RealFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.file.read(buffer)
    }
}

impl Write for RealFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for RealFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
    }
}

pub(super) fn stat_of(metadata: &Metadata) -> Stat {
    Stat {
        id: FileId { dev: metadata.dev(), ino: metadata.ino(), birth: metadata.created().ok().map(FileTime::from) },
        kind: kind_of(metadata.file_type()),
        len: metadata.len(),
        mode: metadata.mode() & 0o7777,
        links: metadata.nlink(),
        mtime: time(metadata.mtime(), metadata.mtime_nsec()),
        ctime: time(metadata.ctime(), metadata.ctime_nsec()),
    }
}

pub(super) fn kind_of(kind: FileType) -> Kind {
    if kind.is_file() {
        Kind::File
    } else if kind.is_dir() {
        Kind::Dir
    } else if kind.is_symlink() {
        Kind::Symlink
    } else {
        Kind::Other
    }
}

fn time(secs: i64, nanos: i64) -> FileTime {
    FileTime { secs, nanos: u32::try_from(nanos).unwrap_or(0) }
}
