//! Writing JSON as Python's `json.dumps` does, or as UTF-8.

use convlog_message::json::{Object, Value};

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
        Value::Number(number) if number.is_json() => out.extend_from_slice(number.as_str().as_bytes()),
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
    let is_plain = match style {
        Style::Gptme => |b: u8| matches!(b, 0x20 | 0x21 | 0x23..=0x5b | 0x5d..=0x7e),
        Style::Utf8 => |b: u8| b >= 0x20 && b != b'"' && b != b'\\',
    };
    out.push(b'"');
    let mut rest = text;
    loop {
        let length = rest.bytes().take_while(|b| is_plain(*b)).count();
        let (plain, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.extend_from_slice(plain.as_bytes());
        let mut characters = tail.chars();
        match characters.next() {
            Some(character) => write_escape(character, out),
            None => break,
        }
        rest = characters.as_str();
    }
    out.push(b'"');
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
