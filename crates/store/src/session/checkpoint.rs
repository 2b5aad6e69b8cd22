//! Checkpoints: when one is due, and what must be read and durable before it.

use std::sync::Arc;

use super::{Refusal, Session};
use crate::Conversation;

impl Session {
    /// Writes a checkpoint when one is due. The append before it is done in any case: when this fails,
    /// the session refuses what follows.
    pub(super) fn checkpoint_when_due(&mut self) {
        if self.refusal.is_none()
            && self.journal.events.checkpoint_due(self.journal.base.file.left().len)
            && let Err(refusal) = self.checkpoint()
        {
            self.refuse(refusal);
        }
    }

    /// Writes the whole list into a new event log; the transcripts are synced before.
    fn checkpoint(&mut self) -> Result<(), Refusal> {
        self.load()?;
        self.journal.sync_transcripts(&*self.fs).map_err(Refusal::failed)?;
        self.journal.events.checkpoint(&self.journal.base.log, &[]).map(drop).map_err(Refusal::failed)
    }

    /// Reads the messages that were not read when the conversation was opened for appending.
    pub(super) fn load(&mut self) -> Result<(), Refusal> {
        let conversation = Conversation::at(Arc::clone(&self.fs), self.layout.clone());
        let transcripts = std::iter::once(&mut self.journal.base).chain(&mut self.journal.view);
        for transcript in transcripts.filter(|transcript| transcript.unread > 0) {
            let reading = conversation.read(&transcript.which).map_err(Refusal::failed)?;
            transcript.unreadable = reading.report.skipped().map(|finding| finding.span.clone()).collect();
            (transcript.log, transcript.unread) = (reading.log, 0);
        }
        self.check_transcripts()
    }
}
