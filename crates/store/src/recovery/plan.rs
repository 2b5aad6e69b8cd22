//! What is to be healed: read and decided, nothing written.

use std::collections::BTreeSet;

use convlog_eventlog as eventlog;
use convlog_fs::Stat;
use convlog_message::{Log, Message};

use super::file::FilePlan;
use super::{RecoveryReport, are_alike};
use crate::{Conversation, OpenSessionError, ReadError, Transcript};

/// What an opening session has to do.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Main, or the branch.
    pub(super) base: FilePlan,
    /// The other transcripts that main's log stands for: the active view, `lossless.jsonl`, and other views that
    /// its last events name.
    pub(super) sides: Vec<FilePlan>,
    pub(super) active_view: Option<Transcript>,
    pub(super) events: Option<eventlog::Reading>,
    /// What the event log holds beyond the transcript, each to be kept in a branch.
    pub(super) beyond: Vec<Log>,
    pub(super) checkpoint: bool,
}

impl Plan {
    pub(crate) fn make(conversation: &Conversation, which: &Transcript) -> Result<Self, OpenSessionError> {
        let (fs, layout) = (conversation.file_system(), conversation.layout());
        let stat = match conversation.stat(which) {
            Ok(stat) => Some(stat),
            Err(ReadError::NotFound { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let events = eventlog::read(fs, &layout.events_dir(which)).map_err(ReadError::Io)?;
        if stat.is_none() && events.is_none() {
            return Err(ReadError::NotFound { which: which.clone(), path: layout.transcript(which) }.into());
        }
        let is_closed = closed_as_left(events.as_ref(), stat.as_ref(), &layout.relative(which));
        let redone = match &events {
            Some(events) if !is_closed && events.ends_with_convlog() && !events.convlog_closed() => events.unsettled(),
            _ => &[],
        };
        let mut base = FilePlan::read(conversation, which, redone)?;
        if base.stat.is_none() {
            base.log = events.as_ref().and_then(eventlog::Reading::replay).unwrap_or_default();
        }
        let active_view = match which {
            Transcript::Main => conversation.active_view().map_err(ReadError::Io)?.map(Transcript::View),
            _ => None,
        };
        let mut sides = Vec::new();
        if *which == Transcript::Main {
            let unsettled = events.as_ref().map(eventlog::Reading::unsettled).unwrap_or_default();
            let named = unsettled.iter().filter_map(|event| event.convlog.as_ref()).flat_map(|stamp| &stamp.places);
            let named = named.filter_map(|place| Transcript::from_relative(&place.file));
            let named: BTreeSet<_> = named.chain(active_view.clone()).chain([Transcript::Lossless]).collect();
            for side in named.iter().filter(|side| *side != which) {
                let side = FilePlan::read(conversation, side, redone)?;
                sides.extend(side.stat.is_some().then_some(side));
            }
        }
        let mut plan = Self { base, sides, active_view, events, beyond: Vec::new(), checkpoint: false };
        plan.decide(is_closed);
        Ok(plan)
    }

    fn decide(&mut self, is_closed: bool) {
        let has_links = self.base.has_links();
        for side in &mut self.sides {
            side.rewrite = side.has_links();
        }
        let Some(events) = &self.events else {
            self.base.rewrite = has_links;
            return;
        };
        let (whole, torn) = (events.replay(), events.has_torn_end());
        let agrees = whole.as_ref().is_some_and(|whole| are_alike(whole, &self.base.log));
        if is_closed && !has_links && !torn && agrees {
            return;
        }
        for held in [&whole, &events.replay_to_last_convlog()].into_iter().flatten() {
            if !is_contained(held, &self.base.log) && !self.beyond.contains(held) {
                self.beyond.push(held.clone());
            }
        }
        let unclosed = events.last_convlog().is_some() && !events.convlog_closed();
        for side in &mut self.sides {
            side.rewrite |= side.put_back > 0 || unclosed;
        }
        self.base.rewrite = self.base.stat.is_none() || self.put_back() > 0 || unclosed || has_links;
        self.checkpoint = self.base.rewrite || !events.ends_with_convlog() || !agrees || torn;
    }

    fn put_back(&self) -> u64 {
        self.files().map(|file| file.put_back).fold(0, u64::saturating_add)
    }

    fn files(&self) -> impl Iterator<Item = &FilePlan> {
        std::iter::once(&self.base).chain(&self.sides)
    }

    /// The messages as they are to be.
    pub(crate) fn log(&self) -> &Log {
        &self.base.log
    }

    /// What the event log says the messages are.
    pub(crate) fn log_of_events(&self) -> Option<Log> {
        self.events.as_ref().and_then(eventlog::Reading::replay)
    }

    /// What carrying it out would do.
    pub(crate) fn report(&self) -> RecoveryReport {
        let quarantined = self.files().filter(|file| file.rewrite).map(|file| file.unreadable.len());
        RecoveryReport {
            put_back: self.put_back(),
            rebuilt: self.base.stat.is_none(),
            backups: Vec::new(),
            beyond: self.beyond.iter().map(Log::len).collect(),
            rewritten: self.base.rewrite,
            checkpointed: self.checkpoint,
            log_started: self.events.is_none(),
            quarantined: quarantined.fold(0, usize::saturating_add),
        }
    }
}

/// Whether the last that happened is that convlog closed the log, and the transcript is as it was then.
fn closed_as_left(events: Option<&eventlog::Reading>, stat: Option<&Stat>, file: &str) -> bool {
    let (Some(figures), Some(stat)) = (events.and_then(eventlog::Reading::last_close), stat) else { return false };
    figures.iter().any(|figures| &*figures.file == file && figures.fits(stat))
}

/// Whether every message of a log stands in another, in the same order, by role and content.
fn is_contained(log: &Log, within: &Log) -> bool {
    let mut others = within.iter();
    log.iter().all(|message: &Message| others.any(|other| other == message))
}
