//! Skimming: a line checked like any other, and nothing of it decoded but the few members that a list needs.

use std::str;

use convlog_message::{MessageParts, Role, Timestamp, Usage};

use super::string_end::string_end;
use super::{Cursor, MAX_DEPTH};
use crate::json::scan::is_plain;
use crate::jsonl::skim::{Figures, Skim};

/// How many members an object may have here; larger ones take the slow way.
const MOST_MEMBERS: usize = 24;

impl<'a> Cursor<'a, '_> {
    /// The members of a line that [`Self::message`] would take; `None` as well where only that can tell.
    pub(super) fn skim(&mut self) -> Option<Skim<'a>> {
        let line = self.rest;
        self.take("{\"role\": \"")?;
        let role = Role::from(str::from_utf8(self.plain_string()?).ok()?);
        self.take(", \"content\": \"")?;
        let content = self.skip_string()?;
        self.take(", \"timestamp\": \"")?;
        let timestamp: Timestamp = str::from_utf8(self.plain_string()?).ok()?.parse().ok()?;
        if !timestamp.is_canonical() {
            return None;
        }
        let figures = if self.rest == b"}" {
            Figures::default()
        } else if self.has(", \"metadata\": {\"") {
            self.figures()?
        } else {
            // Attachments and whatever else is rare.
            let mut parts = MessageParts::new(role.clone(), "", timestamp.clone());
            self.optional_members(&mut parts)?;
            Figures::of(&parts.metadata)
        };
        (self.rest == b"}").then_some(Skim { line, offset: 0, content, role, timestamp, figures })
    }

    /// Takes the rest of the metadata, whose opening brace and first quote are taken.
    fn figures(&mut self) -> Option<Figures<'a>> {
        let mut figures = Figures { is_noted: true, ..Figures::default() };
        let (mut flat, mut nested) = (Usage::default(), None);
        self.members(|cursor, key| {
            match key {
                b"model" => figures.model = cursor.text()?.map(Into::into),
                b"cost" => {
                    let text = cursor.number_text()?.and_then(|text| str::from_utf8(text).ok());
                    figures.cost = text.and_then(|text| text.parse().ok());
                }
                b"usage" if cursor.has("{\"") => {
                    let mut usage = Usage::default();
                    cursor.members(|cursor, key| cursor.count(key, &mut usage))?;
                    nested = Some(usage);
                }
                b"usage" => {
                    cursor.skip_value(MAX_DEPTH)?;
                    nested = Some(Usage::default());
                }
                key => cursor.count(key, &mut flat)?,
            }
            Some(())
        })?;
        figures.cost = figures.cost.filter(|cost: &f64| cost.is_finite());
        figures.usage = nested.unwrap_or(flat);
        Some(figures)
    }

    /// Takes the rest of an object whose opening brace and first quote are taken; `value` takes each value.
    /// A key that repeats, or needs decoding, ends it.
    fn members(&mut self, mut value: impl FnMut(&mut Self, &'a [u8]) -> Option<()>) -> Option<()> {
        let mut keys: [&[u8]; MOST_MEMBERS] = [b""; MOST_MEMBERS];
        for known in 0..MOST_MEMBERS {
            let key = self.plain_string()?;
            if keys.get(..known)?.contains(&key) {
                return None;
            }
            *keys.get_mut(known)? = key;
            self.take(": ")?;
            value(self, key)?;
            if !self.has(", \"") {
                return self.take("}");
            }
        }
        None
    }

    /// Takes a value; when the key is a token count's and the value a count, it is noted.
    fn count(&mut self, key: &[u8], usage: &mut Usage) -> Option<()> {
        let field = match key {
            b"input_tokens" => &mut usage.input_tokens,
            b"output_tokens" => &mut usage.output_tokens,
            b"cache_read_tokens" => &mut usage.cache_read_tokens,
            b"cache_creation_tokens" => &mut usage.cache_creation_tokens,
            b"reasoning_tokens" => &mut usage.reasoning_tokens,
            _ => return self.skip_value(MAX_DEPTH),
        };
        *field = self.number_text()?.and_then(as_count);
        Some(())
    }

    /// Takes a value, and gives it when it is a string.
    fn text(&mut self) -> Option<Option<&'a str>> {
        if self.has("\"") {
            Some(str::from_utf8(self.plain_string()?).ok())
        } else {
            self.skip_value(MAX_DEPTH).map(|()| None)
        }
    }

    /// Takes a value, and gives it when it is a number.
    fn number_text(&mut self) -> Option<Option<&'a [u8]>> {
        match self.rest.first()? {
            b'-' | b'0'..=b'9' => self.skip_number().map(Some),
            _ => self.skip_value(MAX_DEPTH).map(|()| None),
        }
    }

    fn skip_value(&mut self, depth: u32) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        match self.rest.first()? {
            b'"' => self.take("\"").and_then(|()| self.skip_string().map(drop)),
            b'{' if self.has("{}") => Some(()),
            b'{' => {
                self.take("{\"")?;
                self.members(|cursor, _| cursor.skip_value(depth))
            }
            b'[' if self.has("[]") => Some(()),
            b'[' => {
                self.take("[")?;
                loop {
                    self.skip_value(depth)?;
                    if !self.has(", ") {
                        return self.take("]");
                    }
                }
            }
            b't' => self.take("true"),
            b'f' => self.take("false"),
            b'n' => self.take("null"),
            _ => self.skip_number().map(drop),
        }
    }

    /// Takes a number that is JSON's.
    fn skip_number(&mut self) -> Option<&'a [u8]> {
        let start = self.rest;
        let has_minus = self.has("-");
        let integer = self.skip_digits();
        let leading_zero = start.get(usize::from(has_minus)) == Some(&b'0');
        if integer == 0 || (leading_zero && integer > 1) || (self.has(".") && self.skip_digits() == 0) {
            return None;
        }
        if matches!(self.rest.first(), Some(b'e' | b'E')) {
            let signed = matches!(self.rest.get(1), Some(b'+' | b'-'));
            self.rest = self.rest.get(if signed { 2 } else { 1 }..)?;
            if self.skip_digits() == 0 {
                return None;
            }
        }
        start.get(..start.len().checked_sub(self.rest.len())?)
    }

    fn skip_digits(&mut self) -> usize {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = self.rest.get(digits..).unwrap_or_default();
        digits
    }

    /// Takes the rest of a string that stands for itself: a short one, a key as a rule.
    fn plain_string(&mut self) -> Option<&'a [u8]> {
        let length = self.rest.iter().position(|byte| !is_plain(*byte))?;
        let (text, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        self.take("\"")?;
        Some(text)
    }

    /// Takes the rest of a string as [`Self::string`] does, and gives it as it stands, its closing quote
    /// left out.
    fn skip_string(&mut self) -> Option<&'a [u8]> {
        let start = self.rest;
        let end = string_end(start)?;
        self.rest = start.get(end.checked_add(1)?..)?;
        start.get(..end)
    }
}

/// The value of an integer in digits and nothing else, when 64 bits hold it.
fn as_count(text: &[u8]) -> Option<u64> {
    text.iter().try_fold(0_u64, |value, byte| {
        let digit = byte.is_ascii_digit().then(|| byte.wrapping_sub(b'0'))?;
        value.checked_mul(10)?.checked_add(digit.into())
    })
}
