//! [`RealFs`]: the file system of the machine.

use std::fs::{self, DirBuilder, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;

use super::real_file::{RealFile, kind_of, stat_of};
use crate::{
    DIR_MODE, DirEntry, DirSync, Error, FILE_MODE, File, FileSystem, Missing, Open, Operation, Result, Stat, errno,
    resolve_target,
};

/// The file system of the machine.
///
/// Modes of new files and directories are exact, whatever the umask; on a file system without
/// modes (FAT) they are what that one makes of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RealFs;

impl FileSystem for RealFs {
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
        let file = match how {
            Open::Read => OpenOptions::new().read(true).open(path),
            Open::CreateNew { mode } => create_new(path, mode),
            Open::Append(Missing::Fail) => appending().open(path),
            Open::ReadWrite(Missing::Fail) => writing().open(path),
            Open::Append(Missing::Create) => self.open_or_create(path, &appending()),
            Open::ReadWrite(Missing::Create) => self.open_or_create(path, &writing()),
        };
        match file {
            Ok(file) => Ok(Box::new(RealFile::new(file, path.to_path_buf()))),
            Err(cause) => Err(Error::new(Operation::Open, path, cause)),
        }
    }

    fn stat(&self, path: &Path) -> Result<Stat> {
        let metadata = fs::metadata(path).map_err(on(Operation::Stat, path))?;
        Ok(stat_of(&metadata))
    }

    fn lstat(&self, path: &Path) -> Result<Stat> {
        let metadata = fs::symlink_metadata(path).map_err(on(Operation::Stat, path))?;
        Ok(stat_of(&metadata))
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        fs::canonicalize(path).map_err(on(Operation::Resolve, path))
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf> {
        fs::read_link(path).map_err(on(Operation::ReadLink, path))
    }

    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
        let entry = |entry: io::Result<fs::DirEntry>| {
            let entry = entry?;
            Ok(DirEntry { name: entry.file_name(), kind: kind_of(entry.file_type()?) })
        };
        let entries = fs::read_dir(dir).and_then(|entries| entries.map(entry).collect());
        let mut entries: Vec<_> = entries.map_err(on(Operation::List, dir))?;
        entries.sort_unstable();
        Ok(entries)
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        let create = || {
            DirBuilder::new().mode(DIR_MODE).create(path)?;
            if fs::metadata(path)?.mode() & DIR_MODE == DIR_MODE {
                return Ok(());
            }
            tolerate_no_modes(fs::set_permissions(path, Permissions::from_mode(DIR_MODE)))
        };
        create().map_err(on(Operation::CreateDir, path))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        fs::rename(from, to).map_err(|cause| Error::between(Operation::Rename, from, to, cause))
    }

    fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
        fs::hard_link(original, link).map_err(|cause| Error::between(Operation::HardLink, original, link, cause))
    }

    fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        std::os::unix::fs::symlink(target, link)
            .map_err(|cause| Error::between(Operation::Symlink, link, target, cause))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        fs::remove_file(path).map_err(on(Operation::RemoveFile, path))
    }

    fn remove_dir(&self, path: &Path) -> Result<()> {
        fs::remove_dir(path).map_err(on(Operation::RemoveDir, path))
    }

    fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
        fs::set_permissions(path, Permissions::from_mode(mode)).map_err(on(Operation::SetMode, path))
    }

    fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
        let sync = || {
            let directory =
                OpenOptions::new().read(true).custom_flags(OFlags::DIRECTORY.bits().cast_signed()).open(dir)?;
            DirSync::from_outcome(directory.sync_all())
        };
        sync().map_err(on(Operation::SyncDir, dir))
    }
}

impl RealFs {
    /// Opens a file, or creates it with exactly [`FILE_MODE`].
    ///
    /// Only a file that this call made may have its mode set, hence two ways in place of one
    /// `O_CREAT`; they are tried in turn while others make and remove the file.
    fn open_or_create(self, path: &Path, options: &OpenOptions) -> io::Result<fs::File> {
        const ATTEMPTS: u32 = 16;

        let mut attempt = 0_u32;
        loop {
            attempt = attempt.saturating_add(1);
            match options.open(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                outcome => return outcome,
            }
            let target = resolve_target(&self, path).map_err(|error| error.cause)?;
            match create_new_as(&target, FILE_MODE, options) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < ATTEMPTS => {}
                outcome => return outcome,
            }
        }
    }
}

fn on(operation: Operation, path: &Path) -> impl FnOnce(io::Error) -> Error {
    move |cause| Error::new(operation, path, cause)
}

fn appending() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).append(true);
    options
}

fn writing() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}

fn create_new(path: &Path, mode: u32) -> io::Result<fs::File> {
    create_new_as(path, mode, &writing())
}

fn create_new_as(path: &Path, mode: u32, options: &OpenOptions) -> io::Result<fs::File> {
    let file = options.clone().create_new(true).mode(mode).open(path)?;
    if file.metadata()?.mode() & 0o7777 != mode {
        tolerate_no_modes(file.set_permissions(Permissions::from_mode(mode)))?;
    }
    Ok(file)
}

/// A file system without modes is no reason to fail: asking for fewer bits went before.
fn tolerate_no_modes(outcome: io::Result<()>) -> io::Result<()> {
    match outcome {
        Err(error) if errno::has_no_modes(&error) => Ok(()),
        outcome => outcome,
    }
}
