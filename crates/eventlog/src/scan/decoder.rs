//! `Scan`: all that a reader finds in the bytes of a log.

use std::ops::Range;

use convlog_codec::jsonl::MessageReader;
use convlog_message::Timestamp;
use memchr::memchr;

use super::line::Line;
use crate::chain::Chain;
use crate::event::{ChainState, Event, EventKind, EventTime};
use crate::report::{Oddity, OddityKind, Report};
use crate::stamp::{FileNames, Found};
use crate::{Hash, Seq};

/// What was found in a log.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) events: Vec<Event>,
    pub(crate) report: Report,
    pub(crate) links: Vec<Link>,
    /// The number of the last event.
    pub(crate) last: u64,
    /// The highest number of any event.
    pub(crate) highest: u64,
    /// The number of the last checkpoint.
    pub(crate) checkpoint: Option<Seq>,
    /// How many bytes the payloads of the events since take.
    pub(crate) since: u64,
    /// Whether the last JSON value, event or not, is convlog's; a value within a torn line does not count.
    pub(crate) ends_with_convlog: bool,
    /// Whether the file is empty or its last line has a newline.
    pub(crate) ends_in_newline: bool,
}

/// The bytes that one hash covers, beside the hash before.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The line of the stamp.
    pub(crate) line: u64,
    /// From the end of the hash member before to the start of this one.
    pub(crate) covers: Range<usize>,
    /// Where the hash member ends.
    pub(crate) end: usize,
    /// The events that stand there.
    pub(crate) events: Range<usize>,
    /// Where the value with the stamp begins.
    pub(crate) value: usize,
    pub(crate) hash: Hash,
    pub(crate) carries: Option<Hash>,
    pub(crate) fits: bool,
    /// Whether what the stamp carries fits; true where there is nothing to compare it with.
    pub(crate) carries_fit: bool,
}

impl Scan {
    /// Reads all events from the bytes of a log. `fallback` is the time of messages that have none.
    pub(crate) fn new(bytes: &[u8], fallback: &Timestamp) -> Self {
        let mut decoder = Decoder {
            bytes,
            reader: MessageReader::new(fallback.clone()),
            files: FileNames::default(),
            problems: Vec::new(),
            scan: Self::default(),
        };
        let (mut rest, mut number) = (bytes, 0_u64);
        while !rest.is_empty() {
            number = number.saturating_add(1);
            let (line, behind, ended) = match memchr(b'\n', rest) {
                Some(at) => {
                    let (line, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
                    (line, behind.get(1..).unwrap_or_default(), true)
                }
                None => (rest, &[][..], false),
            };
            decoder.line(&Line { bytes: line, number, ended });
            rest = behind;
        }
        let mut scan = decoder.scan;
        scan.ends_in_newline = bytes.last().is_none_or(|last| *last == b'\n');
        scan.check(bytes);
        scan
    }

    /// Compares each hash with the bytes that it covers.
    fn check(&mut self, bytes: &[u8]) {
        let mut before = Hash::ZERO;
        for link in &mut self.links {
            let mut chain = Chain::after(before);
            let value = link.value.clamp(link.covers.start, link.covers.end);
            if let Some(carries) = link.carries.filter(|_| value > 0) {
                chain.add(bytes.get(link.covers.start..value).unwrap_or_default());
                link.carries_fit = chain.hash() == carries;
                chain.add(bytes.get(value..link.covers.end).unwrap_or_default());
            } else {
                chain.add(bytes.get(link.covers.clone()).unwrap_or_default());
            }
            link.fits = chain.hash() == link.hash;
            before = link.hash;
            let state = if link.fits { ChainState::Fits } else { ChainState::Broken };
            for event in self.events.get_mut(link.events.clone()).into_iter().flatten() {
                event.chain = state;
            }
        }
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

/// Decodes line by line.
pub(super) struct Decoder<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) reader: MessageReader,
    pub(super) files: FileNames,
    /// What was odd about the messages of the value under way.
    pub(super) problems: Vec<OddityKind>,
    pub(super) scan: Scan,
}

/// One value of a line, decoded.
pub(super) struct Decoded {
    /// `None` when it is no event: the reason is among the problems.
    pub(super) event: Option<(Seq, EventTime, EventKind)>,
    /// How many bytes its payload takes.
    pub(super) weight: usize,
    pub(super) found: Option<Found>,
    /// Where in the text of the value the hash member stands.
    pub(super) hash: Range<usize>,
}

impl Decoder<'_> {
    /// Takes a value that was decoded from `text`, on a line of that number.
    pub(super) fn accept(&mut self, decoded: Decoded, text: &[u8], line: u64) {
        let start = self.offset(text);
        let span = start as u64..start.saturating_add(text.len()) as u64;
        for kind in std::mem::take(&mut self.problems) {
            self.scan.report.push(Oddity { line, span: span.clone(), kind });
        }
        // A value within a torn line, such as a number of its stamp, is no work of another program.
        if decoded.found.is_some() || decoded.event.is_some() || self.stands_alone(text) {
            self.scan.ends_with_convlog = decoded.found.is_some();
        }
        let covered = self.scan.links.last().map_or(0, |link| link.events.end);
        if let Some((seq, ts, kind)) = decoded.event {
            self.number(seq.get(), line, &span);
            if matches!(kind, EventKind::Checkpoint(_)) {
                (self.scan.checkpoint, self.scan.since) = (Some(seq), 0);
            } else {
                self.scan.since = self.scan.since.saturating_add(decoded.weight as u64);
            }
            let convlog = decoded.found.as_ref().map(|found| found.stamp.clone());
            self.scan.events.push(Event { line, span, seq, ts, kind, convlog, chain: ChainState::Uncovered });
        }
        if let Some(found) = decoded.found {
            let from = self.scan.links.last().map_or(0, |link| link.end);
            let at = |offset: usize| start.saturating_add(offset);
            self.scan.links.push(Link {
                line,
                covers: from..at(decoded.hash.start),
                end: at(decoded.hash.end),
                events: covered..self.scan.events.len(),
                value: start,
                hash: found.stamp.hash,
                carries: found.stamp.carries,
                fits: false,
                carries_fit: true,
            });
        }
    }

    /// Whether a value has its line for itself.
    fn stands_alone(&self, text: &[u8]) -> bool {
        let blank = |byte: &&u8| !matches!(byte, b' ' | b'\t' | b'\r');
        let start = self.offset(text);
        let before = self.bytes.get(..start).unwrap_or_default();
        let behind = self.bytes.get(start.saturating_add(text.len())..).unwrap_or_default();
        let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| *byte == b'\n');
        is_end(before.iter().rev().find(blank)) && is_end(behind.iter().find(blank))
    }

    /// Compares a number with those before it.
    fn number(&mut self, seq: u64, line: u64, span: &Range<u64>) {
        let (last, highest) = (self.scan.last, self.scan.highest);
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
            self.scan.report.push(Oddity { line, span: span.clone(), kind });
        }
        self.scan.last = seq;
        self.scan.highest = highest.max(seq);
    }

    pub(super) fn report(&mut self, text: &[u8], line: u64, kind: OddityKind) {
        let start = self.offset(text);
        let span = start as u64..start.saturating_add(text.len()) as u64;
        self.scan.report.push(Oddity { line, span, kind });
    }

    /// Where in the file a part of it begins.
    pub(super) fn offset(&self, part: &[u8]) -> usize {
        part.as_ptr().addr().saturating_sub(self.bytes.as_ptr().addr())
    }
}
