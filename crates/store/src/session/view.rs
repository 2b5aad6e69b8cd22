//! Views of main: made, made active, left, removed; and the full history behind them.

use std::sync::Arc;

use convlog_codec::jsonl;
use convlog_eventlog::WriteError;
use convlog_fs::{
    Durability, Error, FILE_MODE, ReplaceMode, Replacement, copy_durable, create_dirs_durable, create_durable, replace,
};
use convlog_message::Log;
use convlog_message::json::{Object, Value};

use super::journal::OpenTranscript;
use super::transcript::TranscriptFile;
use super::{Refusal, Session, ViewError, write_log};
use crate::{Conversation, ReadError, Transcript, ViewName};

/// What the event of something that happens to a view begins with.
pub(super) fn event(operation: &str, view: &Transcript) -> Object {
    let mut object = Object::new();
    object.insert("op", operation);
    if let Transcript::View(name) = view {
        object.insert("view", name.as_str());
    }
    object
}

impl Session {
    /// The view that is active; what is appended goes to it and to main, and undo and edit act on it alone.
    #[must_use]
    pub fn active_view(&self) -> Option<&ViewName> {
        match self.journal.view.as_ref().map(|view| &view.which) {
            Some(Transcript::View(name)) => Some(name),
            _ => None,
        }
    }

    /// The name for the next view, `compacted-NNN`: one above the highest.
    ///
    /// # Errors
    ///
    /// When the views cannot be listed.
    pub fn next_view_name(&self) -> Result<ViewName, Error> {
        let views = Conversation::at(Arc::clone(&self.fs), self.layout.clone()).views()?;
        let number = |view: &ViewName| view.as_str().strip_prefix("compacted-")?.split('-').next()?.parse::<u64>().ok();
        let next = views.iter().filter_map(number).max().unwrap_or(0).saturating_add(1);
        let name = format!("compacted-{next:03}");
        name.parse().map_err(|error| {
            let cause = std::io::Error::new(std::io::ErrorKind::InvalidFilename, error);
            Error::new(convlog_fs::Operation::Open, self.layout.views().join(&name), cause)
        })
    }

