//! Writing events at the end: append, undo, edit, view, close; and sync.

use std::convert::Infallible;
use std::io;

use convlog_codec::json::{Style, write_value};
use convlog_fs::{AppendError, Durability, Error, Operation, append_whole};
use convlog_message::json::Value;
use convlog_message::{Log, Message};

use super::EventLog;
use super::error::{SyncError, WriteError};
use crate::chain::Chain;
use crate::encode::{Remarks, time_text, write_head, write_list, write_stamp};
use crate::fit::{value_fits, write_fit};
use crate::{FileFigures, Place, Seq, stamp};

/// A message to be appended, with the places of its line in the transcripts.
#[derive(Clone, Copy, Debug)]
pub struct Append<'a> {
    message: &'a Message,
    json: Option<&'a [u8]>,
    places: &'a [Place],
}

impl<'a> Append<'a> {
    /// A message, and where its line is about to stand.
    #[must_use]
    pub const fn new(message: &'a Message, places: &'a [Place]) -> Self {
        Self { message, json: None, places }
    }

    /// The same with the message's JSON, where the caller has it already: what
    /// [`write_message`](convlog_codec::jsonl::write_message) gives, without a newline.
    #[must_use]
    pub const fn with_json(self, json: &'a [u8]) -> Self {
        Self { json: Some(json), ..self }
    }
}

/// A write as it is put together, with what becomes true when it succeeds.
struct Draft {
    highest: u64,
    since: u64,
    chain: Chain,
}

impl EventLog {
    /// Appends a message and returns the number of its event.
    ///
    /// # Errors
    /// [`WriteError::may_stand`] says whether the event may be there even so.
    pub fn append_message(
        &mut self,
        message: &Message,
        places: &[Place],
        durability: Durability,
    ) -> Result<Seq, WriteError> {
        self.write(durability, |log, draft| log.draft_append(draft, &Append::new(message, places)))
    }

