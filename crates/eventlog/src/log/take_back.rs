//! Taking back the last write: what it announced could not be done.

use crate::chain::Chain;
use crate::{EventLog, WriteError};

/// A log as it was before its last write.
#[derive(Debug)]
pub(super) struct Before {
    len: u64,
    ends_in_newline: bool,
    highest: u64,
    since: u64,
    chain: Chain,
}

impl EventLog {
    /// How the log is now, for [`Self::take_back`] to come back to.
    pub(super) fn snapshot(&self) -> Before {
        Before {
            len: self.left.len,
            ends_in_newline: self.ends_in_newline,
            highest: self.highest,
            since: self.since,
            chain: self.chain.clone(),
        }
    }

    /// Takes back the events of the last write, when nothing was written since: the transcript that they
    /// announce could not be written, and they must not bring the messages back later.
    ///
    /// What was durable is durably gone when this returns. Without a last write nothing is done.
    ///
    /// # Errors
    /// The events may stand then, and the handle refuses everything further.
    pub fn take_back(&mut self) -> Result<(), WriteError> {
        self.check_refusal()?;
        let Some(before) = self.before.take() else { return Ok(()) };
        self.locked(|log| {
            let was_synced = !log.unsynced;
            let cut =
                log.file.set_len(before.len).and_then(|()| if was_synced { log.file.sync_data() } else { Ok(()) });
            if let Err(cause) = cut {
                return Err(WriteError::Unknown { source: log.refuse(cause) });
            }
            (log.ends_in_newline, log.highest) = (before.ends_in_newline, before.highest);
            (log.since, log.chain) = (before.since, before.chain);
            log.look_again();
            Ok(())
        })
    }
}
