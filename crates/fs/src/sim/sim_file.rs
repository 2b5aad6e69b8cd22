//! `SimFile`: an open file of the simulated file system.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use rustix::io::Errno;

use super::disk::Disk;
use super::fault::Short;
use super::handle::{Access, HandleId};
use super::kernel::{Call, Done, Halted, Kernel};
use super::node::{Body, NodeId};
use super::sim_fs::Shared;
use crate::{Error, File, Locked, Operation, Result, Stat};

/// The longest file the simulation holds in memory.
const MAX_LEN: u64 = 1 << 31;

/// An open file of the simulated file system.
pub(super) struct SimFile {
    shared: Arc<Shared>,
    handle: HandleId,
    path: PathBuf,
}

impl SimFile {
    pub(super) fn new(shared: Arc<Shared>, handle: HandleId, path: PathBuf) -> Self {
        Self { shared, handle, path }
    }

    fn call(&self, operation: Operation) -> Call<'_> {
        Call { operation, path: &self.path, to: None }
    }

    /// Asks the kernel for an operation on the inode that is open.
    fn ask<T>(
        &self,
        operation: Operation,
        act: impl FnOnce(&mut Kernel, NodeId, Option<Short>) -> io::Result<Done<T>>,
    ) -> io::Result<T> {
        let act = |kernel: &mut Kernel, short| {
            let node = kernel.handles.get(self.handle)?.node;
            act(kernel, node, short)
        };
        self.shared.lock().call(self.call(operation), act, |_| ())
    }

    fn on(&self, operation: Operation) -> impl FnOnce(io::Error) -> Error {
        let path = &self.path;
        move |cause| Error::new(operation, path, cause)
    }

    fn sync(&self, operation: Operation, all: bool) -> Result<()> {
        let act = |kernel: &mut Kernel, _| {
            let node = kernel.handles.get(self.handle)?.node;
            kernel.disk.sync_file(node, all)?;
            Ok(Done::changed(()))
        };
        let struck = |kernel: &mut Kernel| {
            if let Ok(handle) = kernel.handles.get(self.handle) {
                let node = handle.node;
                kernel.disk.fail_sync(node);
            }
        };
        let outcome = self.shared.lock().call(self.call(operation), act, struck);
        outcome.map_err(self.on(operation))
    }
}

impl File for SimFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.ask(Operation::Read, |kernel, node, short| read(&kernel.disk, node, buffer, offset, short))
            .map_err(self.on(Operation::Read))
    }

    fn stat(&self) -> Result<Stat> {
        self.ask(Operation::Stat, |kernel, node, _| kernel.disk.stat(node).map(Done::looked))
            .map_err(self.on(Operation::Stat))
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        self.ask(Operation::SetLen, |kernel, node, _| {
            if kernel.handles.get(self.handle)?.may == Access::Read {
                return Err(Errno::INVAL.into());
            }
            let len = position(len)?;
            let now = kernel.disk.tick();
            let node = kernel.disk.node_mut(node)?;
            node.meta.mtime = now;
            node.meta.ctime = now;
            if let Body::File(content) = &mut node.body {
                content.set_len(len);
            }
            Ok(Done::changed(()))
        })
        .map_err(self.on(Operation::SetLen))
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.ask(Operation::SetMode, |kernel, node, _| kernel.disk.set_mode(node, mode).map(Done::changed))
            .map_err(self.on(Operation::SetMode))
    }

    fn sync_data(&mut self) -> Result<()> {
        self.sync(Operation::SyncData, false)
    }

    fn sync_all(&mut self) -> Result<()> {
        self.sync(Operation::SyncAll, true)
    }

    fn try_lock(&self) -> Result<Locked> {
        self.ask(Operation::Lock, |kernel, node, _| Ok(Done::looked(kernel.handles.try_lock(node, self.handle))))
            .map_err(self.on(Operation::Lock))
    }

    fn lock(&self) -> Result<()> {
        if self.try_lock()? == Locked::Acquired {
            return Ok(());
        }
        let mut kernel = self.shared.lock();
        let wait = || loop {
            if kernel.is_halted() {
                return Err(io::Error::other(Halted));
            }
            let node = kernel.handles.get(self.handle)?.node;
            if kernel.handles.try_lock(node, self.handle) == Locked::Acquired {
                return Ok(());
            }
            if kernel.handles.is_deadlock(node) {
                return Err(Errno::DEADLK.into());
            }
            kernel = self.shared.unlocked.wait(kernel).unwrap_or_else(PoisonError::into_inner);
        };
        wait().map_err(self.on(Operation::Lock))
    }

    fn unlock(&self) -> Result<()> {
        let outcome = self.ask(Operation::Unlock, |kernel, node, _| {
            kernel.handles.unlock(node, self.handle);
            Ok(Done::looked(()))
        });
        self.shared.unlocked.notify_all();
        outcome.map_err(self.on(Operation::Unlock))
    }

    fn path(&self) -> &Path {
        &self.path
    }
}

