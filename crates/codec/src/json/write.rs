//! Writing JSON as Python's `json.dumps` does, or as UTF-8.

use convlog_message::json::{Object, Value};

use super::scan;

/// How JSON is spelled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// The bytes that Python's `json.dumps` gives: `", "` and `": "` between values, `\uXXXX` in lower
    /// case for everything beyond ASCII. What gptme writes.
    #[default]
    Gptme,
    /// No blanks, and UTF-8 as it is. Smaller; gptme reads it and rewrites it in its own way.
    Utf8,
}

impl Style {
    pub(crate) const fn comma(self) -> &'static [u8] {
        match self {
            Self::Gptme => b", ",
            Self::Utf8 => b",",
        }
    }

    pub(crate) const fn colon(self) -> &'static [u8] {
        match self {
            Self::Gptme => b": ",
            Self::Utf8 => b":",
        }
    }
}

/// Writes a value. Numbers that JSON cannot say are left out of objects and become `null` elsewhere, so
/// that the result is RFC 8259 in any case. Recurses as deep as the value is nested.
pub fn write_value(value: &Value, style: Style, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.extend_from_slice(b"null"),
        Value::Bool(true) => out.extend_from_slice(b"true"),
        Value::Bool(false) => out.extend_from_slice(b"false"),
        Value::Number(number) if number.is_json() => out.extend_from_slice(number.text().as_bytes()),
        Value::Number(_) => out.extend_from_slice(b"null"),
        Value::String(text) => write_string(text, style, out),
        Value::Array(values) => {
            out.push(b'[');
            let mut separator: &[u8] = b"";
            for value in values {
                out.extend_from_slice(separator);
                write_value(value, style, out);
                separator = style.comma();
            }
            out.push(b']');
        }
        Value::Object(object) => write_object(object, style, out),
    }
}

/// Writes an object, as [`write_value`] does.
pub fn write_object(object: &Object, style: Style, out: &mut Vec<u8>) {
    out.push(b'{');
    let mut separator: &[u8] = b"";
    for (key, value) in object.iter().filter(|(_, value)| can_be_said(value)) {
        out.extend_from_slice(separator);
        write_string(key, style, out);
        out.extend_from_slice(style.colon());
        write_value(value, style, out);
        separator = style.comma();
    }
    out.push(b'}');
}

pub(crate) fn can_be_said(value: &Value) -> bool {
    value.as_number().is_none_or(convlog_message::json::Number::is_json)
}

/// Writes a string with its quotes.
pub fn write_string(text: &str, style: Style, out: &mut Vec<u8>) {
    out.reserve(text.len().saturating_add(scan::BLOCK));
    out.push(b'"');
    let mut rest = text;
    loop {
        let plain = write_plain(rest.as_bytes(), out);
        let mut characters = rest.get(plain..).unwrap_or_default().chars();
        match characters.next() {
            // As they are, in UTF-8: DEL and what lies beyond ASCII.
            Some(character) if style == Style::Utf8 && character >= '\u{7f}' => {
                out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            }
            Some(character) => write_escape(character, out),
            None => break,
        }
        rest = characters.as_str();
    }
    out.push(b'"');
}

/// Writes the bytes before the first special one, and says how many they are.
///
/// Blocks are written whole and then cut: a copy of a fixed length is much cheaper than one that is not.
fn write_plain(text: &[u8], out: &mut Vec<u8>) -> usize {
    let mut rest = text;
    while let Some((block, tail)) = rest.split_first_chunk::<{ scan::BLOCK }>() {
        let start = out.len();
        out.extend_from_slice(block);
        let plain = scan::special(block).trailing_zeros() as usize;
        if plain < scan::BLOCK {
            out.truncate(start.saturating_add(plain));
            return text.len().saturating_sub(rest.len()).saturating_add(plain);
        }
        rest = tail;
    }
    let plain = rest.iter().take_while(|byte| scan::is_plain(**byte)).count();
    out.extend_from_slice(rest.get(..plain).unwrap_or_default());
    text.len().saturating_sub(rest.len()).saturating_add(plain)
}

fn write_escape(character: char, out: &mut Vec<u8>) {
    let short: &[u8] = match character {
        '"' => b"\\\"",
        '\\' => b"\\\\",
        '\n' => b"\\n",
        '\r' => b"\\r",
        '\t' => b"\\t",
        '\u{8}' => b"\\b",
        '\u{c}' => b"\\f",
        other => {
            const HEX: [u8; 16] = *b"0123456789abcdef";
            for unit in other.encode_utf16(&mut [0; 2]) {
                let digit = |shift: u32| HEX.get(usize::from(*unit >> shift & 0xf)).copied().unwrap_or(b'0');
                out.extend_from_slice(&[b'\\', b'u', digit(12), digit(8), digit(4), digit(0)]);
            }
            return;
        }
    };
    out.extend_from_slice(short);
}
