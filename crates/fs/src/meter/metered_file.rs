//! `MeteredFile`: an open file that counts what it is asked for.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Arc;

use super::counts::Counter;
use crate::{File, Locked, Operation, Result, Stat};

/// An open file that counts the calls and bytes that go to another.
#[derive(Debug)]
pub(super) struct MeteredFile {
    inner: Box<dyn File>,
    counter: Arc<Counter>,
}

impl MeteredFile {
    pub(super) fn new(inner: Box<dyn File>, counter: Arc<Counter>) -> Self {
        Self { inner, counter }
    }
}

impl File for MeteredFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        self.counter.call(Operation::Read);
        let read = self.inner.read_at(buffer, offset)?;
        self.counter.read(read);
        Ok(read)
    }

    fn stat(&self) -> Result<Stat> {
        self.counter.call(Operation::Stat);
        self.inner.stat()
    }

    fn set_len(&mut self, len: u64) -> Result<()> {
        self.counter.call(Operation::SetLen);
        self.inner.set_len(len)
    }

    fn set_mode(&mut self, mode: u32) -> Result<()> {
        self.counter.call(Operation::SetMode);
        self.inner.set_mode(mode)
    }

    fn sync_data(&mut self) -> Result<()> {
        self.counter.call(Operation::SyncData);
        self.inner.sync_data()
    }

    fn sync_all(&mut self) -> Result<()> {
        self.counter.call(Operation::SyncAll);
        self.inner.sync_all()
    }

    fn try_lock(&self) -> Result<Locked> {
        self.counter.call(Operation::Lock);
        self.inner.try_lock()
    }

    fn lock(&self) -> Result<()> {
        self.counter.call(Operation::Lock);
        self.inner.lock()
    }

    fn unlock(&self) -> Result<()> {
        self.counter.call(Operation::Unlock);
        self.inner.unlock()
    }

    fn path(&self) -> &Path {
        self.inner.path()
    }
}

impl Read for MeteredFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.counter.call(Operation::Read);
        let read = self.inner.read(buffer)?;
        self.counter.read(read);
        Ok(read)
    }
}

impl Write for MeteredFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.counter.call(Operation::Write);
        let written = self.inner.write(bytes)?;
        self.counter.written(written);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl Seek for MeteredFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.inner.seek(to)
    }
}