impl Read for SimFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.ask(Operation::Read, |kernel, node, short| {
            let offset = kernel.handles.get(self.handle)?.position;
            let done = read(&kernel.disk, node, buffer, offset, short)?;
            kernel.handles.get(self.handle)?.position = offset.saturating_add(done.bytes as u64);
            Ok(done)
        })
    }
}

impl Write for SimFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.ask(Operation::Write, |kernel, node, short| {
            let handle = *kernel.handles.get(self.handle)?;
            let len = kernel.disk.stat(node)?.len;
            let start = match handle.may {
                Access::Read => return Err(Errno::BADF.into()),
                Access::Write => handle.position,
                Access::Append => len,
            };
            let wanted = short.map_or(bytes.len(), |short| short.of(bytes.len()));
            let bytes = bytes.get(..wanted).unwrap_or(bytes);
            if bytes.is_empty() {
                return Ok(Done::looked(0));
            }
            let end = start.saturating_add(bytes.len() as u64);
            position(end)?;
            let offset = position(start)?;
            let now = kernel.disk.tick();
            let node = kernel.disk.node_mut(node)?;
            node.meta.mtime = now;
            node.meta.ctime = now;
            if let Body::File(content) = &mut node.body {
                content.write(offset, bytes);
            }
            kernel.handles.get(self.handle)?.position = end;
            Ok(Done { value: bytes.len(), bytes: bytes.len(), changes: true })
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for SimFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let mut kernel = self.shared.lock();
        if kernel.is_halted() {
            return Err(io::Error::other(Halted));
        }
        let handle = *kernel.handles.get(self.handle)?;
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => handle.position.checked_add_signed(by),
            SeekFrom::End(by) => kernel.disk.stat(handle.node)?.len.checked_add_signed(by),
        };
        let position = position.filter(|at| i64::try_from(*at).is_ok()).ok_or(Errno::INVAL)?;
        kernel.handles.get(self.handle)?.position = position;
        Ok(position)
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        let mut kernel = self.shared.lock();
        kernel.handles.close(self.handle);
        kernel.tidy();
        drop(kernel);
        self.shared.unlocked.notify_all();
    }
}

impl fmt::Debug for SimFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SimFile").field("path", &self.path).finish_non_exhaustive()
    }
}

fn read(disk: &Disk, node: NodeId, buffer: &mut [u8], offset: u64, short: Option<Short>) -> io::Result<Done<usize>> {
    let content = disk.node(node)?.content().ok_or(Errno::ISDIR)?;
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let rest = content.current().get(start..).unwrap_or_default();
    let len = rest.len().min(buffer.len());
    let len = short.map_or(len, |short| short.of(len));
    if let (Some(from), Some(to)) = (rest.get(..len), buffer.get_mut(..len)) {
        to.copy_from_slice(from);
    }
    Ok(Done { value: len, bytes: len, changes: false })
}

fn position(at: u64) -> io::Result<usize> {
    match usize::try_from(at) {
        Ok(position) if at <= MAX_LEN => Ok(position),
        _ => Err(Errno::FBIG.into()),
    }
}
