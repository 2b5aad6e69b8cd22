//! Appending: the event first, then the transcript, then a checkpoint when it is due.

use std::sync::Arc;

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_eventlog::{Append, Place, WriteError};
use convlog_fs::{AppendError as FileError, Durability};
use convlog_message::Message;

use super::{AppendError, Refusal, Session, SyncError};

impl Session {
    /// Appends a message, at the session's level of durability, and returns its index.
    ///
    /// # Errors
    ///
    /// When it is not written; [`AppendError::may_stand`] says whether it may be there even so.
    pub fn append(&mut self, message: Message) -> Result<usize, AppendError> {
        self.append_at(message, self.options.durability)
    }

    /// Appends a message at a level of its own, and returns its index.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub fn append_at(&mut self, message: Message, durability: Durability) -> Result<usize, AppendError> {
        let index = self.log.len();
        self.append_batch(&[message], durability)?;
        Ok(index)
    }

    /// Appends messages in order, with one write to each file and at most one sync for all of them.
    ///
    /// It is a sequence of appends: a crash within it may leave the first few.
    ///
    /// # Errors
    ///
    /// As [`Self::append`]; all of them share its fate.
    pub fn append_batch(&mut self, messages: &[Message], durability: Durability) -> Result<(), AppendError> {
        self.check_refusal()?;
        if messages.is_empty() {
            return Ok(());
        }
        self.check_transcript()?;
        let lines = Lines::new(messages, self);
        let appends: Vec<_> = messages.iter().zip(lines.places.chunks(1)).zip(&lines.objects).collect();
        let appends: Vec<_> = appends
            .into_iter()
            .map(|((message, places), object)| {
                Append::new(message, places).with_json(lines.bytes.get(object.clone()).unwrap_or_default())
            })
            .collect();
        self.wrote = true;
        match self.events.append_batch(&appends, durability) {
            Ok(_) => {}
            Err(error) => return Err(self.event_failed(error)),
        }
        if let Err(error) = self.file.append(&lines.bytes) {
            return Err(self.transcript_failed(error));
        }
        if let Err(error) = self.file.look_again(lines.bytes.len() as u64) {
            // The messages stand in both files; only what follows is refused.
            self.refuse(error.into());
        }
        self.log.extend(messages.iter().cloned());
        self.checkpoint_when_due();
        if let Some(observer) = &mut self.observer {
            messages.iter().filter(|message| !message.quiet()).for_each(observer);
        }
        Ok(())
    }

    /// Makes all that was appended durable.
    ///
    /// # Errors
    ///
    /// When the device fails, the session refuses everything further: nothing that comes later is
    /// acknowledged as durable until the conversation was opened again.
    pub fn sync(&mut self) -> Result<(), SyncError> {
        self.check_refusal()?;
        match self.events.sync() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.refuse(Refusal::failed(error)).into()),
        }
    }

    /// Compares the transcript and the lock with what this session left.
    pub(super) fn check_transcript(&mut self) -> Result<(), Refusal> {
        match self.file.check(&*self.fs) {
            Ok(()) => Ok(()),
            Err(error) => Err(self.refuse(error.into())),
        }
    }

    fn event_failed(&mut self, error: WriteError) -> AppendError {
        match error {
            WriteError::Blocked(blocked) => match self.blocked(blocked) {
                Ok(refusal) => refusal.into(),
                Err(blocked) => AppendError::NotWritten { source: Box::new(blocked) },
            },
            error @ (WriteError::NotWritten { .. } | WriteError::Unreadable { .. }) => {
                AppendError::NotWritten { source: Box::new(error) }
            }
            error => {
                let may_stand = error.may_stand();
                let cause: Arc<WriteError> = Arc::new(error);
                self.refuse(Refusal::Failed { cause: cause.clone() });
                let source: Box<dyn std::error::Error + Send + Sync> = cause.to_string().into();
                if may_stand { AppendError::Unknown { source } } else { AppendError::NotWritten { source } }
            }
        }
    }

    /// The event stands and the line does not: takes the event back, so that the message does not appear
    /// when the log is replayed, and refuses everything further.
    fn transcript_failed(&mut self, error: FileError) -> AppendError {
        let taken_back = self.events.take_back();
        let restored = matches!(error, FileError::Restored { .. });
        let source: Box<dyn std::error::Error + Send + Sync> = error.cause().to_string().into();
        self.refuse(Refusal::failed(error));
        if restored && taken_back.is_ok() {
            AppendError::NotWritten { source }
        } else {
            AppendError::Unknown { source }
        }
    }

    /// Why the event log could not be written now: for good, or only this time.
    pub(super) fn blocked(&mut self, blocked: convlog_eventlog::Blocked) -> Result<Refusal, convlog_eventlog::Blocked> {
        use convlog_eventlog::Blocked as B;
        match blocked {
            B::Conflict(conflict) => {
                let changed = super::Changed { path: conflict.path.clone(), how: "was changed" };
                Ok(self.refuse(Refusal::Changed(changed)))
            }
            held @ B::Held { .. } => Err(held),
            other => Ok(self.refuse(Refusal::failed(other))),
        }
    }

    /// Writes a checkpoint when one is due. The append before it is done in any case: when this fails,
    /// the session refuses what follows.
    pub(super) fn checkpoint_when_due(&mut self) {
        if self.refusal.is_none()
            && self.events.checkpoint_due(self.file.left().len)
            && let Err(refusal) = self.checkpoint()
        {
            self.refuse(refusal);
        }
    }

    /// Writes the whole list into a new event log; the transcript is synced before.
    pub(super) fn checkpoint(&mut self) -> Result<(), Refusal> {
        self.sync_transcript().map_err(Refusal::failed)?;
        self.events.checkpoint(&self.log, &[]).map(drop).map_err(Refusal::failed)
    }

    /// Syncs the transcript and the directory that names it.
    pub(super) fn sync_transcript(&mut self) -> Result<(), convlog_fs::Error> {
        self.file.sync()?;
        let target = convlog_fs::resolve_target(&*self.fs, self.file.path())?;
        let directory = target.parent().unwrap_or_else(|| self.layout.home());
        self.fs.sync_dir(directory).map(drop)
    }
}

/// The bytes that an append adds to the transcript, and where each line is about to stand.
struct Lines {
    bytes: Vec<u8>,
    /// The object of each message within `bytes`.
    objects: Vec<std::ops::Range<usize>>,
    places: Vec<Place>,
}

impl Lines {
    fn new(messages: &[Message], session: &Session) -> Self {
        let left = session.file.left();
        let file: Arc<str> = session.layout.relative(&session.which).into();
        let mut lines = Self { bytes: Vec::new(), objects: Vec::new(), places: Vec::new() };
        for message in messages {
            let start = lines.bytes.len();
            if start == 0 {
                lines.bytes.extend_from_slice(session.file.guard());
            }
            let object = lines.bytes.len();
            write_line(message, Style::Gptme, &mut lines.bytes);
            let end = lines.bytes.len();
            lines.objects.push(object..end.saturating_sub(1));
            let at = |offset: usize| left.len.saturating_add(offset as u64);
            lines.places.push(Place { file: Arc::clone(&file), id: left.id, range: at(start)..at(end) });
        }
        lines
    }
}
