//! Compacting the event log of a session.

use convlog_eventlog::Compacted;
use thiserror::Error;

use super::{Refusal, Session};

/// The event log was not compacted; it stands as it was, unless the source says otherwise.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CompactError {
    /// The session takes nothing more.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The log could not be rewritten.
    #[error("cannot compact the event log: {source}")]
    Events {
        /// Why.
        #[source]
        source: convlog_eventlog::CompactError,
    },
}

impl Session {
    /// Drops the events before the last checkpoint, and says how many bytes that gave back. The transcripts
    /// are synced before.
    ///
    /// # Errors
    ///
    /// When the log cannot be rewritten, or was changed somewhere that its hashes cover.
    pub fn compact(&mut self) -> Result<Compacted, CompactError> {
        self.check_refusal()?;
        self.check_transcripts()?;
        self.journal.wrote = true;
        let synced = self.journal.sync_transcripts(&*self.fs);
        synced.map_err(|error| CompactError::Refused(Refusal::failed(error)))?;
        self.journal.events.compact().map_err(|source| CompactError::Events { source })
    }
}
