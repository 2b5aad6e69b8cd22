//! Appending: attachments first, then the event, then the transcripts, then a checkpoint when it is due.

use std::ops::Range;
use std::sync::Arc;

use convlog_eventlog::{Append, WriteError};
use convlog_fs::{AppendError as FileError, Durability};
use convlog_message::Message;

use super::lines::Lines;
use super::{AppendError, Refusal, Session, SyncError};
use crate::Uncaptured;
use crate::attachment::Capture;

/// What an append did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Appended {
    /// The indices that the messages have now.
    pub indices: Range<usize>,
    /// The attached files whose content could not be stored; what the messages say of them may change under them.
    pub uncaptured: Vec<Uncaptured>,
}

impl Appended {
    /// The index of the message; of the first, when there are several.
    #[must_use]
    pub const fn index(&self) -> usize {
        self.indices.start
    }
}

impl Session {
    /// Appends a message, at the session's level of durability.
    ///
    /// The content of attached files is stored before. With an active view the message goes to main, the view and,
    /// where it exists, `lossless.jsonl`: to all of them or to none.
    ///
    /// # Errors
    ///
    /// When it is not written; [`AppendError::may_stand`] says whether it may be there even so.
    pub fn append(&mut self, message: Message) -> Result<Appended, AppendError> {
        self.append_at(message, self.options.durability)
    }

    /// Appends a message at a level of its own.
    ///
    /// # Errors
    ///
    /// As [`Self::append`].
    pub fn append_at(&mut self, message: Message, durability: Durability) -> Result<Appended, AppendError> {
        self.append_batch(&[message], durability)
    }

    /// Appends messages in order, with one write to each file and at most one sync for all of them.
    ///
    /// It is a sequence of appends: a crash within it may leave the first few.
    ///
    /// # Errors
    ///
    /// As [`Self::append`]; all of them share its fate.
    pub fn append_batch(&mut self, messages: &[Message], durability: Durability) -> Result<Appended, AppendError> {
        self.check_refusal()?;
        let start = self.journal.active().len();
        let capture = Capture { fs: &*self.fs, layout: &self.layout, limit: self.options.attachment_limit };
        let (messages, uncaptured) = capture.messages(messages, start)?;
        let appended = Appended { indices: start..start.saturating_add(messages.len()), uncaptured };
        if messages.is_empty() {
            return Ok(appended);
        }
        self.check_transcripts()?;
        let lines = Lines::new(&messages);
        let places = lines.places(&self.journal);
        let of_one = places.len().checked_div(messages.len()).unwrap_or(1).max(1);
        let events: Vec<_> = messages
            .iter()
            .zip(places.chunks(of_one))
            .zip(lines.objects())
            .map(|((message, places), object)| Append::new(message, places).with_json(object))
            .collect();
        self.journal.wrote = true;
        match self.journal.events.append_batch(&events, durability) {
            Ok(_) => {}
            Err(error) => return Err(self.event_failed(error)),
        }
        if let Err(error) = self.journal.append(&lines.bytes) {
            return Err(self.transcript_failed(error));
        }
        if let Err(error) = self.journal.look_again() {
            // The messages stand in all files; only what follows is refused.
            self.refuse(error.into());
        }
        self.journal.extend(&messages);
        self.checkpoint_when_due();
        if let Some(observer) = &mut self.observer {
            messages.iter().filter(|message| !message.quiet()).for_each(observer);
        }
        Ok(appended)
    }

    /// Makes all that was appended durable.
    ///
    /// # Errors
    ///
    /// When the device fails, the session refuses everything further: nothing that comes later is
    /// acknowledged as durable until the conversation was opened again.
    pub fn sync(&mut self) -> Result<(), SyncError> {
        self.check_refusal()?;
        match self.journal.events.sync() {
            Ok(()) => Ok(()),
            Err(error) => Err(self.refuse(Refusal::failed(error)).into()),
        }
    }

    /// Compares the transcripts with what this session left.
    pub(super) fn check_transcripts(&mut self) -> Result<(), Refusal> {
        match self.journal.check(&*self.fs) {
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
        let taken_back = self.journal.events.take_back();
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
}
