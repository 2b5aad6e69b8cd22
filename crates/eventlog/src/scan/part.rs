//! `Part`: what one block of lines holds; and the decoder that finds it out.

use std::ops::Range;

use convlog_codec::jsonl::MessageReader;
use convlog_message::Timestamp;
use memchr::memchr;

use super::line::Line;
use super::link::Link;
use crate::Seq;
use crate::event::{ChainState, Event, EventKind, EventTime};
use crate::report::{Oddity, OddityKind};
use crate::stamp::{FileNames, Found};

/// What a block of lines holds. Lines and events are counted from its start, bytes from that of the file.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) events: Vec<Event>,
    pub(super) report: Vec<Oddity>,
    /// The first one reaches back before the block, and is not checked.
    pub(super) links: Vec<Link>,
    /// How many lines there are.
    pub(super) lines: u64,
    /// The number of the last checkpoint.
    pub(super) checkpoint: Option<Seq>,
    /// How many bytes the payloads of the events since take.
    pub(super) since: u64,
    /// Whether the last JSON value is convlog's; `None` without one.
    pub(super) ends_with_convlog: Option<bool>,
}

impl Part {
    /// Reads a block of a file.
    pub(super) fn read(bytes: &[u8], block: Range<usize>, fallback: &Timestamp) -> Self {
        let mut decoder = Decoder {
            bytes,
            fallback,
            reader: MessageReader::new(fallback.clone()),
            files: FileNames::default(),
            problems: Vec::new(),
            part: Self::default(),
        };
        let mut rest = bytes.get(block).unwrap_or_default();
        while !rest.is_empty() {
            decoder.part.lines = decoder.part.lines.saturating_add(1);
            let (line, behind, ended) = match memchr(b'\n', rest) {
                Some(at) => {
                    let (line, behind) = rest.split_at_checked(at).unwrap_or((rest, &[]));
                    (line, behind.get(1..).unwrap_or_default(), true)
                }
                None => (rest, &[][..], false),
            };
            decoder.line(&Line { bytes: line, number: decoder.part.lines, ended });
            rest = behind;
        }
        let mut part = decoder.part;
        part.check(bytes);
        part
    }

    /// Compares each hash but the first with the bytes that it covers.
    fn check(&mut self, bytes: &[u8]) {
        let mut before = None;
        for link in &mut self.links {
            if let Some(before) = before {
                link.check(before, bytes);
                for event in self.events.get_mut(link.events.clone()).into_iter().flatten() {
                    event.chain = link.state();
                }
            }
            before = Some(link.hash);
        }
    }
}

/// Decodes line by line.
pub(super) struct Decoder<'a> {
    pub(super) bytes: &'a [u8],
    pub(super) fallback: &'a Timestamp,
    pub(super) reader: MessageReader,
    pub(super) files: FileNames,
    /// What was odd about the messages of the value under way.
    pub(super) problems: Vec<OddityKind>,
    part: Part,
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
            self.part.report.push(Oddity { line, span: span.clone(), kind });
        }
        // A value within a torn line, such as a number of its stamp, is no work of another program.
        if decoded.found.is_some() || decoded.event.is_some() || self.stands_alone(text) {
            self.part.ends_with_convlog = Some(decoded.found.is_some());
        }
        let covered = self.part.links.last().map_or(0, |link| link.events.end);
        let (stamp, hash) = match decoded.found {
            Some(Found { stamp, .. }) => (Some(stamp), decoded.hash),
            None => (None, 0..0),
        };
        let link = stamp.as_ref().map(|stamp| (stamp.hash, stamp.carries));
        if let Some((seq, ts, kind)) = decoded.event {
            if matches!(kind, EventKind::Checkpoint(_)) {
                (self.part.checkpoint, self.part.since) = (Some(seq), 0);
            } else {
                self.part.since = self.part.since.saturating_add(decoded.weight as u64);
            }
            self.part.events.push(Event { line, span, seq, ts, kind, convlog: stamp, chain: ChainState::Uncovered });
        }
        if let Some((stated, carries)) = link {
            let from = self.part.links.last().map_or(0, |link| link.end);
            self.part.links.push(Link {
                line,
                covers: from..start.saturating_add(hash.start),
                end: start.saturating_add(hash.end),
                events: covered..self.part.events.len(),
                value: start,
                hash: stated,
                carries,
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

    pub(super) fn report(&mut self, text: &[u8], line: u64, kind: OddityKind) {
        let start = self.offset(text);
        let span = start as u64..start.saturating_add(text.len()) as u64;
        self.part.report.push(Oddity { line, span, kind });
    }

    /// Where in the file a part of it begins.
    pub(super) fn offset(&self, part: &[u8]) -> usize {
        part.as_ptr().addr().saturating_sub(self.bytes.as_ptr().addr())
    }
}
