//! One transcript of a plan: as it was found, and with the lines that the event log puts back.

use std::ops::Range;
use std::time::SystemTime;

use convlog_codec::jsonl;
use convlog_eventlog::Event;
use convlog_fs::Stat;
use convlog_message::Log;

use super::redo::redo;
use crate::{Conversation, ReadError, Transcript};

/// A transcript, and what is to be done with it.
#[derive(Debug)]
pub(crate) struct FilePlan {
    pub(crate) which: Transcript,
    /// The file as it was found; `None` when it is missing.
    pub(super) stat: Option<Stat>,
    /// The messages as they are to be.
    pub(super) log: Log,
    /// The lines, or parts of lines, that cannot be read: where, and what they hold.
    pub(super) unreadable: Vec<(Range<u64>, Vec<u8>)>,
    /// How many lines were put back.
    pub(super) put_back: u64,
    /// Whether it is to be written anew.
    pub(super) rewrite: bool,
}

impl FilePlan {
    /// Reads a transcript, and puts back what these events say should stand in it.
    pub(super) fn read(conversation: &Conversation, which: &Transcript, events: &[Event]) -> Result<Self, ReadError> {
        let (fs, layout) = (conversation.file_system(), conversation.layout());
        let (stat, mut bytes) = match conversation.stat(which) {
            Ok(stat) => (Some(stat), convlog_fs::read_all(fs, &layout.transcript(which))?),
            Err(ReadError::NotFound { .. }) => (None, Vec::new()),
            Err(error) => return Err(error),
        };
        let put_back = stat.map_or(0, |stat| redo(&mut bytes, &layout.relative(which), stat.id, events));
        let time = stat.map_or(SystemTime::UNIX_EPOCH, |stat| stat.mtime.into());
        let reading = jsonl::read(&bytes, &time.into());
        let unreadable = reading.report.skipped().map(|finding| (finding.span.clone(), piece(&bytes, &finding.span)));
        let unreadable = unreadable.collect();
        Ok(Self { which: which.clone(), stat, log: reading.log, unreadable, put_back, rewrite: false })
    }

    /// Whether it has a second name, and must become a file of its own before it is written to.
    pub(super) fn has_links(&self) -> bool {
        self.stat.is_some_and(|stat| stat.links > 1)
    }
}

fn piece(bytes: &[u8], span: &Range<u64>) -> Vec<u8> {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    bytes.get(at(span.start)..at(span.end)).unwrap_or_default().to_vec()
}