    /// Makes a view that holds these messages. It is not made active. Durable when this returns, and so is all that
    /// was appended before.
    ///
    /// # Errors
    ///
    /// When the session is on a branch, or the name is taken or none for a new view; then nothing is changed.
    pub fn create_view(&mut self, name: &ViewName, log: &Log) -> Result<(), ViewError> {
        self.check_on_main()?;
        let name = ViewName::for_new(name.as_str())?;
        let which = Transcript::View(name.clone());
        let path = self.layout.transcript(&which);
        match self.fs.lstat(&path) {
            Ok(_) => return Err(ViewError::Exists { name }),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
        let _ = create_dirs_durable(&*self.fs, &self.layout.views())?;
        let mut object = event("create", &which);
        object.insert("messages", log.len() as u64);
        self.record_view(object)?;
        create_durable(&*self.fs, &path, FILE_MODE, |out| write_log(log, out)).map_err(|error| {
            self.take_back_view();
            ViewError::from(Error::from(error))
        })?;
        Ok(())
    }

    /// Makes a view active, for this session and for every program that opens the conversation later. Durable when
    /// this returns.
    ///
    /// # Errors
    ///
    /// When the session is on a branch, or there is no such view; then nothing is changed.
    pub fn switch_view(&mut self, name: &ViewName) -> Result<(), ViewError> {
        self.check_on_main()?;
        if self.active_view() == Some(name) {
            return Ok(());
        }
        let view = self.open_view(name)?;
        self.settle_views()?;
        let fs = Arc::clone(&self.fs);
        let marker = self.layout.view_marker();
        let mut replacement = Replacement::begin(&*fs, &marker, ReplaceMode::Keep)?;
        replacement.write(|out| writeln!(out, "{name}"))?;
        let prepared = replacement.finish()?;
        self.record_view(event("switch", &view.which))?;
        let committed = prepared.commit().inspect_err(|_| self.take_back_view())?;
        self.journal.view = Some(view);
        committed.sync_dir().map(drop).map_err(|source| self.not_durable(source))
    }

    /// Goes back to main, the full history; the view stays as it is. Durable when this returns.
    ///
    /// # Errors
    ///
    /// When the marker cannot be removed; then the view stays active.
    pub fn leave_view(&mut self) -> Result<(), ViewError> {
        self.check_on_main()?;
        let marker = self.layout.view_marker();
        if self.journal.view.is_none() && self.fs.lstat(&marker).is_err_and(|error| error.is_not_found()) {
            return Ok(());
        }
        self.settle_views()?;
        let left = self.journal.view.as_ref().map_or(Transcript::Main, |view| view.which.clone());
        self.record_view(event("main", &left))?;
        match self.fs.remove_file(&marker) {
            Err(error) if !error.is_not_found() => {
                self.take_back_view();
                return Err(error.into());
            }
            _ => {}
        }
        self.journal.view = None;
        self.fs.sync_dir(&self.layout.views()).map(drop).map_err(|source| self.not_durable(source))
    }

    /// Removes a view that is not active. Durable when this returns.
    ///
    /// # Errors
    ///
    /// When there is none, or it is active; then nothing is changed.
    pub fn delete_view(&mut self, name: &ViewName) -> Result<(), ViewError> {
        self.check_on_main()?;
        if self.active_view() == Some(name) {
            return Err(ViewError::Active { name: name.clone() });
        }
        let which = Transcript::View(name.clone());
        let path = self.layout.transcript(&which);
        if self.fs.lstat(&path).is_err_and(|error| error.is_not_found()) {
            return Err(ViewError::NotFound { name: name.clone() });
        }
        self.record_view(event("delete", &which))?;
        self.fs.remove_file(&path).inspect_err(|_| self.take_back_view())?;
        self.fs.sync_dir(&self.layout.views()).map(drop).map_err(|source| self.not_durable(source))
    }

    /// Keeps the full history in `lossless.jsonl` before main itself is compacted by hand, by an
    /// [`edit`](Self::edit): from then on whatever is appended goes there too. Where the file exists it is the full
    /// history already, and stays. Durable when this returns.
    ///
    /// # Errors
    ///
    /// When the session is on a branch, or the file cannot be made; then nothing is changed.
    pub fn preserve_lossless(&mut self) -> Result<(), ViewError> {
        self.check_on_main()?;
        if self.journal.lossless.is_some() {
            return Ok(());
        }
        self.sync()?;
        let path = self.layout.transcript(&Transcript::Lossless);
        let _ = copy_durable(&*self.fs, self.journal.base.file.path(), &path)?;
        self.journal.lossless = Some(OpenTranscript {
            which: Transcript::Lossless,
            name: self.layout.relative(&Transcript::Lossless).into(),
            file: TranscriptFile::open(&*self.fs, &path)?,
            unread: self.journal.base.len(),
            log: Log::new(),
            unreadable: Vec::new(),
        });
        Ok(())
    }

    /// The full history: `lossless.jsonl` where main was compacted by hand, otherwise main; on a branch, the branch.
    ///
    /// # Errors
    ///
    /// When `lossless.jsonl` cannot be read.
    pub fn history(&self) -> Result<Log, ReadError> {
        match &self.journal.lossless {
            None => Ok(self.journal.base.log.clone()),
            Some(lossless) => {
                Ok(Conversation::at(Arc::clone(&self.fs), self.layout.clone()).read(&lossless.which)?.log)
            }
        }
    }

    fn open_view(&self, name: &ViewName) -> Result<OpenTranscript, ViewError> {
        let which = Transcript::View(name.clone());
        let path = self.layout.transcript(&which);
        let conversation = Conversation::at(Arc::clone(&self.fs), self.layout.clone());
        let reading = match conversation.read(&which) {
            Ok(reading) => reading,
            Err(ReadError::NotFound { .. }) => return Err(ViewError::NotFound { name: name.clone() }),
            Err(error) => return Err(error.into()),
        };
        if conversation.stat(&which)?.links > 1 {
            // A file with a second name becomes one of its own before it is appended to.
            let bytes = convlog_fs::read_all(&*self.fs, &path)?;
            replace(&*self.fs, &path, ReplaceMode::Keep, |out| out.write_all(&bytes)).map_err(Error::from)?;
        }
        let unreadable = |reading: &jsonl::Reading| reading.report.skipped().map(|f| f.span.clone()).collect();
        Ok(OpenTranscript {
            name: self.layout.relative(&which).into(),
            file: TranscriptFile::open(&*self.fs, &path)?,
            which,
            unread: 0,
            unreadable: unreadable(&reading),
            log: reading.log,
        })
    }

    fn check_on_main(&self) -> Result<(), ViewError> {
        self.check_refusal()?;
        match &self.journal.base.which {
            Transcript::Branch(branch) => Err(ViewError::OnBranch { branch: branch.clone() }),
            _ => Ok(()),
        }
    }

    /// Makes the transcripts durable before one of them is left: nothing will look after it then.
    fn settle_views(&mut self) -> Result<(), ViewError> {
        self.check_transcripts()?;
        if self.journal.wrote {
            self.journal.sync_transcripts(&*self.fs).map_err(|error| self.refuse(Refusal::failed(error)))?;
        }
        Ok(())
    }

    /// Writes the event of something that happens to views alone, and makes durable what stands before it.
    fn record_view(&mut self, event: Object) -> Result<(), ViewError> {
        self.journal.wrote = true;
        match self.journal.events.view(&Value::Object(event), Durability::Synced) {
            Ok(_) => Ok(()),
            Err(WriteError::Blocked(blocked)) => Err(match self.blocked(blocked) {
                Ok(refusal) => refusal.into(),
                Err(held) => ViewError::Events { source: Box::new(held) },
            }),
            Err(error) => {
                let text = error.to_string();
                if !matches!(error, WriteError::NotWritten { .. } | WriteError::Unreadable { .. }) {
                    self.refuse(Refusal::failed(error));
                }
                Err(ViewError::Events { source: text.into() })
            }
        }
    }

    /// What the last event announced was not done.
    fn take_back_view(&mut self) {
        if let Err(error) = self.journal.events.take_back() {
            self.refuse(Refusal::failed(error));
        }
    }

    fn not_durable(&mut self, source: Error) -> ViewError {
        self.refuse(Refusal::failed(Error::new(source.operation, &source.path, source.kind().into())));
        ViewError::NotDurable { source }
    }
}
