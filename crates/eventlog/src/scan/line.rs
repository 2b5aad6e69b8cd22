//! One line of a log, whatever stands on it.

use convlog_codec::json::{self, Syntax, SyntaxError};
use memchr::memmem;

use super::part::Decoder;
use super::tolerant::has_traces;
use crate::report::OddityKind;

/// How many places in a broken line are tried as the start of a whole event.
const TRIED_STARTS: usize = 16;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// One line, without the newline that ends it.
pub(super) struct Line<'a> {
    pub(super) bytes: &'a [u8],
    /// Counted from 1.
    pub(super) number: u64,
    /// Whether a newline ends it; only the last line may lack one.
    pub(super) ended: bool,
}

impl Decoder<'_> {
    pub(super) fn line(&mut self, line: &Line<'_>) {
        if let Some(decoded) = self.canonical(line.bytes) {
            return self.accept(decoded, line.bytes, line.number);
        }
        self.problems.clear();
        self.odd_line(line);
    }

    /// A line in any other spelling, with any number of values on it.
    fn odd_line(&mut self, line: &Line<'_>) {
        let number = line.number;
        let mut rest = line.bytes;
        if self.offset(rest) == 0
            && let Some(after) = rest.strip_prefix(BYTE_ORDER_MARK)
        {
            self.report(rest, number, OddityKind::ByteOrderMark);
            rest = after;
        }
        let (mut values, mut nuls) = (0_u64, 0_u64);
        let mut has_content = false;
        loop {
            let start = skip(rest);
            nuls = nuls.saturating_add(count_nuls(rest, start));
            if start.is_empty() {
                break;
            }
            has_content = true;
            match json::parse(start) {
                Ok(parsed) => {
                    values = values.saturating_add(1);
                    rest = parsed.rest;
                    let length = start.len().saturating_sub(rest.len());
                    self.value(start.get(..length).unwrap_or(start), parsed, number);
                }
                Err(error) => {
                    let whole = find_whole_events(start);
                    self.unreadable(whole.map_or(start, |(fragment, _)| fragment), error, line);
                    match whole {
                        Some((_, tail)) => rest = tail,
                        None => break,
                    }
                }
            }
        }
        if nuls > 0 {
            let kind = if has_content { OddityKind::NulBytes { count: nuls } } else { OddityKind::OnlyNul };
            self.report(line.bytes, number, kind);
        }
        if values > 1 {
            self.report(line.bytes, number, OddityKind::SeveralValues { count: values });
        }
    }

    /// A line, or a part of one, that is not JSON.
    fn unreadable(&mut self, text: &[u8], error: SyntaxError, line: &Line<'_>) {
        let SyntaxError { at, syntax } = error;
        let ends = matches!(syntax, Syntax::UnterminatedString | Syntax::UnexpectedEnd);
        if ends && !line.ended {
            return self.report(text, line.number, OddityKind::CutShort { syntax });
        }
        let at = self.offset(text).saturating_add(at) as u64;
        self.report(text, line.number, OddityKind::NotJson { syntax, at });
        if has_traces(text) {
            self.report(text, line.number, OddityKind::BrokenStamp);
        }
    }
}

/// Skips NUL bytes, and the blanks that Python's `bytes.strip` takes away.
fn skip(text: &[u8]) -> &[u8] {
    let blanks = text.iter().take_while(|byte| matches!(byte, 0 | b'\t'..=b'\r' | b' ')).count();
    text.get(blanks..).unwrap_or_default()
}

fn count_nuls(from: &[u8], to: &[u8]) -> u64 {
    let skipped = from.len().saturating_sub(to.len());
    from.iter().take(skipped).filter(|byte| **byte == 0).count() as u64
}

/// Looks in a broken text for whole events behind the break: a line whose newline was lost when its writer
/// died, and the next one's line glued to it. Gives the broken part and the rest.
fn find_whole_events(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let starts = memmem::find_iter(text, b"{\"seq\"").filter(|at| *at > 0);
    let mut splits = starts.take(TRIED_STARTS).filter_map(|start| text.split_at_checked(start));
    splits.find(|(_, tail)| are_all_events(tail))
}

fn are_all_events(text: &[u8]) -> bool {
    let mut rest = skip(text);
    while !rest.is_empty() {
        let Ok(parsed) = json::parse(rest) else { return false };
        let is_event = parsed.value.as_object().is_some_and(|object| {
            object.get("seq").is_some_and(|seq| seq.as_number().is_some()) && object.get("type").is_some()
        });
        if !is_event {
            return false;
        }
        rest = skip(parsed.rest);
    }
    true
}
