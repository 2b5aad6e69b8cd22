//! The tolerant way in: any line, with whatever it holds, and with what was odd about it.

use std::collections::HashSet;
use std::ops::Range;

use convlog_message::json::Value;
use convlog_message::{Message, Timestamp};
use memchr::memmem;

use super::canonical::Canonical;
use super::fields;
use super::lines::Line;
use crate::json::{self, Syntax, SyntaxError};
use crate::report::{Finding, LineNumber, Problem, Report};

/// How many unknown keys are named; the set of those seen must not grow with the file.
const NAMED_KEYS: usize = 256;
/// How many places in a broken line are tried as the start of a whole message.
const TRIED_STARTS: usize = 16;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Decodes lines into messages and findings; knows which unknown keys it has named.
#[derive(Debug)]
pub(super) struct Decoder {
    fallback: Timestamp,
    canonical: Canonical,
    named: HashSet<String>,
    pub(super) report: Report,
}

impl Decoder {
    /// `fallback` is the time of messages that have none.
    pub(super) fn new(fallback: Timestamp) -> Self {
        Self { fallback, canonical: Canonical::default(), named: HashSet::new(), report: Report::default() }
    }

    /// Decodes a line that is number `number`, and hands each message on it, with its place in the file,
    /// to `message`; what is odd goes into the report.
    pub(super) fn decode(&mut self, line: &Line<'_>, number: LineNumber, mut message: impl FnMut(Message, Range<u64>)) {
        let bytes = line.bytes.strip_suffix(b"\r").unwrap_or(line.bytes);
        if line.nuls == 0
            && let Some(read) = self.canonical.decode(bytes)
        {
            let end = line.offset.saturating_add(bytes.len() as u64);
            return message(read, line.offset..end);
        }
        OddLine { decoder: self, line, number }.decode(bytes, &mut message);
    }
}

/// A line that is not, byte for byte, what gptme writes.
struct OddLine<'a> {
    decoder: &'a mut Decoder,
    line: &'a Line<'a>,
    number: LineNumber,
}

impl OddLine<'_> {
    fn decode(mut self, bytes: &[u8], message: &mut impl FnMut(Message, Range<u64>)) {
        let mut rest = bytes;
        if self.line.offset == 0
            && let Some(after) = rest.strip_prefix(BYTE_ORDER_MARK)
        {
            self.report(BYTE_ORDER_MARK, Problem::ByteOrderMark);
            rest = after;
        }
        if skip(rest).is_empty() {
            if rest.contains(&0) || self.line.nuls > 0 {
                self.report(rest, Problem::OnlyNul);
            }
            return;
        }
        let (mut values, mut nuls) = (0_u64, self.line.nuls);
        loop {
            let start = skip(rest);
            nuls = nuls.saturating_add(count_nuls(rest, start));
            if start.is_empty() {
                break;
            }
            match json::parse(start) {
                Ok(parsed) => {
                    values = values.saturating_add(1);
                    rest = parsed.rest;
                    self.value(start, parsed, message);
                }
                Err(error) => {
                    let Some((fragment, tail)) = find_whole_messages(start) else {
                        self.unreadable(start, error);
                        break;
                    };
                    self.unreadable(fragment, error);
                    rest = tail;
                }
            }
        }
        if nuls > 0 {
            self.report(bytes, Problem::NulBytes { count: nuls });
        }
        if values > 1 {
            self.report(bytes, Problem::SeveralValues { count: values });
        }
    }

    /// Reads one value as a message; `start` is the text that begins with it.
    fn value(&mut self, start: &[u8], parsed: json::Parsed<'_>, message: &mut impl FnMut(Message, Range<u64>)) {
        let length = start.len().saturating_sub(parsed.rest.len());
        let text = start.get(..length).unwrap_or(start);
        if let Some(read) = self.decoder.canonical.decode(text) {
            return message(read, self.span(text));
        }
        let Value::Object(object) = parsed.value else {
            return self.report(text, Problem::NotAnObject { found: parsed.value.kind() });
        };
        let (read, problems) = match fields::message(object, parsed.oddities, text, &self.decoder.fallback) {
            Ok(read) => read,
            Err(problem) => return self.report(text, problem),
        };
        for problem in problems {
            if self.is_news(&problem) {
                self.report(text, problem);
            }
        }
        message(read, self.span(text));
    }

    /// Unknown keys are reported once each, and only so many.
    fn is_news(&mut self, problem: &Problem) -> bool {
        let Problem::UnknownMember { key } = problem else { return true };
        let named = &mut self.decoder.named;
        if named.contains(key) || named.len() > NAMED_KEYS {
            return false;
        }
        named.insert(key.clone());
        if named.len() > NAMED_KEYS {
            self.report(self.line.bytes, Problem::ManyUnknownMembers);
            return false;
        }
        true
    }

    /// A line, or a part of one, that is not JSON.
    fn unreadable(&mut self, text: &[u8], error: SyntaxError) {
        let SyntaxError { at, syntax } = error;
        let at = self.span(text).start.saturating_add(at as u64);
        let ends = matches!(syntax, Syntax::UnterminatedString | Syntax::UnexpectedEnd);
        let problem =
            if ends && !self.line.ended { Problem::CutShort { syntax } } else { Problem::NotJson { syntax, at } };
        self.report(text, problem);
    }

    fn report(&mut self, text: &[u8], problem: Problem) {
        let finding = Finding { line: self.number, span: self.span(text), problem };
        self.decoder.report.push(finding);
    }

    /// The place in the file of a part of the line.
    fn span(&self, part: &[u8]) -> Range<u64> {
        let before = part.as_ptr().addr().saturating_sub(self.line.bytes.as_ptr().addr());
        let start = self.line.offset.saturating_add(before as u64);
        start..start.saturating_add(part.len() as u64)
    }
}

