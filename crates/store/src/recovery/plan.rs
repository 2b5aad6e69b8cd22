//! What is to be healed: read and decided, nothing written.

use std::ops::Range;
use std::time::SystemTime;

use convlog_codec::jsonl;
use convlog_eventlog as eventlog;
use convlog_fs::Stat;
use convlog_message::{Log, Message};

use super::{RecoveryReport, are_alike, redo::redo};
use crate::{Conversation, OpenSessionError, ReadError, Transcript};

/// What an opening session has to do.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The transcript as it was found; `None` when it is missing.
    pub(super) stat: Option<Stat>,
    /// The messages as they are to be.
    pub(super) log: Log,
    /// The lines, or parts of lines, that cannot be read: where, and what they hold.
    pub(super) unreadable: Vec<(Range<u64>, Vec<u8>)>,
    pub(super) events: Option<eventlog::Reading>,
    pub(super) put_back: u64,
    /// What the event log holds beyond the transcript, each to be kept in a branch.
    pub(super) beyond: Vec<Log>,
    pub(super) rewrite: bool,
    pub(super) checkpoint: bool,
}

impl Plan {
    pub(crate) fn make(conversation: &Conversation, which: &Transcript) -> Result<Self, OpenSessionError> {
        let (fs, layout) = (conversation.file_system(), conversation.layout());
        let (stat, mut bytes) = match conversation.stat(which) {
            Ok(stat) => (Some(stat), convlog_fs::read_all(fs, &layout.transcript(which)).map_err(ReadError::Io)?),
            Err(ReadError::NotFound { .. }) => (None, Vec::new()),
            Err(error) => return Err(error.into()),
        };
        let events = eventlog::read(fs, &layout.events_dir(which)).map_err(ReadError::Io)?;
        if stat.is_none() && events.is_none() {
            return Err(ReadError::NotFound { which: which.clone(), path: layout.transcript(which) }.into());
        }
        let file = layout.relative(which);
        let is_closed = closed_as_left(events.as_ref(), stat.as_ref(), &file);
        let put_back = match (&events, &stat) {
            (Some(events), Some(stat)) if !is_closed && events.ends_with_convlog() && !events.convlog_closed() => {
                redo(&mut bytes, &file, stat.id, events.unsettled())
            }
            _ => 0,
        };
        let time = stat.map_or(SystemTime::UNIX_EPOCH, |stat| stat.mtime.into());
        let mut reading = jsonl::read(&bytes, &time.into());
        if stat.is_none() {
            reading.log = events.as_ref().and_then(eventlog::Reading::replay).unwrap_or_default();
        }
        let unreadable = reading.report.skipped().map(|finding| (finding.span.clone(), piece(&bytes, &finding.span)));
        let mut plan = Self {
            stat,
            log: reading.log,
            unreadable: unreadable.collect(),
            events,
            put_back,
            beyond: Vec::new(),
            rewrite: false,
            checkpoint: false,
        };
        plan.decide(is_closed);
        Ok(plan)
    }

    fn decide(&mut self, is_closed: bool) {
        let has_links = self.stat.is_some_and(|stat| stat.links > 1);
        let Some(events) = &self.events else {
            self.rewrite = has_links;
            return;
        };
        let (whole, torn) = (events.replay(), events.has_torn_end());
        let agrees = whole.as_ref().is_some_and(|whole| are_alike(whole, &self.log));
        if is_closed && !has_links && !torn && agrees {
            return;
        }
        for held in [&whole, &events.replay_to_last_convlog()].into_iter().flatten() {
            if !is_contained(held, &self.log) && !self.beyond.contains(held) {
                self.beyond.push(held.clone());
            }
        }
        let unclosed = events.last_convlog().is_some() && !events.convlog_closed();
        self.rewrite = self.stat.is_none() || self.put_back > 0 || unclosed || has_links;
        self.checkpoint = self.rewrite || !events.ends_with_convlog() || !agrees || torn;
    }

    /// The messages as they are to be.
    pub(crate) fn log(&self) -> &Log {
        &self.log
    }

    /// What the event log says the messages are.
    pub(crate) fn log_of_events(&self) -> Option<Log> {
        self.events.as_ref().and_then(eventlog::Reading::replay)
    }

    /// What carrying it out would do.
    pub(crate) fn report(&self) -> RecoveryReport {
        RecoveryReport {
            put_back: self.put_back,
            rebuilt: self.stat.is_none(),
            backups: Vec::new(),
            beyond: self.beyond.iter().map(Log::len).collect(),
            rewritten: self.rewrite,
            checkpointed: self.checkpoint,
            log_started: self.events.is_none(),
            quarantined: if self.rewrite { self.unreadable.len() } else { 0 },
        }
    }
}

/// Whether the last that happened is that convlog closed the log, and the transcript is as it was then.
fn closed_as_left(events: Option<&eventlog::Reading>, stat: Option<&Stat>, file: &str) -> bool {
    let (Some(figures), Some(stat)) = (events.and_then(eventlog::Reading::last_close), stat) else { return false };
    figures.iter().any(|figures| &*figures.file == file && figures.fits(stat))
}

fn piece(bytes: &[u8], span: &Range<u64>) -> Vec<u8> {
    let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
    bytes.get(at(span.start)..at(span.end)).unwrap_or_default().to_vec()
}

/// Whether every message of a log stands in another, in the same order, by role and content.
fn is_contained(log: &Log, within: &Log) -> bool {
    let mut others = within.iter();
    log.iter().all(|message: &Message| others.any(|other| other == message))
}
