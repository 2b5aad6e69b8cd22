//! Branches: made, switched to, removed.

use std::sync::Arc;

use convlog_eventlog::{EVENTS_FILE, EventLog};
use convlog_fs::{Error, FILE_MODE, create_dirs_durable, create_durable};

use super::{BranchError, OpenSessionError, Session, SwitchError, write_log};
use crate::recovery::Plan;
use crate::{BranchName, Conversation, Transcript};

impl Session {
    /// Makes a branch of the first messages of the log that the session acts on, or of all of them. The session
    /// stays where it is.
    ///
    /// Durable when this returns, and so is all that was appended before. The branch has an event log of its own,
    /// which begins with a checkpoint.
    ///
    /// # Errors
    ///
    /// When the name is taken or none for a new branch, or the log has fewer messages; then nothing is changed.
    pub fn create_branch(&mut self, name: &BranchName, at: Option<usize>) -> Result<(), BranchError> {
        let name = BranchName::for_new(name.as_str())?;
        if name.as_str() == "main" {
            return Err(BranchError::Main);
        }
        let there = self.log().len();
        let at = at.unwrap_or(there);
        if at > there {
            return Err(BranchError::Beyond { at, there });
        }
        self.sync()?;
        let which = Transcript::Branch(name.clone());
        let (path, events) = (self.layout.transcript(&which), self.layout.events_dir(&which));
        let exists = |path| match self.fs.lstat(path) {
            Ok(_) => Err(BranchError::Exists { name: name.clone() }),
            Err(error) if error.is_not_found() => Ok(()),
            Err(error) => Err(error.into()),
        };
        // An event log without a transcript is a branch too: one that opening brings back.
        exists(&path)?;
        exists(&events.join(EVENTS_FILE))?;
        let log = self.log().truncate(at);
        let _ = create_dirs_durable(&*self.fs, &events)?;
        create_durable(&*self.fs, &path, FILE_MODE, |out| write_log(&log, out)).map_err(Error::from)?;
        let made = EventLog::create(Arc::clone(&self.fs), &events, self.options.for_events(), &log, &[]);
        made.map(drop).map_err(|error| {
            let _ = self.fs.remove_file(&path);
            BranchError::Events { source: Box::new(error) }
        })
    }

    /// Goes on with another branch, or with main, which is opened as [`open`](Self::open) does: its active view is
    /// active then. The log that is left is closed.
    ///
    /// # Errors
    ///
    /// When there is no such branch, or it cannot be opened; the session stays where it is. When the log that is left
    /// cannot be made durable, the session stays too and refuses everything further.
    pub fn switch_branch(&mut self, to: Option<&BranchName>) -> Result<(), SwitchError> {
        self.check_refusal()?;
        let which = to.cloned().map_or(Transcript::Main, Transcript::Branch);
        if self.journal.base.which == which {
            return Ok(());
        }
        let conversation = Conversation::at(Arc::clone(&self.fs), self.layout.clone());
        let plan = Plan::make(&conversation, &which)?;
        let (journal, report) = plan.carry_out(&self.fs, &self.layout, self.options.for_events())?;
        self.close_journal().map_err(|error| {
            let cause = error.to_string();
            self.refuse(super::Refusal::failed(error));
            SwitchError::Close { source: cause.into() }
        })?;
        (self.journal, self.recovery) = (journal, report);
        self.options.branch = to.cloned();
        Ok(())
    }

    /// Removes a branch, with its event log. Durable when this returns.
    ///
    /// # Errors
    ///
    /// When there is none, or the session is on it; then nothing is changed.
    pub fn delete_branch(&mut self, name: &BranchName) -> Result<(), BranchError> {
        let which = Transcript::Branch(name.clone());
        if self.journal.base.which == which {
            return Err(BranchError::InUse { name: name.clone() });
        }
        let (path, events) = (self.layout.transcript(&which), self.layout.events_dir(&which));
        let is_there = |path: &std::path::Path| match self.fs.lstat(path) {
            Ok(_) => Ok(true),
            Err(error) if error.is_not_found() => Ok(false),
            Err(error) => Err(error),
        };
        let has_events = is_there(&events.join(EVENTS_FILE))?;
        if !is_there(&path)? && !has_events {
            return Err(BranchError::NotFound { name: name.clone() });
        }
        self.sync()?;
        if has_events {
            // The log first, and durably: without a transcript it would bring the branch back.
            self.fs.remove_file(&events.join(EVENTS_FILE))?;
            let _ = self.fs.sync_dir(&events)?;
        }
        match self.fs.remove_file(&path) {
            Err(error) if !error.is_not_found() => return Err(error.into()),
            _ => {}
        }
        let _ = self.fs.remove_file(&events.join(convlog_eventlog::LOCK_FILE));
        let _ = self.fs.remove_dir(&events);
        let _ = self.fs.sync_dir(&self.layout.branches())?;
        Ok(())
    }
}

impl From<OpenSessionError> for SwitchError {
    fn from(source: OpenSessionError) -> Self {
        Self::Open { source: Box::new(source) }
    }
}
