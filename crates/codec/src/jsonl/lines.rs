//! Cutting a stream into lines, each lent out from the buffer where possible.

use std::io::{self, BufRead, ErrorKind};

use memchr::memchr;

use super::skimmer::Position;

/// Beyond this a buffer that one long line made is given back.
const KEEP: usize = 1 << 20;

/// One line, without the newline that ends it.
pub(super) struct Line<'a> {
    pub(super) bytes: &'a [u8],
    /// Counted from 1.
    pub(super) number: u64,
    /// Where it begins in the stream.
    pub(super) offset: u64,
    /// Whether a newline ends it; only the last line may lack one.
    pub(super) ended: bool,
    /// NUL bytes before it that belong to the line and are left out: very many.
    pub(super) nuls: u64,
}

/// The lines of a stream. Records end at byte 0x0A and nowhere else.
///
/// Memory is bounded by the longest line; a long run of NUL bytes that a line begins with counts for nothing,
/// since a hole in a file is read as one, however large.
#[derive(Debug)]
pub(super) struct Lines<R> {
    input: R,
    /// How much of the input's buffer the line lent out last has taken.
    lent: usize,
    /// A line that does not lie in the input's buffer as a whole.
    spill: Vec<u8>,
    number: u64,
    offset: u64,
    /// Whether a newline ended the line lent out last.
    ended: bool,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self::resume(input, Position::default())
    }

    /// The lines behind a place where a line begins; `input` stands there.
    pub(super) fn resume(input: R, at: Position) -> Self {
        Self { input, lent: 0, spill: Vec::new(), number: at.lines, offset: at.offset, ended: true }
    }

    pub(super) fn input(&self) -> &R {
        &self.input
    }

    pub(super) fn into_input(self) -> R {
        self.input
    }

    /// How far the lines lent out go, when a newline ended the last one.
    pub(super) fn position(&self) -> Option<Position> {
        self.ended.then_some(Position { offset: self.offset, lines: self.number })
    }

    /// The next line, or `None` at the end.
    pub(super) fn next_line(&mut self) -> io::Result<Option<Line<'_>>> {
        self.input.consume(std::mem::take(&mut self.lent));
        self.spill.clear();
        self.spill.shrink_to(KEEP);
        let (mut nuls, mut only_nul) = (0_u64, true);
        let ended = loop {
            let block = fill(&mut self.input)?;
            if block.is_empty() {
                break false;
            }
            if let Some(at) = memchr(b'\n', block) {
                self.lent = at.saturating_add(1);
                break true;
            }
            let length = block.len();
            only_nul = only_nul && is_nul(block);
            self.spill.extend_from_slice(block);
            self.input.consume(length);
            if only_nul && self.spill.len() >= KEEP {
                nuls = nuls.saturating_add(self.spill.len() as u64);
                self.spill.clear();
            }
        };
        if !ended && self.spill.is_empty() && nuls == 0 {
            return Ok(None);
        }
        self.ended = ended;
        let (number, offset) = (self.number.saturating_add(1), self.offset.saturating_add(nuls));
        let tail =
            if ended { fill(&mut self.input)?.get(..self.lent.saturating_sub(1)).unwrap_or_default() } else { &[] };
        let length = self.spill.len().saturating_add(tail.len()).saturating_add(usize::from(ended));
        self.number = number;
        self.offset = offset.saturating_add(length as u64);
        let bytes = if self.spill.is_empty() {
            tail
        } else {
            self.spill.extend_from_slice(tail);
            &self.spill
        };
        Ok(Some(Line { bytes, number, offset, ended, nuls }))
    }
}

fn is_nul(block: &[u8]) -> bool {
    block.iter().all(|byte| *byte == 0)
}

/// How often reading is tried again when signals come between.
const INTERRUPTIONS: u32 = 128;

/// The input's buffer, read again when a signal came between.
fn fill(input: &mut impl BufRead) -> io::Result<&[u8]> {
    let mut interruptions = 0_u32;
    loop {
        match input.fill_buf() {
            Ok([]) => return Ok(&[]),
            Ok(_) => break,
            Err(error) if error.kind() == ErrorKind::Interrupted && interruptions < INTERRUPTIONS => {
                interruptions = interruptions.saturating_add(1);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {
                return Err(io::Error::new(ErrorKind::TimedOut, "interrupted by signals again and again"));
            }
            Err(error) => return Err(error),
        }
    }
    // Asked once more: a borrow cannot leave the loop. A buffer that is not empty is not read again.
    input.fill_buf()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;

    #[test]
    fn lines_are_the_same_whatever_the_buffer() {
        let text: &[u8] = b"one\n\nthree is longer\n\rfour\xe2\x80\xa8\n five";
        for capacity in 1..30 {
            let mut lines = Lines::new(BufReader::with_capacity(capacity, text));
            let mut found = Vec::new();
            while let Some(line) = lines.next_line().unwrap() {
                assert_eq!(line.number, found.len() as u64 + 1);
                assert!(text[line.offset as usize..].starts_with(line.bytes));
                assert_eq!((line.ended, line.nuls), (line.number < 5, 0));
                found.push(line.bytes.to_vec());
            }
            let expected: Vec<_> = text.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
            assert_eq!(found, expected, "{capacity}");
        }
    }

    /// A hole of gigabytes (a crash on some file systems) is one line of NUL bytes.
    #[test]
    fn a_run_of_nul_bytes_takes_no_memory() {
        let text = [b"one\n".as_slice(), &[0; 5 << 20], b"two\nthree"].concat();
        let mut lines = Lines::new(BufReader::with_capacity(64 << 10, text.as_slice()));
        let mut found = Vec::new();
        while let Some(line) = lines.next_line().unwrap() {
            assert!(text[line.offset as usize..].starts_with(line.bytes));
            assert!(line.bytes.len() < KEEP + 10);
            let kept = line.bytes.iter().filter(|byte| **byte == 0).count() as u64;
            found.push((line.number, line.nuls + kept));
        }
        assert_eq!(found, [(1, 0), (2, 5 << 20), (3, 0)]);
        assert_eq!(lines.position(), None);
    }
}
