//! Compaction: what stands before the last checkpoint is dropped.

use std::ops::Range;

use convlog_fs::{Error, Operation, read_full_at};

use super::EventLog;
use super::error::CompactError;
use crate::chain::Chain;
use crate::event::EventKind;
use crate::read::timestamp;
use crate::reading::Resume;
use crate::scan::Scan;

/// What compacting a log came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compacted {
    /// Nothing stands before the last checkpoint, or there is none.
    Nothing,
    /// So many bytes were dropped.
    Dropped {
        /// The length before, less the length now.
        bytes: u64,
    },
}

impl EventLog {
    /// Drops what stands before the last checkpoint: events, and lines that cannot be read. Durable when this returns.
    ///
    /// All that stands from the checkpoint on is kept to the byte, other programs' lines too, but for the
    /// hashes, which are made anew where what they cover is dropped. convlog's own checkpoints leave
    /// nothing before them; this is for a log that another program left so. It is the one operation here that reads the
    /// file. Views and closings that stand before the checkpoint go too: see to them first.
    ///
    /// # Errors
    /// When a hash does not fit ([`CompactError::Damaged`]), as a new one would hide the change; and as
    /// [`checkpoint`](Self::checkpoint).
    pub fn compact(&mut self) -> Result<Compacted, CompactError> {
        self.locked(Self::compact_locked)
    }

    fn compact_locked(&mut self) -> Result<Compacted, CompactError> {
        self.lock.check(&*self.fs)?;
        let bytes = self.bytes().map_err(|source| CompactError::Unread { source })?;
        let fallback = timestamp(self.left.mtime);
        let scan = Scan::new(&bytes, &fallback);
        let checkpoint = scan.events.iter().rev().find(|event| matches!(event.kind, EventKind::Checkpoint(_)));
        let start = checkpoint.and_then(|event| usize::try_from(event.span.start).ok()).unwrap_or(0);
        if start == 0 {
            return Ok(Compacted::Nothing);
        }
        if let Some(link) = scan.links.iter().find(|link| !link.fits || !link.carries_fit) {
            return Err(CompactError::Damaged { path: self.path.clone(), line: link.line });
        }
        let kept = rehashed(&bytes, start, &scan);
        self.replace_locked(|file| file.write_all(&kept))?;
        let resume = Resume::new(self.left, &kept, &Scan::new(&kept, &fallback));
        (self.chain, self.ends_in_newline) = (resume.chain, resume.ends_in_newline);
        (self.checkpoint, self.since) = (resume.checkpoint, resume.since);
        Ok(Compacted::Dropped { bytes: (bytes.len() as u64).saturating_sub(kept.len() as u64) })
    }

    /// The file, as this handle left it.
    fn bytes(&self) -> Result<Vec<u8>, Error> {
        let too_large = || Error::new(Operation::Read, &self.path, std::io::ErrorKind::OutOfMemory.into());
        let length = usize::try_from(self.left.len).map_err(|_| too_large())?;
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(length).map_err(|_| too_large())?;
        bytes.resize(length, 0);
        let read = read_full_at(&*self.file, &mut bytes, 0)?;
        bytes.truncate(read);
        Ok(bytes)
    }
}

/// The bytes from `start` on, with each hash made anew along the chain that begins there.
fn rehashed(bytes: &[u8], start: usize, scan: &Scan) -> Vec<u8> {
    let part = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    let mut kept = Vec::with_capacity(bytes.len().saturating_sub(start));
    let mut chain = Chain::start();
    let mut from = start;
    for link in scan.links.iter().filter(|link| link.end > start) {
        let covered = part(from..link.covers.end);
        chain.add(covered);
        let hash = chain.hash();
        kept.extend_from_slice(covered);
        crate::stamp::write_hash(hash, &mut kept);
        chain = Chain::after(hash);
        from = link.end;
    }
    kept.extend_from_slice(part(from..bytes.len()));
    kept
}
