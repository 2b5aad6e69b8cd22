//! Checkpoints: the whole list in a new file that takes the place of the log.

use std::io::{self, Write};
use std::path::Path;

use convlog_fs::{Error, FileSystem, Missing, Open, Operation, Prepared, ReplaceMode, Replacement, Stat};
use convlog_message::Log;

use super::EventLog;
use super::error::CheckpointError;
use crate::chain::Chain;
use crate::encode::{Remarks, time_text, write_head, write_list, write_stamp};
use crate::{Hash, Place, Seq};

/// How much is put together before it is written.
const BLOCK: usize = 256 << 10;

/// A checkpoint as it is written into a new file.
pub(super) struct Snapshot<'a> {
    pub(super) seq: Seq,
    pub(super) ts: String,
    pub(super) messages: &'a Log,
    pub(super) places: &'a [Place],
    pub(super) carries: Option<Hash>,
}

impl Snapshot<'_> {
    /// Writes the event, block by block, and returns the chain behind it.
    pub(super) fn write(self, file: &mut dyn Write) -> io::Result<Chain> {
        let mut chain = Chain::start();
        let mut out = Vec::new();
        write_head(self.seq, &self.ts, "checkpoint", &mut out);
        let raw = write_list(self.messages, &mut out, |out| {
            if out.len() >= BLOCK {
                chain.add(out);
                file.write_all(out)?;
                out.clear();
            }
            Ok::<(), io::Error>(())
        })?;
        let remarks = Remarks { places: self.places, raw, carries: self.carries };
        write_stamp(&remarks, 0, &mut chain, &mut out);
        file.write_all(&out)?;
        Ok(chain)
    }
}

impl EventLog {
    /// Writes the whole list as a checkpoint into a new file, alone, that takes the place of the log, and
    /// returns its number. Durable when this returns.
    ///
    /// Whatever else the log held is gone then, what could not be read included: anything that must
    /// survive is the caller's business, and so is that the transcripts (views too) and their
    /// directories were synced before. `places` name the lines of the messages in the transcripts, where
    /// the checkpoint may have to bring them back; usually none.
    ///
    /// At any moment, and after any crash, the file is the old one or the new one. The memory it takes does not
    /// grow with the list, nor are its bytes read.
    ///
    /// # Errors
    /// [`CheckpointError`] says which file stands.
    pub fn checkpoint(&mut self, messages: &Log, places: &[Place]) -> Result<Seq, CheckpointError> {
        self.check_refusal()?;
        let seq = self.seq_after(self.highest)?;
        let snapshot = Snapshot {
            seq,
            ts: time_text(&self.options.clock.now()),
            messages,
            places,
            carries: Some(self.chain.hash()),
        };
        let chain = self.replaced(|file| snapshot.write(file))?;
        (self.chain, self.ends_in_newline, self.before) = (chain, true, None);
        (self.highest, self.checkpoint, self.since) = (seq.get(), Some(seq), 0);
        Ok(seq)
    }

    /// Replaces the log by what `write` writes, under the lock.
    pub(super) fn replaced<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, CheckpointError> {
        self.locked(|log| {
            log.lock.check(&*log.fs)?;
            log.replace_locked(write)
        })
    }

    /// The same with the lock taken already.
    pub(super) fn replace_locked<T>(
        &mut self,
        write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
    ) -> Result<T, CheckpointError> {
        let fs = std::sync::Arc::clone(&self.fs);
        let unchanged = |source| CheckpointError::Unchanged { source };
        let (prepared, value) = prepare(&*fs, &self.path, write).map_err(unchanged)?;
        // The lock keeps gptme away; an editor knows no lock.
        self.check_file()?;
        let committed = prepared.commit().map_err(unchanged)?;
        // From here on the new file stands, and every failure leaves it open what a power loss brings.
        let settled = committed.sync_dir().and_then(|replaced| {
            let (file, stat) = open_known(&*fs, &self.path, &replaced.stat)?;
            Ok((file, stat, replaced.dir_sync))
        });
        match settled {
            Ok((file, stat, dir_sync)) => {
                (self.file, self.left) = (file, stat);
                (self.unsynced, self.unnamed) = (false, false);
                self.note(dir_sync);
                Ok(value)
            }
            Err(cause) => Err(CheckpointError::Unsettled { source: self.refuse(cause) }),
        }
    }
}

fn prepare<'fs, T>(
    fs: &'fs dyn FileSystem,
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<T>,
) -> Result<(Prepared<'fs>, T), Error> {
    let mut value = None;
    let mut new = Replacement::begin(fs, path, ReplaceMode::Keep)?;
    new.write(|file| {
        value = Some(write(file)?);
        Ok(())
    })?;
    let prepared = new.finish()?;
    let value = value.ok_or_else(|| Error::new(Operation::Write, path, io::ErrorKind::Other.into()))?;
    Ok((prepared, value))
}

/// Opens a file that was just made, and makes sure that it is that one.
pub(super) fn open_known(
    fs: &dyn FileSystem,
    path: &Path,
    made: &Stat,
) -> Result<(Box<dyn convlog_fs::File>, Stat), Error> {
    let file = fs.open(path, Open::Append(Missing::Fail))?;
    let stat = file.stat()?;
    if (stat.id, stat.len) == (made.id, made.len) {
        return Ok((file, stat));
    }
    let cause = io::Error::other("another program put a file of its own in this place");
    Err(Error::new(Operation::Open, path, cause))
}
