//! One line of a log: the fast way for what convlog and gptme write, the tolerant way for the rest.

use convlog_codec::json::{self, Syntax, SyntaxError};
use convlog_codec::jsonl::{NoMessage, ReadMessage};
use convlog_message::json::{Object, Value};
use convlog_message::{Log, Message};
use memchr::memmem;

use super::cursor::Cursor;
use super::list::take_list;
use super::part::{Decoded, Decoder};
use super::raw;
use crate::Seq;
use crate::event::{EventKind, EventTime};
use crate::report::OddityKind;
use crate::stamp::{Found, take_figures};

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

/// The payload of a canonical event.
enum Payload {
    One(Message),
    List(Vec<Message>),
    Other(EventKind),
}

impl Decoder<'_> {
    pub(super) fn line(&mut self, line: &Line<'_>) {
        if let Some(decoded) = self.canonical(line.bytes) {
            return self.accept(decoded, line.bytes, line.number);
        }
        self.problems.clear();
        self.odd_line(line);
    }

    /// An event in the very spelling of convlog and gptme.
    fn canonical(&mut self, text: &[u8]) -> Option<Decoded> {
        let mut cursor = Cursor::new(text);
        cursor.take("{\"seq\": ")?;
        let seq = Seq::new(cursor.number()?)?;
        cursor.take(", \"ts\": \"")?;
        let ts = EventTime::new(cursor.plain_string()?);
        cursor.take(", \"type\": \"")?;
        let name = cursor.plain_string()?;
        cursor.take(", \"payload\": ")?;
        let before = cursor.rest.len();
        let mut payload = match name {
            "message_append" => {
                cursor.take("{\"message\": ")?;
                let message = self.message(&mut cursor, 0)?;
                cursor.take("}")?;
                Payload::One(message)
            }
            "checkpoint" | "message_edit" => {
                cursor.take("{\"messages\": ")?;
                let list = take_list(&mut cursor, &mut self.reader, self.fallback)?;
                self.problems.extend(list.problems);
                cursor.take("}")?;
                Payload::List(list.messages)
            }
            "undo" => {
                cursor.take("{\"n\": ")?;
                let count = cursor.number()?;
                cursor.take("}")?;
                Payload::Other(EventKind::Undo(count))
            }
            "convlog_close" => Payload::Other(EventKind::Close(take_figures(&mut cursor, &mut self.files)?)),
            "convlog_view" => Payload::Other(EventKind::View(cursor.value()?)),
            _ => return None,
        };
        let weight = before.saturating_sub(cursor.rest.len());
        let mut found = None;
        let mut hash = 0..0;
        if cursor.has(", \"convlog\": ") {
            let stamp = Found::take(&mut cursor, &mut self.files)?;
            hash = stamp.hash_span(text.len().saturating_sub(cursor.rest.len()));
            match &mut payload {
                Payload::One(one) => self.restore(&stamp, |index, own| (index == 0).then(|| *one = own)),
                Payload::List(list) => self.restore(&stamp, |index, own| list.get_mut(index).map(|place| *place = own)),
                Payload::Other(_) => {}
            }
            found = Some(stamp);
        }
        cursor.take("}")?;
        let kind = match payload {
            Payload::One(message) => EventKind::Append(message),
            Payload::List(messages) => list(name, messages.into_iter().collect()),
            Payload::Other(kind) => kind,
        };
        cursor.rest.is_empty().then_some(Decoded { event: Some((seq, ts, kind)), weight, found, hash })
    }

    /// Takes a message; what is odd about it is kept for the report.
    fn message(&mut self, cursor: &mut Cursor<'_>, index: usize) -> Option<Message> {
        let ReadMessage { message, rest, problems, .. } = self.reader.read(cursor.rest).ok()?;
        cursor.rest = rest;
        self.problems.extend(problems.into_iter().map(|problem| OddityKind::OddMessage { index, problem }));
        Some(message)
    }

    /// Reads the messages whose bytes a stamp has, and hands each to `put`, in the place of its stand-in.
    fn restore(&mut self, stamp: &Found, mut put: impl FnMut(usize, Message) -> Option<()>) {
        for (index, own) in &stamp.raw {
            let index = *index;
            let restored = match self.reader.read(own) {
                Ok(ReadMessage { message, rest: [], problems, .. }) => {
                    self.problems.extend(problems.into_iter().map(|problem| OddityKind::OddMessage { index, problem }));
                    put(index, message)
                }
                _ => None,
            };
            if restored.is_none() {
                self.problems.push(OddityKind::BrokenRaw { index });
            }
        }
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

    fn value(&mut self, text: &[u8], parsed: json::Parsed<'_>, line: u64) {
        if let Some(decoded) = self.canonical(text) {
            return self.accept(decoded, text, line);
        }
        self.problems.clear();
        let Value::Object(object) = parsed.value else {
            self.problems.push(OddityKind::NotAnObject { found: parsed.value.kind() });
            return self.accept(Decoded { event: None, weight: 0, found: None, hash: 0..0 }, text, line);
        };
        if parsed.oddities.invalid_utf8 || std::str::from_utf8(text).is_err() {
            self.problems.push(OddityKind::InvalidUtf8);
        }
        let (found, hash) = self.stamp(text, &object);
        let event = self.event(text, &object, found.as_ref());
        self.accept(Decoded { event, weight: text.len(), found, hash }, text, line);
    }

    /// The stamp of an object, and where in its text the hash member stands.
    fn stamp(&mut self, text: &[u8], object: &Object) -> (Option<Found>, std::ops::Range<usize>) {
        if object.get("convlog").is_none() {
            let of_gptme = ["seq", "ts", "type", "payload"];
            let mut others = raw::members(text).filter(|(key, _)| !of_gptme.contains(&key.as_str()));
            if others.any(|(_, value)| has_traces(value)) {
                self.problems.push(OddityKind::BrokenStamp);
            }
            return (None, 0..0);
        }
        let mut cursor = Cursor::new(raw::member(text, "convlog").unwrap_or_default());
        match Found::take(&mut cursor, &mut self.files) {
            Some(found) if cursor.rest.is_empty() => {
                let end = cursor.rest.as_ptr().addr().saturating_sub(text.as_ptr().addr());
                let hash = found.hash_span(end);
                (Some(found), hash)
            }
            _ => {
                self.problems.push(OddityKind::BrokenStamp);
                (None, 0..0)
            }
        }
    }

    fn event(&mut self, text: &[u8], object: &Object, found: Option<&Found>) -> Option<(Seq, EventTime, EventKind)> {
        let seq = object.get("seq");
        let Some(number) = seq.and_then(Value::as_number).and_then(|seq| Seq::new(seq.as_u64()?)) else {
            self.problems.push(OddityKind::NoSeq { found: seq.map(Value::kind) });
            return None;
        };
        let ts = EventTime::new(object.get("ts").and_then(Value::as_str).unwrap_or_default());
        let Some(name) = object.get("type").and_then(Value::as_str) else {
            self.problems.push(OddityKind::NoType);
            return Some((number, ts, EventKind::Unusable { name: String::new() }));
        };
        let kind = match self.payload(name, text, object.get("payload"), found) {
            Ok(kind) => kind,
            Err(member) => {
                self.problems.push(OddityKind::BadPayload { name: name.to_owned(), member });
                EventKind::Unusable { name: name.to_owned() }
            }
        };
        Some((number, ts, kind))
    }

    /// Reads a payload; fails with the member that is to blame.
    fn payload(
        &mut self,
        name: &str,
        text: &[u8],
        payload: Option<&Value>,
        found: Option<&Found>,
    ) -> Result<EventKind, &'static str> {
        let source = raw::member(text, "payload").unwrap_or_default();
        let object = payload.and_then(Value::as_object).ok_or("payload");
        match name {
            "message_append" => {
                object?.get("message").ok_or("message")?;
                let source = raw::member(source, "message").unwrap_or_default();
                let mut message = self.odd_message(source, 0).ok_or("message")?;
                if let Some(found) = found {
                    self.restore(found, |index, own| (index == 0).then(|| message = own));
                }
                Ok(EventKind::Append(message))
            }
            "checkpoint" | "message_edit" => {
                object?.get("messages").and_then(Value::as_array).ok_or("messages")?;
                let source = raw::member(source, "messages").unwrap_or_default();
                let read = |(index, source)| self.odd_message(source, index);
                let mut messages: Vec<_> = raw::elements(source).enumerate().map(read).collect();
                if let Some(found) = found {
                    self.restore(found, |index, own| messages.get_mut(index).map(|place| *place = Some(own)));
                }
                Ok(list(name, messages.into_iter().flatten().collect()))
            }
            "undo" => match object?.get("n") {
                None => {
                    self.problems.push(OddityKind::UndoWithoutCount);
                    Ok(EventKind::Undo(1))
                }
                Some(count) => {
                    let count = count.as_number().and_then(convlog_message::json::Number::as_u64);
                    count.map(EventKind::Undo).ok_or("n")
                }
            },
            "convlog_close" => {
                let mut cursor = Cursor::new(source);
                let figures = take_figures(&mut cursor, &mut self.files).ok_or("payload")?;
                cursor.rest.is_empty().then_some(EventKind::Close(figures)).ok_or("payload")
            }
            "convlog_view" => payload.cloned().map(EventKind::View).ok_or("payload"),
            other => {
                self.problems.push(OddityKind::UnknownType { name: other.to_owned() });
                Ok(EventKind::Other { name: other.to_owned() })
            }
        }
    }

    /// Reads a message from its text, or says why there is none.
    fn odd_message(&mut self, text: &[u8], index: usize) -> Option<Message> {
        match self.reader.read(text) {
            Ok(ReadMessage { message, problems, .. }) => {
                self.problems.extend(problems.into_iter().map(|problem| OddityKind::OddMessage { index, problem }));
                Some(message)
            }
            Err(error) => {
                let problem = match error {
                    NoMessage::Other { problem } => problem.to_string(),
                    other => other.to_string(),
                };
                self.problems.push(OddityKind::UnreadableMessage { index, problem });
                None
            }
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

fn list(name: &str, log: Log) -> EventKind {
    if name == "checkpoint" { EventKind::Checkpoint(log) } else { EventKind::Edit(log) }
}

/// Whether a text shows that a stamp was there; no single change of a byte takes away both.
fn has_traces(text: &[u8]) -> bool {
    ["\"convlog\"", "\"hash\": \""].iter().any(|trace| memmem::find(text, trace.as_bytes()).is_some())
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
