//! Reading what a list needs of a transcript: [`Skimmer`].

use std::io::{self, BufRead};

use convlog_message::Timestamp;

use super::canonical::Canonical;
use super::decode::Decoder;
use super::lines::Lines;
use super::reader::Entry;
use super::skim::Skim;
use crate::report::{LineNumber, Report};

/// One message of a transcript, as far as it had to be read.
#[derive(Clone, Debug)]
pub enum Skimmed<'a> {
    /// On a line as gptme writes it: its text is not decoded.
    Plain(Skim<'a>),
    /// On any other line: read as a whole.
    Odd(Entry),
}

/// How far a transcript was read, for going on there when it has grown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Bytes; the next line begins here.
    pub offset: u64,
    /// Lines.
    pub lines: u64,
}

/// Reads a transcript line by line like [`Reader`](super::Reader), finds the same messages and the same
/// oddities, and decodes no text where a line is as gptme writes it.
///
/// ```
/// use convlog_codec::jsonl::{Skimmed, Skimmer};
/// use convlog_message::Timestamp;
///
/// let file: &[u8] = b"{\"role\": \"user\", \"content\": \"hi\", \"timestamp\": \"2026-01-02T03:04:05\"}\n{}\n";
/// let mut skimmer = Skimmer::new(file, Timestamp::now());
/// let mut found = 0;
/// while skimmer.next_line(|message| {
///     assert!(matches!(message, Skimmed::Plain(skim) if skim.raw_content() == b"hi"));
///     found += 1;
/// })? {}
/// assert_eq!((found, skimmer.report().len()), (1, 1)); // the second line is no message
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Skimmer<R> {
    lines: Lines<R>,
    canonical: Canonical,
    decoder: Decoder,
}

impl<R: BufRead> Skimmer<R> {
    /// A reader of a transcript, from its first byte; `fallback` is the time of messages that have none.
    pub fn new(input: R, fallback: Timestamp) -> Self {
        Self::resume(input, fallback, Position::default())
    }

    /// A reader that goes on where another ended: `input` stands at that offset.
    pub fn resume(input: R, fallback: Timestamp, at: Position) -> Self {
        let lines = Lines::resume(input, at);
        Self { lines, canonical: Canonical::default(), decoder: Decoder::new(fallback) }
    }

    /// Reads one line and hands over each message on it: none on a line that cannot be read, one as a rule,
    /// several where newlines were lost. `false` at the end of the file.
    ///
    /// # Errors
    ///
    /// When the input cannot be read.
    pub fn next_line(&mut self, mut visit: impl FnMut(Skimmed<'_>)) -> io::Result<bool> {
        let Some(line) = self.lines.next_line()? else { return Ok(false) };
        let bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if line.nuls == 0
            && let Some(skim) = self.canonical.skim(bytes)
        {
            visit(Skimmed::Plain(Skim { offset: line.offset, ..skim }));
        } else {
            let number = LineNumber::FromStart(line.number);
            self.decoder.decode(&line, number, |message, span| {
                visit(Skimmed::Odd(Entry { message, line: number, span }));
            });
        }
        Ok(true)
    }

    /// Reads one line and says how many messages are on it, by its looks alone where both its ends are those
    /// that gptme writes; `None` at the end of the file.
    ///
    /// # Errors
    ///
    /// When the input cannot be read.
    pub fn count_line(&mut self) -> io::Result<Option<u64>> {
        let Some(line) = self.lines.next_line()? else { return Ok(None) };
        let bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if line.nuls == 0 && bytes.starts_with(b"{\"role\": \"") && bytes.ends_with(b"}") {
            return Ok(Some(1));
        }
        let mut count = 0_u64;
        self.decoder.decode(&line, LineNumber::FromStart(line.number), |_, _| count = count.saturating_add(1));
        Ok(Some(count))
    }

    /// How far it was read; `None` behind a last line that no newline ends, for it may yet grow.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        self.lines.position()
    }

    /// What was odd so far.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.decoder.report
    }

    /// What was odd so far, to take findings out of it.
    pub fn report_mut(&mut self) -> &mut Report {
        &mut self.decoder.report
    }

    /// The input; it may have been read farther than the lines handed over.
    #[must_use]
    pub fn input(&self) -> &R {
        self.lines.input()
    }

    /// The input, and what was odd.
    #[must_use]
    pub fn into_parts(self) -> (R, Report) {
        (self.lines.into_input(), self.decoder.report)
    }
}
