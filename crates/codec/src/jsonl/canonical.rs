//! The fast way in: a decoder for the very bytes that gptme writes, and for nothing else.
//!
//! By succeeding it also proves that writing the message anew gives the same bytes, so that the line need
//! not be kept. Whatever it does not take goes to the tolerant decoder, so it may refuse anything; what it
//! takes, it must read exactly.

mod skip;
mod string_end;

use std::sync::Arc;

use convlog_message::json::{Number, Object, Value, key};
use convlog_message::{FileRef, Message, MessageParts, Role, Timestamp};

use super::skim::Skim;
use crate::json::scan::{BLOCK, is_plain, special};

/// How deep metadata may be nested here; deeper ones take the slow way.
const MAX_DEPTH: u32 = 32;
/// How long the buffer for strings is at least: longer than most messages.
const LEAST_TEXT: usize = 8 << 10;

/// Decodes lines; keeps a buffer between them.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    /// Where strings are put together; at most some three times as long as the longest string so far.
    text: Vec<u8>,
}

impl Canonical {
    /// The message on a line that is, byte for byte, what gptme writes for it.
    pub(super) fn decode(&mut self, line: &[u8]) -> Option<Message> {
        let (message, rest) = self.decode_start(line)?;
        rest.is_empty().then_some(message)
    }

    /// The message that some bytes begin with, when it is what gptme writes, and what follows it.
    pub(super) fn decode_start<'a>(&mut self, text: &'a [u8]) -> Option<(Message, &'a [u8])> {
        let mut cursor = Cursor { rest: text, text: &mut self.text };
        let message = cursor.message()?;
        Some((message, cursor.rest))
    }

    /// What a list needs of a line that [`Self::decode`] takes; the content is checked and not decoded.
    pub(super) fn skim<'a>(&mut self, line: &'a [u8]) -> Option<Skim<'a>> {
        Cursor { rest: line, text: &mut self.text }.skim()
    }
}

struct Cursor<'a, 'b> {
    rest: &'a [u8],
    text: &'b mut Vec<u8>,
}

