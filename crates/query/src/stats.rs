//! Counting over many conversations: [`LogsDir::stats`].

mod figures;
mod piece;

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use convlog_message::{Message, Zone};
use convlog_store::{ConversationId, Transcript};

use crate::in_order::{Sink, in_order};
use crate::{ListError, LogsDir, SkippedEntry, Tests};

pub use figures::{BadNumber, DayTally, ModelTally, Stats, ToolTally};
use piece::{Counter, Piece};

/// So many messages are handed over at a time.
const BATCH: usize = 512;

/// Says which tools a message calls.
pub type ToolCalls<'a> = &'a (dyn Fn(&Message) -> Vec<String> + Sync);

/// What is counted.
#[derive(Clone)]
#[non_exhaustive]
pub struct StatsOptions<'a> {
    /// The zone of days and hours, and how times without an offset are understood.
    pub zone: Zone,
    /// Only these conversations; all when there is none.
    pub ids: Vec<ConversationId>,
    /// Whether those of tests are counted.
    pub tests: Tests,
    /// Only messages since then, in seconds since 1970.
    pub since: Option<f64>,
    /// Which tools a message calls; without it no calls are counted, only results.
    pub calls: Option<ToolCalls<'a>>,
    /// On how many threads.
    pub threads: NonZeroUsize,
}

impl std::fmt::Debug for StatsOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StatsOptions")
            .field("zone", &self.zone)
            .field("ids", &self.ids)
            .field("tests", &self.tests)
            .field("since", &self.since)
            .finish_non_exhaustive()
    }
}

impl Default for StatsOptions<'_> {
    /// All conversations but those of tests, in the local zone, on one thread.
    fn default() -> Self {
        Self {
            zone: Zone::Local,
            ids: Vec::new(),
            tests: Tests::Without,
            since: None,
            calls: None,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// What comes of counting one conversation, part by part.
enum Part {
    Pieces(Vec<Piece>),
    End { unreadable: u64, bad: Vec<BadNumber> },
    Skipped(SkippedEntry),
}

impl LogsDir {
    /// Counts the messages of main of all conversations. A message that stands in several conversations, since
    /// one was forked from the other, counts once. Nothing in the directory is changed.
    ///
    /// Memory is 16 bytes or so a message, and a constant for a single conversation. `each` is called after
    /// every conversation.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed; a conversation that cannot be read is left out and told.
    pub fn stats(
        &self,
        options: &StatsOptions<'_>,
        mut each: impl FnMut(),
    ) -> Result<(Stats, Vec<SkippedEntry>), ListError> {
        let (mut stats, mut skipped) = (Stats::default(), Vec::new());
        let mut ids = options.ids.clone();
        if ids.is_empty() {
            for place in self.places(options.tests)? {
                match place {
                    Ok(place) if self.check(place.id.as_str().as_ref()).is_some() => ids.push(place.id),
                    Ok(_) => {}
                    Err(entry) => skipped.push(entry),
                }
            }
        }
        let mut seen = (ids.len() > 1).then(HashMap::new);
        let mut number = 0_u32;
        let work = |(): &mut (), id: ConversationId, sink: &Sink<Part>| {
            if let Err(entry) = self.count(&id, options, sink) {
                let _ = sink.send(Part::Skipped(entry));
            }
        };
        let _ = in_order(options.threads, ids.into_iter(), work, |part| {
            match part {
                Part::Pieces(pieces) => {
                    for piece in pieces {
                        let first = match (&mut seen, piece.hash) {
                            (Some(seen), Some(hash)) => *seen.entry(hash).or_insert(number),
                            _ => number,
                        };
                        if first == number { stats.add(piece) } else { stats.shared = stats.shared.saturating_add(1) }
                    }
                }
                Part::End { unreadable, bad } => {
                    stats.end(unreadable, bad);
                    number = number.saturating_add(1);
                    each();
                }
                Part::Skipped(entry) => {
                    skipped.push(entry);
                    number = number.saturating_add(1);
                }
            }
            ControlFlow::Continue(())
        });
        Ok((stats, skipped))
    }

    fn count(&self, id: &ConversationId, options: &StatsOptions<'_>, sink: &Sink<Part>) -> Result<(), SkippedEntry> {
        let path = || self.path().join(id.as_str());
        let conversation = self.open(id).map_err(|source| SkippedEntry::Open { path: path(), source })?;
        let mut reader = conversation.stream(&Transcript::Main).map_err(SkippedEntry::Read)?;
        let mut counter = Counter::new(id, options);
        let mut pieces = Vec::new();
        let mut unreadable = 0_u64;
        while let Some(entry) = reader.next() {
            let entry = entry.map_err(|source| {
                let path = conversation.layout().transcript(&Transcript::Main);
                SkippedEntry::Read(convlog_store::ReadError::Stream { path, source })
            })?;
            let skipped = reader.report_mut().drain().filter(|finding| finding.problem.is_skipped()).count();
            unreadable = unreadable.saturating_add(skipped as u64);
            pieces.extend(counter.piece(&entry));
            if pieces.len() >= BATCH && sink.send(Part::Pieces(std::mem::take(&mut pieces))).is_break() {
                return Ok(());
            }
        }
        unreadable = unreadable.saturating_add(reader.report().skipped().count() as u64);
        let _ = sink.send(Part::Pieces(pieces));
        let _ = sink.send(Part::End { unreadable, bad: counter.into_bad() });
        Ok(())
    }
}
