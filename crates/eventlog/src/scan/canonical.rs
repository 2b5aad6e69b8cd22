//! The fast way in: an event in the very spelling of convlog and gptme, and nothing else.

use convlog_codec::jsonl::ReadMessage;
use convlog_message::{Log, Message};

use super::cursor::Cursor;
use super::list::take_list;
use super::part::{Decoded, Decoder};
use crate::Seq;
use crate::event::{EventKind, EventTime};
use crate::report::OddityKind;
use crate::stamp::{Found, take_closing};

/// The payload of a canonical event.
enum Payload {
    One(Message),
    List(Vec<Message>),
    Other(EventKind),
}

impl Decoder<'_> {
    /// An event in the very spelling of convlog and gptme.
    pub(super) fn canonical(&mut self, text: &[u8]) -> Option<Decoded> {
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
            "convlog_close" => Payload::Other(EventKind::Close(take_closing(&mut cursor, &mut self.files)?.figures)),
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
    pub(super) fn restore(&mut self, stamp: &Found, mut put: impl FnMut(usize, Message) -> Option<()>) {
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
}

/// A whole list of messages as what the type says.
pub(super) fn list(name: &str, log: Log) -> EventKind {
    if name == "checkpoint" { EventKind::Checkpoint(log) } else { EventKind::Edit(log) }
}