impl<'a> Cursor<'a, '_> {
    fn message(&mut self) -> Option<Message> {
        self.take("{\"role\": \"")?;
        let role = Role::from(self.string()?);
        self.take(", \"content\": \"")?;
        let content: Arc<str> = self.string()?.into();
        let mut parts = MessageParts::new(role, content, self.timestamp()?);
        if !self.rest.starts_with(b"}") {
            self.optional_members(&mut parts)?;
        }
        self.take("}")?;
        Some(parts.into())
    }

    fn timestamp(&mut self) -> Option<Timestamp> {
        self.take(", \"timestamp\": \"")?;
        let timestamp: Timestamp = self.string()?.parse().ok()?;
        timestamp.is_canonical().then_some(timestamp)
    }

    fn optional_members(&mut self, parts: &mut MessageParts) -> Option<()> {
        if self.has(", \"files\": [\"") {
            loop {
                parts.files.push(FileRef::new(self.string()?));
                if !self.has(", \"") {
                    break;
                }
            }
            self.take("]")?;
        }
        if self.has(", \"file_hashes\": {\"") {
            loop {
                let file = self.string()?.to_owned();
                self.take(": \"")?;
                let hash = self.string()?.to_owned();
                if parts.file_hashes.iter().any(|(known, _)| *known == file) {
                    return None;
                }
                parts.file_hashes.push((file, hash));
                if !self.has(", \"") {
                    break;
                }
            }
            self.take("}")?;
        }
        parts.pinned = self.has(", \"pinned\": true");
        parts.hide = self.has(", \"hide\": true");
        parts.ui_only = self.has(", \"ui_only\": true");
        if self.has(", \"ephemeral_ttl\": ") {
            parts.ephemeral_ttl = Some(self.number().filter(Number::is_canonical)?.as_i64()?);
        }
        if self.has(", \"call_id\": \"") {
            let call_id = self.string()?;
            if call_id.is_empty() {
                return None;
            }
            parts.call_id = Some(call_id.into());
        }
        if self.has(", \"metadata\": {\"") {
            parts.metadata = self.object(MAX_DEPTH)?.into();
        }
        Some(())
    }

    /// Takes a text that must follow.
    fn take(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text.as_bytes())?;
        Some(())
    }

    /// Takes a text when it follows, and says whether it did.
    fn has(&mut self, text: &str) -> bool {
        self.take(text).is_some()
    }

    /// Takes the rest of a string whose opening quote is taken, closing quote included.
    ///
    /// Blocks are copied whole, what is special among them too, and then overwritten from there on. The buffer has
    /// room for a block at any time, and grows with the string: how long that is shows only at its end.
    fn string(&mut self) -> Option<&str> {
        let mut rest = self.rest;
        let mut out = self.text.as_mut_slice();
        loop {
            if out.len() < BLOCK {
                let free = out.len();
                let written = self.text.len().checked_sub(free)?;
                self.text.resize(written.checked_mul(2)?.max(LEAST_TEXT), 0);
                out = self.text.get_mut(written..)?;
            }
            if let Some((block, tail)) = rest.split_first_chunk::<BLOCK>() {
                *out.first_chunk_mut::<BLOCK>()? = *block;
                let found = special(block);
                if found == 0 {
                    (rest, out) = (tail, out.get_mut(BLOCK..)?);
                    continue;
                }
                let plain = found.trailing_zeros() as usize;
                (rest, out) = (rest.get(plain..)?, out.get_mut(plain..)?);
            }
            let byte = match *rest {
                [b'"', ref tail @ ..] => {
                    rest = tail;
                    break;
                }
                [b'\\', b'u', ..] => {
                    let (character, tail) = unicode_escape(rest)?;
                    let length = character.encode_utf8(out.get_mut(..4)?).len();
                    (rest, out) = (tail, out.get_mut(length..)?);
                    continue;
                }
                [b'\\', escape, ref tail @ ..] => {
                    rest = tail;
                    short_escape(escape)?
                }
                [byte, ref tail @ ..] if is_plain(byte) => {
                    rest = tail;
                    byte
                }
                _ => return None,
            };
            *out.first_mut()? = byte;
            out = out.get_mut(1..)?;
        }
        let free = out.len();
        let length = self.text.len().checked_sub(free)?;
        self.rest = rest;
        simdutf8::basic::from_utf8(self.text.get(..length)?).ok()
    }

    fn number(&mut self) -> Option<Number> {
        let is_part = |b: &&u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e');
        let length = self.rest.iter().take_while(is_part).count();
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        std::str::from_utf8(text).ok()?.parse().ok()
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match self.rest.first()? {
            b'"' => {
                self.take("\"")?;
                self.string().map(Value::from)
            }
            b'{' if self.has("{}") => Some(Value::Object(Object::new())),
            b'{' => {
                self.take("{\"")?;
                self.object(depth).map(Value::Object)
            }
            b'[' if self.has("[]") => Some(Value::Array(Vec::new())),
            b'[' => {
                self.take("[")?;
                let mut values = Vec::new();
                loop {
                    values.push(self.value(depth)?);
                    if !self.has(", ") {
                        break;
                    }
                }
                self.take("]")?;
                Some(Value::Array(values))
            }
            b't' => self.take("true").map(|()| Value::Bool(true)),
            b'f' => self.take("false").map(|()| Value::Bool(false)),
            b'n' => self.take("null").map(|()| Value::Null),
            _ => self.number().filter(|n| n.is_json() && n.is_canonical()).map(Value::Number),
        }
    }

    /// Takes the rest of an object whose opening brace and first quote are taken.
    fn object(&mut self, depth: u32) -> Option<Object> {
        let mut members = Vec::new();
        loop {
            let key = key(self.string()?);
            self.take(": ")?;
            members.push((key, self.value(depth)?));
            if !self.has(", \"") {
                break;
            }
        }
        self.take("}")?;
        let (object, repeated) = Object::from_members(members);
        (!repeated).then_some(object)
    }
}

/// The byte that a backslash and this one stand for.
const fn short_escape(byte: u8) -> Option<u8> {
    match byte {
        b'n' => Some(b'\n'),
        b'"' | b'\\' => Some(byte),
        b't' => Some(b'\t'),
        b'r' => Some(b'\r'),
        b'b' => Some(0x8),
        b'f' => Some(0xc),
        _ => None,
    }
}

/// The character that `\uxxxx` at the start of a text stands for, or two of them for a pair, and what
/// follows; only for a character that Python writes so.
fn unicode_escape(text: &[u8]) -> Option<(char, &[u8])> {
    let (unit, rest) = hex(text)?;
    let (character, rest) = match unit {
        0xd800..0xdc00 => {
            let (low, rest) = hex(rest)?;
            (char::decode_utf16([unit, low]).next()?.ok()?, rest)
        }
        _ => (char::from_u32(u32::from(unit))?, rest),
    };
    let shorter = matches!(character, ' '..='~' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}');
    (!shorter).then_some((character, rest))
}

/// The unit of `\uxxxx`, in lower case, at the start of a text, and what follows.
fn hex(text: &[u8]) -> Option<(u16, &[u8])> {
    let [b'\\', b'u', a, b, c, d, rest @ ..] = text else { return None };
    let digit = |byte: &u8| match byte {
        b'0'..=b'9' => Some(u16::from(byte & 0xf)),
        b'a'..=b'f' => Some(u16::from(byte & 0xf).wrapping_add(9)),
        _ => None,
    };
    Some((digit(a)? << 12 | digit(b)? << 8 | digit(c)? << 4 | digit(d)?, rest))
}
