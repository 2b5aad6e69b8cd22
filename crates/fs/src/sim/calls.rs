//! The calls of the simulated file system: [`FileSystem`] for `SimFs`.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::disk::Disk;
use super::handle::{Access, HandleId};
use super::kernel::{Call, Done, Kernel};
use super::node::{Body, NodeId};
use super::sim_file::SimFile;
use super::sim_fs::SimFs;
use super::walk::Last;
use crate::{DirEntry, DirSync, Error, FILE_MODE, File, FileSystem, Missing, Open, Operation, Result, Stat};

impl FileSystem for SimFs {
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
        let handle = self.ask(Operation::Open, path, |kernel| open(kernel, path, how))?;
        Ok(Box::new(SimFile::new(Arc::clone(&self.shared), handle, path.to_path_buf())))
    }

    fn stat(&self, path: &Path) -> Result<Stat> {
        self.ask(Operation::Stat, path, |kernel| {
            let node = kernel.disk.find(path, Last::Follow)?;
            kernel.disk.stat(node).map(Done::looked)
        })
    }

    fn lstat(&self, path: &Path) -> Result<Stat> {
        self.ask(Operation::Stat, path, |kernel| {
            let node = kernel.disk.find(path, Last::Keep)?;
            kernel.disk.stat(node).map(Done::looked)
        })
    }

    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.ask(Operation::Resolve, path, |kernel| {
            let place = kernel.disk.walk(path, Last::Follow)?;
            place.node.ok_or(Errno::NOENT)?;
            kernel.disk.place_path(&place).map(Done::looked)
        })
    }

    fn read_link(&self, path: &Path) -> Result<PathBuf> {
        self.ask(Operation::ReadLink, path, |kernel| {
            let node = kernel.disk.find(path, Last::Keep)?;
            match &kernel.disk.node(node)?.body {
                Body::Symlink(target) => Ok(Done::looked(target.clone())),
                _ => Err(Errno::INVAL.into()),
            }
        })
    }

    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
        self.ask(Operation::List, dir, |kernel| {
            let node = kernel.disk.find(dir, Last::Follow)?;
            let listed = kernel.disk.node(node)?.dir().ok_or(Errno::NOTDIR)?;
            let entry = |(name, node): (&OsString, &NodeId)| {
                let kind = kernel.disk.node(*node)?.kind();
                Ok(DirEntry { name: name.clone(), kind })
            };
            let entries: io::Result<Vec<_>> = listed.entries.iter().map(entry).collect();
            entries.map(Done::looked)
        })
    }

    fn create_dir(&self, path: &Path) -> Result<()> {
        self.change(Operation::CreateDir, path, |disk| disk.create_dir(path))
    }

    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.ask_between(Operation::Rename, from, to, |disk| disk.rename(from, to))
    }

    fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
        self.ask_between(Operation::HardLink, original, link, |disk| disk.hard_link(original, link))
    }

    fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        self.ask_between(Operation::Symlink, link, target, |disk| disk.symlink(target, link))
    }

    fn remove_file(&self, path: &Path) -> Result<()> {
        self.change(Operation::RemoveFile, path, |disk| disk.remove_file(path))
    }

    fn remove_dir(&self, path: &Path) -> Result<()> {
        self.change(Operation::RemoveDir, path, |disk| disk.remove_dir(path))
    }

    fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
        self.change(Operation::SetMode, path, |disk| {
            let node = disk.find(path, Last::Follow)?;
            disk.set_mode(node, mode)
        })
    }

    fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
        let outcome = self.change(Operation::SyncDir, dir, |disk| {
            let node = disk.find(dir, Last::Follow)?;
            disk.node(node)?.dir().ok_or(Errno::NOTDIR)?;
            disk.sync_dir(node)
        });
        DirSync::from_outcome(outcome.map_err(|error| error.cause))
            .map_err(|cause| Error::new(Operation::SyncDir, dir, cause))
    }
}

impl SimFs {
    /// Asks the kernel for an operation on a path.
    fn ask<T>(
        &self,
        operation: Operation,
        path: &Path,
        act: impl FnOnce(&mut Kernel) -> io::Result<Done<T>>,
    ) -> Result<T> {
        let call = Call { operation, path, to: None };
        let outcome = self.shared.lock().call(call, |kernel, _| act(kernel), |_| ());
        outcome.map_err(|cause| Error::new(operation, path, cause))
    }

    /// Asks the disk for a change between two paths.
    fn ask_between(
        &self,
        operation: Operation,
        path: &Path,
        to: &Path,
        act: impl FnOnce(&mut Disk) -> io::Result<()>,
    ) -> Result<()> {
        let call = Call { operation, path, to: Some(to) };
        let outcome = self.shared.lock().call(
            call,
            |kernel, _| {
                act(&mut kernel.disk)?;
                kernel.tidy();
                Ok(Done::changed(()))
            },
            |_| (),
        );
        outcome.map_err(|cause| Error::between(operation, path, to, cause))
    }

    /// Asks the disk for a change at a path.
    fn change(&self, operation: Operation, path: &Path, act: impl FnOnce(&mut Disk) -> io::Result<()>) -> Result<()> {
        self.ask(operation, path, |kernel| {
            act(&mut kernel.disk)?;
            kernel.tidy();
            Ok(Done::changed(()))
        })
    }
}

fn open(kernel: &mut Kernel, path: &Path, how: Open) -> io::Result<Done<HandleId>> {
    let (may, last) = match how {
        Open::Read => (Access::Read, Last::Follow),
        Open::Append(_) => (Access::Append, Last::Follow),
        Open::ReadWrite(_) => (Access::Write, Last::Follow),
        Open::CreateNew { .. } => (Access::Write, Last::Keep),
    };
    let place = kernel.disk.walk(path, last)?;
    let mode = match how {
        Open::CreateNew { mode } => Some(mode),
        Open::Append(Missing::Create) | Open::ReadWrite(Missing::Create) => Some(FILE_MODE),
        _ => None,
    };
    let (node, created) = match (place.node, mode) {
        (Some(_), _) if last == Last::Keep => return Err(Errno::EXIST.into()),
        (Some(node), _) => (node, false),
        (None, Some(mode)) => (kernel.disk.create_file(&place, mode)?, true),
        (None, None) => return Err(Errno::NOENT.into()),
    };
    if may != Access::Read && kernel.disk.node(node)?.dir().is_some() {
        return Err(Errno::ISDIR.into());
    }
    let handle = kernel.handles.open(node, may);
    Ok(Done { value: handle, bytes: 0, changes: created })
}
