//! `Scan`: all that a reader finds in the bytes of a log.

use std::ops::Range;

use convlog_message::Timestamp;
use memchr::memchr;

use super::link::Link;
use super::part::Part;
use super::side_by_side::side_by_side;
use crate::chain::Chain;
use crate::event::Event;
use crate::report::{Oddity, OddityKind, Report};
use crate::{Hash, Seq};

/// How long a block is at least; a shorter log is one block.
const BLOCK: usize = 256 << 10;

/// What was found in a log.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) events: Vec<Event>,
    pub(crate) report: Report,
    pub(crate) links: Vec<Link>,
    /// The highest number of any event, 0 without one.
    pub(crate) highest: u64,
    /// The number of the last checkpoint.
    pub(crate) checkpoint: Option<Seq>,
    /// How many bytes the payloads of the events since take.
    pub(crate) since: u64,
    /// Whether the last JSON value, event or not, is convlog's.
    pub(crate) ends_with_convlog: bool,
    /// Whether the file is empty or its last line has a newline.
    pub(crate) ends_in_newline: bool,
    /// The number of the last event, 0 without one.
    last: u64,
    lines: u64,
}

impl Scan {
    /// Reads all events from the bytes of a log. `fallback` is the time of messages that have none.
    pub(crate) fn new(bytes: &[u8], fallback: &Timestamp) -> Self {
        let blocks = blocks(bytes);
        let read = |block: usize| Part::read(bytes, blocks.get(block).cloned().unwrap_or_default(), fallback);
        let mut scan = Self { ends_in_newline: bytes.last().is_none_or(|last| *last == b'\n'), ..Self::default() };
        for part in side_by_side(blocks.len(), read) {
            scan.join(part, bytes);
        }
        scan.report.sort();
        scan
    }

    /// Adds what the next block holds.
    fn join(&mut self, part: Part, bytes: &[u8]) {
        let Part { mut events, report, mut links, lines, checkpoint, since, ends_with_convlog } = part;
        let (first_event, first_line) = (self.events.len(), self.lines);
        for mut oddity in report {
            oddity.line = oddity.line.saturating_add(first_line);
            self.report.push(oddity);
        }
        for event in &mut events {
            event.line = event.line.saturating_add(first_line);
            self.number(event.seq.get(), event.line, &event.span);
        }
        self.events.append(&mut events);
        for link in &mut links {
            link.line = link.line.saturating_add(first_line);
            link.events = link.events.start.saturating_add(first_event)..link.events.end.saturating_add(first_event);
        }
        // The first one reaches back into the blocks before.
        if let Some(link) = links.first_mut() {
            let before = self.links.last();
            link.covers.start = before.map_or(0, |before| before.end);
            link.events.start = before.map_or(0, |before| before.events.end);
            link.check(before.map_or(Hash::ZERO, |before| before.hash), bytes);
            for event in self.events.get_mut(link.events.clone()).into_iter().flatten() {
                event.chain = link.state();
            }
        }
        self.links.append(&mut links);
        (self.checkpoint, self.since) = match checkpoint {
            Some(_) => (checkpoint, since),
            None => (self.checkpoint, self.since.saturating_add(since)),
        };
        self.ends_with_convlog = ends_with_convlog.unwrap_or(self.ends_with_convlog);
        self.lines = first_line.saturating_add(lines);
    }

    /// Compares a number with those before it.
    fn number(&mut self, seq: u64, line: u64, span: &Range<u64>) {
        let (last, highest) = (self.last, self.highest);
        let kind = if last == 0 || Some(seq) == highest.checked_add(1) {
            None
        } else if seq == last {
            Some(OddityKind::SeqRepeats { seq })
        } else if seq <= highest {
            Some(OddityKind::SeqFalls { seq, highest })
        } else {
            Some(OddityKind::SeqGap { seq, highest })
        };
        if let Some(kind) = kind {
            self.report.push(Oddity { line, span: span.clone(), kind });
        }
        self.last = seq;
        self.highest = highest.max(seq);
    }

    /// The chain at the end of the bytes.
    pub(crate) fn chain(&self, bytes: &[u8]) -> Chain {
        let (mut chain, from) = match self.links.last() {
            Some(link) => (Chain::after(link.hash), link.end),
            None => (Chain::start(), 0),
        };
        chain.add(bytes.get(from..).unwrap_or_default());
        chain
    }
}

/// Cuts the bytes into blocks of whole lines.
fn blocks(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    while start < bytes.len() {
        let least = start.saturating_add(BLOCK).min(bytes.len());
        let newline = bytes.get(least..).and_then(|rest| memchr(b'\n', rest));
        let end = newline.map_or(bytes.len(), |at| least.saturating_add(at).saturating_add(1));
        blocks.push(start..end);
        start = end;
    }
    blocks
}
