//! `Cursor`: taking exact bytes from the front of a text.

use convlog_codec::json;
use convlog_message::json::Value;
use memchr::memchr2;

/// What is left of a text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    pub(crate) rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) const fn new(rest: &'a [u8]) -> Self {
        Self { rest }
    }

    /// Takes a text that must follow.
    pub(crate) fn take(&mut self, text: &str) -> Option<()> {
        self.rest = self.rest.strip_prefix(text.as_bytes())?;
        Some(())
    }

    /// Takes a text when it follows, and says whether it did.
    pub(crate) fn has(&mut self, text: &str) -> bool {
        self.take(text).is_some()
    }

    /// Takes so many bytes.
    pub(crate) fn bytes(&mut self, length: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(bytes)
    }

    /// Takes a number of decimal digits, without a leading zero.
    pub(crate) fn number(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        let mut length = 0_usize;
        while let Some(digit @ b'0'..=b'9') = self.rest.get(length) {
            value = value.checked_mul(10)?.checked_add(u64::from(digit & 0xf))?;
            length = length.checked_add(1)?;
        }
        let digits = self.bytes(length)?;
        let usual = matches!(digits, [b'0'] | [b'1'..=b'9', ..]);
        usual.then_some(value)
    }

    /// Takes a number that may have a minus.
    pub(crate) fn signed(&mut self) -> Option<i64> {
        if self.has("-") {
            let value = self.number().filter(|value| *value > 0)?;
            return 0_i64.checked_sub_unsigned(value);
        }
        i64::try_from(self.number()?).ok()
    }

    /// Takes the rest of a string whose opening quote is taken, closing quote included; only one of plain
    /// ASCII without an escape.
    pub(crate) fn plain_string(&mut self) -> Option<&'a str> {
        let at = memchr2(b'"', b'\\', self.rest)?;
        let text = self.bytes(at)?;
        self.take("\"")?;
        let plain = text.iter().all(|byte| matches!(byte, b' '..=b'~'));
        if plain { std::str::from_utf8(text).ok() } else { None }
    }

    /// Takes any JSON value.
    pub(crate) fn value(&mut self) -> Option<Value> {
        let parsed = json::parse(self.rest).ok()?;
        self.rest = parsed.rest;
        Some(parsed.value)
    }

    /// Takes a list whose elements `element` takes.
    pub(crate) fn list<T>(&mut self, mut element: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take("[")?;
        let mut elements = Vec::new();
        if self.has("]") {
            return Some(elements);
        }
        loop {
            elements.push(element(self)?);
            if !self.has(", ") {
                break;
            }
        }
        self.take("]")?;
        Some(elements)
    }
}
