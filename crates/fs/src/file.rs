//! [`File`]: an open file.

use std::fmt;
use std::io::{Read, Seek, Write};
use std::path::Path;

use crate::{Result, Stat};

/// An open file, real or simulated.
///
/// Dropping it closes it, and with that gives its lock back. `Read`, `Write` and `Seek` speak to
/// the kernel at once, without a buffer; they may do less than was asked and fail with
/// [`Interrupted`](std::io::ErrorKind::Interrupted), and their errors name no path: wrap the
/// file in [`Patient`](crate::Patient), or the error in [`Error::new`](crate::Error::new).
///
/// What is written is [`Durability::Written`](crate::Durability::Written) when the call returns.
pub trait File: Read + Write + Seek + Send + fmt::Debug {
    /// Reads at an offset, leaving the position alone, and returns how many bytes were read;
    /// 0 at the end of the file.
    ///
    /// # Errors
    /// When reading fails, among others because this is a directory.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize>;

    /// What the kernel knows of the open file now, whatever became of its name.
    ///
    /// # Errors
    /// When the kernel does not say.
    fn stat(&self) -> Result<Stat>;

    /// Cuts the file to a length, or extends it with zeros. The position stays.
    ///
    /// # Errors
    /// When the file is not open for writing or the disk is full.
    fn set_len(&mut self, len: u64) -> Result<()>;

    /// Sets the permission bits.
    ///
    /// # Errors
    /// When the file belongs to someone else.
    fn set_mode(&mut self, mode: u32) -> Result<()>;

    /// Makes data and length durable. Not the name: that is in the directory.
    ///
    /// # Errors
    /// When the device fails. What was written before may then be lost though the kernel still
    /// shows it, and a second sync that succeeds proves nothing: only writing it again does.
    fn sync_data(&mut self) -> Result<()>;

    /// Makes data, length, mode and times durable. Not the name: that is in the directory.
    ///
    /// # Errors
    /// As [`sync_data`](Self::sync_data).
    fn sync_all(&mut self) -> Result<()>;

    /// Takes the exclusive lock of the file if nobody else holds it.
    ///
    /// The lock is `flock`'s: it belongs to this open file, so that two openings exclude each
    /// other even in one process, and ends with [`unlock`](Self::unlock), by closing, or with
    /// the process. Taking it twice through the same open file is taking it once.
    ///
    /// # Errors
    /// When the file system has no locks (`ENOLCK`, `ENOTSUP`); never because it is held.
    fn try_lock(&self) -> Result<Locked>;

    /// Takes the exclusive lock of the file, waiting for its holder.
    ///
    /// # Errors
    /// As [`try_lock`](Self::try_lock).
    fn lock(&self) -> Result<()>;

    /// Gives the lock back; nothing happens when it is not held through this open file.
    ///
    /// # Errors
    /// When the file system has no locks.
    fn unlock(&self) -> Result<()>;

    /// The path it was opened by.
    fn path(&self) -> &Path;
}

/// What came of trying to take a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "the lock may be another's"]
pub enum Locked {
    /// The lock is held through this open file.
    Acquired,
    /// Another open file, of this process or another, holds it.
    Held,
}
