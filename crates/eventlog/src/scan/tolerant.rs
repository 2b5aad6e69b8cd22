//! The tolerant way in: an event in any spelling, with whatever it holds, and with what was odd about it.

use std::ops::Range;

use convlog_codec::json;
use convlog_codec::jsonl::{NoMessage, ReadMessage};
use convlog_message::Message;
use convlog_message::json::{Number, Object, Value};
use memchr::memmem;

use super::canonical::list;
use super::cursor::Cursor;
use super::part::{Decoded, Decoder};
use super::raw;
use crate::Seq;
use crate::event::{EventKind, EventTime};
use crate::report::OddityKind;
use crate::stamp::{Closing, Found, take_closing};

impl Decoder<'_> {
    /// Takes a JSON value; `text` is its own.
    pub(super) fn value(&mut self, text: &[u8], parsed: json::Parsed<'_>, line: u64) {
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
    fn stamp(&mut self, text: &[u8], object: &Object) -> (Option<Found>, Range<usize>) {
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
                    let count = count.as_number().and_then(Number::as_u64);
                    count.map(EventKind::Undo).ok_or("n")
                }
            },
            "convlog_close" => {
                let mut cursor = Cursor::new(source);
                let Closing { figures, .. } = take_closing(&mut cursor, &mut self.files).ok_or("payload")?;
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
}

/// Whether a text shows that a stamp was there; no single change of a byte takes away both.
pub(super) fn has_traces(text: &[u8]) -> bool {
    ["\"convlog\"", "\"hash\": \""].iter().any(|trace| memmem::find(text, trace.as_bytes()).is_some())
}
