//! Closing: all is synced, and the event log says how the transcripts were left.

use convlog_eventlog::{Blocked, WriteError};
use convlog_fs::Durability;

use super::{CloseError, Refusal, Session};

impl Session {
    /// Closes the session: syncs the transcripts and the event log, records how the transcripts were left,
    /// and gives the lock back. A session that wrote nothing writes nothing.
    ///
    /// Dropping a session does the same, and says nothing when it fails; the next opening puts in order
    /// what was left.
    ///
    /// # Errors
    ///
    /// When something could not be synced or recorded. The lock is given back all the same.
    pub fn close(mut self) -> Result<(), CloseError> {
        self.finish()
    }

    fn finish(&mut self) -> Result<(), CloseError> {
        if std::mem::replace(&mut self.closed, true) { Ok(()) } else { self.close_journal() }
    }

    /// Syncs the journal and records how it was left, so that it may be opened by others.
    pub(super) fn close_journal(&mut self) -> Result<(), CloseError> {
        if !self.journal.wrote {
            return Ok(());
        }
        if self.refusal.is_none() {
            // Another program may have been at work since the last write.
            let _ = self.check_transcripts();
        }
        let figures = match &self.refusal {
            None => self.journal.figures(),
            // Closed without figures: they would be those of another program's work.
            Some(Refusal::Changed(changed)) if changed.path != self.journal.events.path() => Vec::new(),
            Some(_) => return Ok(()),
        };
        if self.refusal.is_none() {
            self.journal.sync_transcripts(&*self.fs)?;
        }
        // Before the record is written: it must not outlive events that a power loss tears out.
        let events = &mut self.journal.events;
        events.sync().map_err(|error| CloseError::Events { source: Box::new(error) })?;
        match events.close(&figures, Durability::Synced) {
            Ok(_) => {
                self.journal.wrote = false;
                Ok(())
            }
            // The other program was at the event log as well, and its line stays the last.
            Err(WriteError::Blocked(Blocked::Conflict(_))) if self.refusal.is_some() => Ok(()),
            Err(error) => Err(CloseError::Events { source: Box::new(error) }),
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.finish();
        if let Some(home) = self.temporary.take() {
            let _ = crate::remove::remove_tree(&*self.fs, &home);
        }
    }
}
