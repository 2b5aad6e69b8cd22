//! Reading a transcript from its end: [`TailReader`].

use std::io::{self, ErrorKind, Read, Seek, SeekFrom};

use convlog_message::Timestamp;
use memchr::memrchr;

use super::decode::Decoder;
use super::lines::Line;
use super::reader::Entry;
use crate::report::{LineNumber, Report};

/// How much is read at a time, at first.
const BLOCK: usize = 32 << 10;

/// So many NUL bytes are a hole in the file, where no line goes on.
const HOLE: usize = 1 << 20;

/// Reads a transcript message by message, the last one first, and reads no more of the file than that
/// takes.
///
/// Lines are numbered from the end. The report has its findings in the order of the file as far as it
/// was read. Memory is bounded by a small multiple of the longest line; a long run of NUL bytes
/// counts as the end of one.
///
/// ```
/// use std::io::Cursor;
/// use convlog_codec::jsonl::TailReader;
/// use convlog_message::Timestamp;
///
/// let file = Cursor::new(b"{\"role\":\"user\",\"content\":\"one\"}\n{\"role\":\"user\",\"content\":\"two\"}\n");
/// let mut tail = TailReader::new(file, Timestamp::now())?;
/// assert_eq!(tail.next().unwrap()?.message.content(), "two");
/// assert_eq!(tail.next().unwrap()?.message.content(), "one");
/// assert!(tail.next().is_none());
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct TailReader<R> {
    input: R,
    /// Bytes of the file that are read and not yet used up; its end is the end of the next line.
    block: Vec<u8>,
    /// Where the block begins in the file.
    offset: u64,
    number: u64,
    /// Whether the line that ends the block has a newline.
    ended: bool,
    done: bool,
    decoder: Decoder,
    /// Further messages of a line that holds several, the first one first.
    waiting: Vec<Entry>,
    /// The findings so far, the last line's first.
    findings: Report,
}

impl<R: Read + Seek> TailReader<R> {
    /// A reader that starts at the end that the input has now. `fallback` as for
    /// [`Reader`](super::Reader).
    ///
    /// # Errors
    ///
    /// When the input cannot be read there.
    pub fn new(mut input: R, fallback: Timestamp) -> io::Result<Self> {
        let offset = input.seek(SeekFrom::End(0))?;
        let mut tail = Self {
            input,
            block: Vec::new(),
            offset,
            number: 0,
            ended: false,
            done: offset == 0,
            decoder: Decoder::new(fallback),
            waiting: Vec::new(),
            findings: Report::default(),
        };
        tail.read_block()?;
        if tail.block.last() == Some(&b'\n') {
            tail.block.pop();
            tail.ended = true;
        }
        Ok(tail)
    }

    /// What was odd so far, in the order of the file.
    pub fn into_report(self) -> Report {
        let mut report = self.findings;
        report.reverse();
        report
    }

    /// Puts what comes before the block in front of it: as much as it is long, so that a long line costs
    /// linear time.
    fn read_block(&mut self) -> io::Result<()> {
        let wanted = u64::try_from(self.block.len().max(BLOCK)).unwrap_or(u64::MAX).min(self.offset);
        self.offset = self.offset.saturating_sub(wanted);
        self.input.seek(SeekFrom::Start(self.offset))?;
        let length = usize::try_from(wanted).map_err(|_| ErrorKind::OutOfMemory)?;
        let mut longer = vec![0; length];
        self.input.read_exact(&mut longer)?;
        longer.append(&mut self.block);
        self.block = longer;
        Ok(())
    }

    fn advance(&mut self) -> io::Result<Option<Entry>> {
        while self.waiting.is_empty() && !self.done {
            self.read_line()?;
        }
        Ok(self.waiting.pop())
    }

    /// Decodes the line that ends the block, and takes it off.
    fn read_line(&mut self) -> io::Result<()> {
        let mut unsearched = self.block.len();
        // NUL bytes at the front of the block, and those that were dropped behind it.
        let (mut run, mut dropped) = (0_usize, 0_u64);
        let start = loop {
            let head = self.block.get(..unsearched).unwrap_or_default();
            if let Some(newline) = memrchr(b'\n', head) {
                break newline.saturating_add(1);
            }
            if self.offset == 0 {
                self.done = true;
                break 0;
            }
            let before = self.block.len();
            self.read_block()?;
            unsearched = self.block.len().saturating_sub(before);
            let is_nul = |bytes: Option<&[u8]>| bytes.unwrap_or_default().iter().all(|byte| *byte == 0);
            run = if is_nul(self.block.get(..unsearched)) { run.saturating_add(unsearched) } else { 0 };
            if run >= HOLE {
                if !is_nul(self.block.get(run..)) {
                    break run;
                }
                dropped = dropped.saturating_add(self.block.len() as u64);
                self.block.clear();
                (run, unsearched) = (0, 0);
            }
        };
        self.number = self.number.saturating_add(1);
        let number = LineNumber::FromEnd(self.number);
        let bytes = self.block.get(start..).unwrap_or_default();
        let offset = self.offset.saturating_add(start as u64);
        let line = Line { bytes, number: self.number, offset, ended: self.ended, nuls: dropped };
        let waiting = &mut self.waiting;
        self.decoder.decode(&line, number, |message, span| waiting.push(Entry { message, line: number, span }));
        let mut findings: Vec<_> = self.decoder.report.drain().collect();
        findings.reverse();
        findings.into_iter().for_each(|finding| self.findings.push(finding));
        self.block.truncate(start.saturating_sub(1));
        self.ended = true;
        Ok(())
    }
}

impl<R: Read + Seek> Iterator for TailReader<R> {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<Self::Item> {
        self.advance().transpose()
    }
}