/// Skips NUL bytes, and the blanks that Python's `strip` takes away.
fn skip(text: &[u8]) -> &[u8] {
    let mut rest = text;
    loop {
        let blank = match rest.first() {
            Some(0 | b'\t'..=b'\r' | 0x1c..=0x20) => 1,
            Some(0xc2..) => match first_char(rest) {
                Some(character) if character.is_whitespace() => character.len_utf8(),
                _ => return rest,
            },
            _ => return rest,
        };
        rest = rest.get(blank..).unwrap_or_default();
    }
}

fn first_char(text: &[u8]) -> Option<char> {
    text.get(..4).unwrap_or(text).utf8_chunks().next()?.valid().chars().next()
}

fn count_nuls(from: &[u8], to: &[u8]) -> u64 {
    let skipped = from.len().saturating_sub(to.len());
    from.iter().take(skipped).filter(|b| **b == 0).count() as u64
}

/// Looks in a broken text for whole messages behind the break: a line whose newline was lost when its
/// writer died, and the next one's line glued to it. Gives the broken part and the rest.
///
/// The quotes of a key cannot stand inside a JSON string, so a message that is only quoted in another's
/// text is not mistaken for one. All that follows must be whole, so that parts of a torn value are not.
fn find_whole_messages(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let starts = memmem::find_iter(text, b"{\"role\"").filter(|at| *at > 0);
    for start in starts.take(TRIED_STARTS) {
        let (fragment, tail) = text.split_at_checked(start)?;
        if are_all_messages(tail) {
            return Some((fragment, tail));
        }
    }
    None
}

fn are_all_messages(text: &[u8]) -> bool {
    let mut rest = skip(text);
    while !rest.is_empty() {
        let Ok(parsed) = json::parse(rest) else { return false };
        let is_message = parsed.value.as_object().is_some_and(|object| {
            ["role", "content"].iter().all(|key| object.get(key).is_some_and(|value| value.as_str().is_some()))
        });
        if !is_message {
            return false;
        }
        rest = skip(parsed.rest);
    }
    true
}
