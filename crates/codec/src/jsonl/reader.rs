//! Reading a transcript from its start: [`Reader`] as a stream, [`read`] as a whole.

use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::ops::Range;

use convlog_message::{Log, Message, Timestamp};

use super::decode::Decoder;
use super::lines::Lines;
use crate::report::{LineNumber, Report};

/// A message with its place in the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Entry {
    /// The message.
    pub message: Message,
    /// The line it stands on.
    pub line: LineNumber,
    /// The bytes of its JSON object, counted from the start of the file; without the newline.
    pub span: Range<u64>,
}

/// All that a transcript holds.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Reading {
    /// The messages.
    pub log: Log,
    /// What was odd.
    pub report: Report,
}

/// Reads a transcript message by message.
///
/// Every message that can be read is; what cannot, and whatever else is odd, goes into the report, and
/// only an error of the input ends the reading. Memory is bounded by the longest line and by the report;
/// who reads without end takes the findings out as they come ([`Reader::report_mut`]).
///
/// A message without a time gets the `fallback` (by FORMAT: the file's last change, in UTC).
///
/// ```
/// use convlog_codec::jsonl::Reader;
/// use convlog_message::Timestamp;
///
/// let file: &[u8] = b"{\"role\": \"user\", \"content\": \"hi\", \"timestamp\": \"2026-01-02T03:04:05\"}\n{\"role\": \"assis";
/// let mut reader = Reader::new(file, Timestamp::now());
/// assert_eq!(reader.next().unwrap()?.message.content(), "hi");
/// assert!(reader.next().is_none());
/// assert_eq!(reader.report().len(), 1); // the second line is cut short
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lines: Lines<R>,
    decoder: Decoder,
    /// Further messages of a line that holds several.
    waiting: VecDeque<Entry>,
}

impl<R: BufRead> Reader<R> {
    /// A reader of a transcript, from its first byte.
    pub fn new(input: R, fallback: Timestamp) -> Self {
        Self { lines: Lines::new(input), decoder: Decoder::new(fallback), waiting: VecDeque::new() }
    }

    /// What was odd so far.
    pub fn report(&self) -> &Report {
        &self.decoder.report
    }

    /// What was odd so far, to take findings out of it.
    pub fn report_mut(&mut self) -> &mut Report {
        &mut self.decoder.report
    }

    /// What was odd.
    pub fn into_report(self) -> Report {
        self.decoder.report
    }

    fn advance(&mut self) -> io::Result<Option<Entry>> {
        if let Some(entry) = self.waiting.pop_front() {
            return Ok(Some(entry));
        }
        let mut first = None;
        while first.is_none() {
            let Some(line) = self.lines.next_line()? else { return Ok(None) };
            let number = LineNumber::FromStart(line.number);
            self.decoder.decode(&line, number, |message, span| {
                let entry = Entry { message, line: number, span };
                match &first {
                    None => first = Some(entry),
                    Some(_) => self.waiting.push_back(entry),
                }
            });
        }
        Ok(first)
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}

/// Reads a transcript that is in memory. Whatever the bytes are, this succeeds.
///
/// ```
/// use convlog_codec::jsonl;
/// use convlog_message::Timestamp;
///
/// let reading = jsonl::read(b"\n[]\n", &Timestamp::now());
/// assert!(reading.log.is_empty());
/// assert_eq!(reading.report.skipped().count(), 1);
/// ```
#[must_use]
pub fn read(bytes: &[u8], fallback: &Timestamp) -> Reading {
    // A slice gives no errors, so what is read up to one is all there is.
    read_from(bytes, fallback).unwrap_or_default()
}

/// Reads a stream to its end.
///
/// # Errors
///
/// When the input does.
pub fn read_from(input: impl BufRead, fallback: &Timestamp) -> io::Result<Reading> {
    let mut reader = Reader::new(input, fallback.clone());
    let log = reader.by_ref().map(|entry| entry.map(|entry| entry.message)).collect::<io::Result<Log>>()?;
    Ok(Reading { log, report: reader.into_report() })
}
