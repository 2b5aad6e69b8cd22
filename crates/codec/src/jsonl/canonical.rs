//! The fast way in: a decoder for the very bytes that gptme writes, and for nothing else.
//!
//! By succeeding it also proves that writing the message anew gives the same bytes, so that the line need
//! not be kept. Whatever it does not take goes to the tolerant decoder, so it may refuse anything; what it
//! takes, it must read exactly.

use std::sync::Arc;

use convlog_message::json::{Number, Object, Value};
use convlog_message::{FileRef, Message, MessageParts, Role, Timestamp};
use memchr::memchr2;

/// How deep metadata may be nested here; deeper ones take the slow way.
const MAX_DEPTH: u32 = 32;

/// Decodes lines; keeps a buffer between them.
#[derive(Debug, Default)]
pub(super) struct Canonical {
    text: String,
}

impl Canonical {
    /// The message on a line that is, byte for byte, what gptme writes for it.
    pub(super) fn decode(&mut self, line: &[u8]) -> Option<Message> {
        // Only what Python leaves unescaped: beyond this, positions in bytes and characters agree.
        if !line.iter().fold(true, |plain, byte| plain & matches!(byte, 0x20..=0x7e)) {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?;
        let mut cursor = Cursor { rest: line, text: &mut self.text };
        let message = cursor.message()?;
        cursor.rest.is_empty().then_some(message)
    }
}

struct Cursor<'a> {
    rest: &'a str,
    /// Where a string is put together that has escapes.
    text: &'a mut String,
}

impl Cursor<'_> {
    fn message(&mut self) -> Option<Message> {
        self.take("{\"role\": \"")?;
        let role = Role::from(self.string()?);
        self.take(", \"content\": \"")?;
        let content: Arc<str> = self.string()?.into();
        self.take(", \"timestamp\": \"")?;
        let timestamp: Timestamp = self.string()?.parse().ok()?;
        if !timestamp.is_canonical() {
            return None;
        }
        let mut parts = MessageParts::new(role, content, timestamp);
        if self.rest != "}" {
            self.optional_members(&mut parts)?;
        }
        self.take("}")?;
        Some(parts.into())
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
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    /// Takes a text when it follows, and says whether it did.
    fn has(&mut self, text: &str) -> bool {
        self.take(text).is_some()
    }

    /// Takes the rest of a string whose opening quote is taken, closing quote included.
    fn string(&mut self) -> Option<&str> {
        let at = memchr2(b'"', b'\\', self.rest.as_bytes())?;
        let (plain, rest) = self.rest.split_at_checked(at)?;
        if let Some(rest) = rest.strip_prefix('"') {
            self.rest = rest;
            return Some(plain);
        }
        self.text.clear();
        self.text.push_str(plain);
        self.rest = rest;
        loop {
            let character = self.escape()?;
            self.text.push(character);
            let at = memchr2(b'"', b'\\', self.rest.as_bytes())?;
            let (plain, rest) = self.rest.split_at_checked(at)?;
            self.text.push_str(plain);
            self.rest = rest;
            if let Some(rest) = rest.strip_prefix('"') {
                self.rest = rest;
                return Some(self.text);
            }
        }
    }

    /// Takes one escape, in the one spelling that Python uses for its character.
    fn escape(&mut self) -> Option<char> {
        let character = match self.rest.as_bytes().get(1)? {
            b'n' => '\n',
            b'"' => '"',
            b'\\' => '\\',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => return self.unicode_escape(),
            _ => return None,
        };
        self.rest = self.rest.get(2..)?;
        Some(character)
    }

    fn unicode_escape(&mut self) -> Option<char> {
        let unit = self.hex()?;
        let character = match unit {
            0xd800..0xdc00 => {
                let low = self.hex()?;
                char::decode_utf16([unit, low]).next()?.ok()?
            }
            _ => char::from_u32(u32::from(unit))?,
        };
        let shorter = matches!(character, ' '..='~' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}');
        (!shorter).then_some(character)
    }

    /// Takes `\uxxxx`, in lower case.
    fn hex(&mut self) -> Option<u16> {
        let digits = self.rest.strip_prefix("\\u")?.as_bytes().get(..4)?;
        let value = digits.iter().try_fold(0_u16, |value, digit| {
            let digit = match digit {
                b'0'..=b'9' | b'a'..=b'f' => char::from(*digit).to_digit(16)?,
                _ => return None,
            };
            Some((value << 4) | u16::try_from(digit).ok()?)
        })?;
        self.rest = self.rest.get(6..)?;
        Some(value)
    }

    fn number(&mut self) -> Option<Number> {
        let is_part = |b: &u8| matches!(b, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e');
        let length = self.rest.bytes().take_while(is_part).count();
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        text.parse().ok()
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        let depth = depth.checked_sub(1)?;
        match self.rest.as_bytes().first()? {
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
            let key = self.string()?.to_owned();
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
