//! The bytes that an append adds to a transcript, and where each line is about to stand.

use std::ops::Range;
use std::sync::Arc;

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_eventlog::Place;
use convlog_message::Message;

use super::journal::{Journal, OpenTranscript};

/// Messages as lines.
pub(super) struct Lines {
    pub(super) bytes: Vec<u8>,
    /// Where each line ends, its newline included.
    ends: Vec<usize>,
}

impl Lines {
    pub(super) fn new(messages: &[Message]) -> Self {
        let mut lines = Self { bytes: Vec::new(), ends: Vec::with_capacity(messages.len()) };
        for message in messages {
            write_line(message, Style::Gptme, &mut lines.bytes);
            lines.ends.push(lines.bytes.len());
        }
        lines
    }

    /// The object of each message, without its newline.
    pub(super) fn objects(&self) -> impl Iterator<Item = &[u8]> {
        self.spans().map(|span| {
            let object = span.start..span.end.saturating_sub(1);
            self.bytes.get(object).unwrap_or_default()
        })
    }

    fn spans(&self) -> impl Iterator<Item = Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| start..*end)
    }

    /// Where each line is about to stand in each transcript of a journal: for every line as many places as the
    /// journal has transcripts.
    pub(super) fn places(&self, journal: &Journal) -> Vec<Place> {
        let of = |span: &Range<usize>, transcript: &OpenTranscript| {
            let (left, guard) = (transcript.file.left(), transcript.file.guard().len());
            let at = |offset: usize| left.len.saturating_add(offset as u64);
            // The newline that is supplied before the first line belongs to its place.
            let start = if span.start == 0 { 0 } else { span.start.saturating_add(guard) };
            let range = at(start)..at(span.end.saturating_add(guard));
            Place { file: Arc::clone(&transcript.name), id: left.id, range }
        };
        self.spans().flat_map(|span| journal.transcripts().map(move |transcript| of(&span, transcript))).collect()
    }
}