    /// Appends messages in one write, with one sync where they are to be synced, and returns the number
    /// of the last event; the others have the numbers before it. Without a message nothing is done.
    ///
    /// A crash within the write may leave the first few of them.
    ///
    /// # Errors
    /// As for one; all of them share its fate.
    pub fn append_batch(&mut self, appends: &[Append<'_>], durability: Durability) -> Result<Option<Seq>, WriteError> {
        let Some((last, before)) = appends.split_last() else {
            return Ok(None);
        };
        let write = |log: &mut Self, draft: &mut Draft| {
            for append in before {
                log.draft_append(draft, append)?;
            }
            log.draft_append(draft, last)
        };
        self.write(durability, write).map(Some)
    }

    /// Records that so many messages were removed from the end.
    ///
    /// # Errors
    /// As [`append_message`](Self::append_message).
    pub fn undo(&mut self, removed: u64, durability: Durability) -> Result<Seq, WriteError> {
        self.write(durability, |log, draft| {
            log.draft_event(draft, "undo", &[], |out| {
                out.extend_from_slice(b"{\"n\": ");
                out.extend_from_slice(removed.to_string().as_bytes());
                out.push(b'}');
                Vec::new()
            })
        })
    }

    /// Records a change by which the list became this one.
    ///
    /// # Errors
    /// As [`append_message`](Self::append_message).
    pub fn edit(&mut self, messages: &Log, durability: Durability) -> Result<Seq, WriteError> {
        self.write(durability, |log, draft| {
            log.draft_event(draft, "message_edit", &[], |out| {
                write_list(messages, out, |_| Ok(())).unwrap_or_else(|never: Infallible| match never {})
            })
        })
    }

    /// Records something that happened to a view alone; gptme passes over it.
    ///
    /// # Errors
    /// As [`append_message`](Self::append_message); and when gptme could not read the value.
    pub fn view(&mut self, what: &Value, durability: Durability) -> Result<Seq, WriteError> {
        if !value_fits(what) {
            return Err(WriteError::Unreadable { path: self.path.clone() });
        }
        self.write(durability, |log, draft| {
            log.draft_event(draft, "convlog_view", &[], |out| {
                write_value(what, Style::Gptme, out);
                Vec::new()
            })
        })
    }

    /// Records how the transcripts are left; gptme passes over it.
    ///
    /// The handle stays open: what is written later makes the record one of the past.
    ///
    /// # Errors
    /// As [`append_message`](Self::append_message).
    pub fn close(&mut self, figures: &[FileFigures], durability: Durability) -> Result<Seq, WriteError> {
        let since = (self.checkpoint.map_or(0, Seq::get), self.since);
        self.write(durability, |log, draft| {
            log.draft_event(draft, "convlog_close", &[], |out| {
                stamp::write_closing(figures, since, out);
                Vec::new()
            })
        })
    }

    /// Makes all that was written durable.
    ///
    /// # Errors
    /// When the device fails, the handle refuses everything further.
    pub fn sync(&mut self) -> Result<(), SyncError> {
        if !self.unsynced {
            return Ok(self.check_refusal()?);
        }
        self.locked(|log| log.sync_file().map_err(|cause| SyncError::Failed { source: log.refuse(cause) }))
    }

    fn draft_append(&mut self, draft: &mut Draft, append: &Append<'_>) -> Result<Seq, WriteError> {
        self.draft_event(draft, "message_append", append.places, |out| {
            out.extend_from_slice(b"{\"message\": ");
            let own = write_fit(append.message, append.json, out);
            out.push(b'}');
            own.into_iter().map(|own| (0, own)).collect()
        })
    }

    /// Adds an event to the write under way.
    fn draft_event(
        &mut self,
        draft: &mut Draft,
        kind: &str,
        places: &[Place],
        payload: impl FnOnce(&mut Vec<u8>) -> Vec<(usize, Vec<u8>)>,
    ) -> Result<Seq, WriteError> {
        let seq = self.seq_after(draft.highest)?;
        let from = self.buffer.len();
        let ts = time_text(&self.options.clock.now());
        write_head(seq, &ts, kind, &mut self.buffer);
        let before = self.buffer.len();
        let raw = payload(&mut self.buffer);
        draft.since = draft.since.saturating_add(self.buffer.len().saturating_sub(before) as u64);
        let remarks = Remarks { places, raw, carries: None };
        write_stamp(&remarks, from, &mut draft.chain, &mut self.buffer);
        draft.highest = seq.get();
        Ok(seq)
    }

    /// Writes what `fill` puts into the buffer, wholly or not at all.
    fn write(
        &mut self,
        durability: Durability,
        fill: impl FnOnce(&mut Self, &mut Draft) -> Result<Seq, WriteError>,
    ) -> Result<Seq, WriteError> {
        self.check_refusal()?;
        let mut draft = Draft { highest: self.highest, since: self.since, chain: self.chain.clone() };
        self.buffer.clear();
        if !self.ends_in_newline {
            self.buffer.push(b'\n');
            draft.chain.add(b"\n");
        }
        let seq = fill(self, &mut draft)?;
        let before = self.snapshot();
        self.before = None;
        self.locked(|log| log.write_buffer(durability))?;
        let Draft { highest, since, chain } = draft;
        (self.highest, self.since, self.chain, self.ends_in_newline) = (highest, since, chain, true);
        self.before = Some(before);
        self.buffer.shrink_to(KEEP);
        Ok(seq)
    }

    /// Writes the buffer under the lock, and notes how the file is left.
    fn write_buffer(&mut self, durability: Durability) -> Result<(), WriteError> {
        let start = self.left.len;
        match append_whole(&mut *self.file, &self.buffer) {
            Ok(_) => self.unsynced = true,
            Err(AppendError::Restored { source }) => {
                self.look_again();
                return Err(WriteError::NotWritten { source });
            }
            Err(AppendError::Torn { source, .. }) => return Err(WriteError::Unknown { source: self.refuse(source) }),
            Err(other) => {
                let cause = io::Error::new(other.cause().kind(), other.to_string());
                let source = self.refuse(Error::new(Operation::Write, &self.path, cause));
                return Err(WriteError::Unknown { source });
            }
        }
        if durability == Durability::Synced
            && let Err(cause) = self.sync_file()
        {
            let source = self.refuse(cause);
            return Err(match self.file.set_len(start) {
                Ok(()) => WriteError::TakenBack { source },
                Err(_) => WriteError::Unknown { source },
            });
        }
        self.look_again();
        Ok(())
    }

    /// Notes how the file is left. Where that cannot be found out, what was done stands, and nothing more
    /// can be.
    pub(super) fn look_again(&mut self) {
        match self.file.stat() {
            Ok(stat) => self.left = stat,
            Err(cause) => {
                self.refuse(cause);
            }
        }
    }
}

/// Beyond this a buffer that one long event made is given back.
const KEEP: usize = 1 << 20;
