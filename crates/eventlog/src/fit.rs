//! What gptme can read: the rare message that would make its recovery fail is written as a stand-in.

use convlog_codec::json::{Style, parse};
use convlog_codec::jsonl::write_message;
use convlog_message::Message;
use convlog_message::json::{Object, Value};

/// How deep a value may be nested. Python's reader ends at 1,000 less the calls that led to it, and fails
/// as a whole.
pub(crate) const MOST_LEVELS: usize = 500;
/// How many digits an integer may have. Beyond, Python's reader fails as a whole.
pub(crate) const MOST_DIGITS: usize = 4_300;

/// What stands in an event for a message.
pub(crate) enum Form {
    /// Its own JSON.
    Own,
    /// Another message, whose JSON gptme can read; its own goes into the stamp.
    StandIn(Message),
}

/// Finds out how a message is to be written.
///
/// A stand-in is made for bytes that are not UTF-8 (gptme passes over the whole line, and so, in a
/// checkpoint, over every message in it), that would not stay on one line, that are no JSON, and for
/// numbers and nesting that no gptme can read. It has all fields of the message (U+FFFD for what is no
/// UTF-8), but not the members of metadata, and the unknown ones, that cannot be read.
pub(crate) fn form(message: &Message) -> Form {
    let fits = match message.source() {
        None => object_fits(message.metadata().as_object()) && object_fits(message.extra()),
        Some(source) => source_fits(source),
    };
    if fits { Form::Own } else { Form::StandIn(stand_in(message)) }
}

/// Whether gptme can read a value.
pub(crate) fn value_fits(value: &Value) -> bool {
    fits_within(value, MOST_LEVELS)
}

fn object_fits(object: &Object) -> bool {
    object.iter().all(|(_, value)| value_fits(value))
}

fn source_fits(source: &[u8]) -> bool {
    std::str::from_utf8(source).is_ok()
        && !source.contains(&b'\n')
        && parse(source).is_ok_and(|parsed| {
            parsed.rest.is_empty() && parsed.value.as_object().is_some() && value_fits(&parsed.value)
        })
}

fn fits_within(value: &Value, levels: usize) -> bool {
    let inner = levels.checked_sub(1);
    match value {
        Value::Number(number) => {
            let is_float = |text: &str| text.contains(['.', 'e', 'E']);
            number.as_i64().is_some() || { number.text() }.len() <= MOST_DIGITS || is_float(&number.text())
        }
        Value::Array(values) => inner.is_some_and(|inner| values.iter().all(|value| fits_within(value, inner))),
        Value::Object(object) => inner.is_some_and(|inner| object.iter().all(|(_, value)| fits_within(value, inner))),
        _ => true,
    }
}

fn stand_in(message: &Message) -> Message {
    let mut parts = message.clone().into_parts();
    parts.source = None;
    let readable = |object: &Object| -> Object {
        let members = object.iter().filter(|(_, value)| value_fits(value));
        members.map(|(key, value)| (key.to_owned(), value.clone())).collect()
    };
    parts.metadata = readable(parts.metadata.as_object()).into();
    parts.extra = readable(&parts.extra);
    parts.into()
}

/// Writes the JSON of a message as it goes into an event, and returns its own bytes where that is not
/// them. `own` are its own bytes where they are known already.
pub(crate) fn write_fit(message: &Message, own: Option<&[u8]>, out: &mut Vec<u8>) -> Option<Vec<u8>> {
    match (form(message), own) {
        (Form::Own, Some(own)) => {
            out.extend_from_slice(own);
            None
        }
        (Form::Own, None) => {
            write_message(message, Style::Gptme, out);
            None
        }
        (Form::StandIn(stand_in), own) => {
            write_message(&stand_in, Style::Gptme, out);
            Some(own.map_or_else(|| encoded(message), <[u8]>::to_vec))
        }
    }
}

fn encoded(message: &Message) -> Vec<u8> {
    let mut own = Vec::new();
    write_message(message, Style::Gptme, &mut own);
    own
}
