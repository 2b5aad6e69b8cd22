//! JSON values as TOML spells them, both ways; what TOML cannot say is JSON in a string.

use std::ops::Range;

use convlog_message::json::{Key, Number, Object, Value, key};
use toml_edit::{Item, Value as TomlValue};

use super::error::{Fault, TomlProblem};
use super::text::{write_key, write_string};
use crate::json::{self, Style};

/// The one key of a table that stands for the JSON in its value.
const TAG: &str = "convlog-json";

/// How deep arrays and tables are written in TOML; what lies deeper is JSON. `toml_edit` takes 80 levels.
const DEPTH: usize = 16;

/// Writes an object as an inline table.
pub(super) fn write_object(object: &Object, out: &mut String) {
    if is_tagged(object) {
        write_tagged(&Value::Object(object.clone()), out);
    } else {
        write_members(object, DEPTH, out);
    }
}

/// Writes keys and texts as an inline table, whatever the keys; the last of two for one key counts.
pub(super) fn write_texts<'a>(texts: impl Iterator<Item = (&'a str, &'a str)>, out: &mut String) {
    let object: Object = texts.map(|(name, text)| (key(name), text)).collect();
    let mut separator = "{ ";
    for (name, text) in object.iter() {
        out.push_str(separator);
        write_key(name, out);
        out.push_str(" = ");
        write_value(text, DEPTH, out);
        separator = ", ";
    }
    out.push_str(" }");
}

fn write_members(object: &Object, depth: usize, out: &mut String) {
    let mut separator = "{ ";
    for (key, value) in object.iter() {
        out.push_str(separator);
        write_key(key, out);
        out.push_str(" = ");
        write_value(value, depth, out);
        separator = ", ";
    }
    out.push_str(if object.is_empty() { "{}" } else { " }" });
}

fn write_value(value: &Value, depth: usize, out: &mut String) {
    let inner = depth.checked_sub(1);
    match (value, inner) {
        (Value::Bool(value), _) => out.push_str(if *value { "true" } else { "false" }),
        (Value::String(text), _) => write_string(text, out),
        (Value::Number(number), _) if is_toml(number) => match &*number.text() {
            "NaN" => out.push_str("nan"),
            "Infinity" => out.push_str("inf"),
            "-Infinity" => out.push_str("-inf"),
            digits => out.push_str(digits),
        },
        (Value::Array(values), Some(inner)) => {
            out.push('[');
            let mut separator = "";
            for value in values {
                out.push_str(separator);
                write_value(value, inner, out);
                separator = ", ";
            }
            out.push(']');
        }
        (Value::Object(object), Some(inner)) if !is_tagged(object) => write_members(object, inner, out),
        _ => write_tagged(value, out),
    }
}

/// Writes a value as JSON in a string.
fn write_tagged(value: &Value, out: &mut String) {
    let mut text = Vec::new();
    write_json(value, &mut text);
    out.push_str("{ ");
    out.push_str(TAG);
    out.push_str(" = ");
    write_string(&String::from_utf8_lossy(&text), out);
    out.push_str(" }");
}

/// Whether every reader of TOML 1.0 takes the number as it stands: an integer of 64 bits, or a float that
/// does not overflow.
fn is_toml(number: &Number) -> bool {
    let is_integer = || number.text().bytes().all(|b| b.is_ascii_digit() || b == b'-');
    !number.is_json() || number.as_i64().is_some() || (!is_integer() && number.as_f64().is_some())
}

fn is_tagged(object: &Object) -> bool {
    object.len() == 1 && object.get(TAG).is_some()
}

/// JSON that [`json::parse`] reads back to the same value, Python's `NaN` and infinities included.
fn write_json(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Number(number) => out.extend_from_slice(number.text().as_bytes()),
        Value::Array(values) => {
            for (index, value) in values.iter().enumerate() {
                out.push(if index == 0 { b'[' } else { b',' });
                write_json(value, out);
            }
            out.extend_from_slice(if values.is_empty() { b"[]" } else { b"]" });
        }
        Value::Object(object) => {
            for (index, (key, value)) in object.iter().enumerate() {
                out.push(if index == 0 { b'{' } else { b',' });
                json::write_string(key, Style::Utf8, out);
                out.push(b':');
                write_json(value, out);
            }
            out.extend_from_slice(if object.is_empty() { b"{}" } else { b"}" });
        }
        plain => json::write_value(plain, Style::Utf8, out),
    }
}

/// Reads what stands behind a key. `source` is the text of the whole document: numbers keep their digits.
pub(super) fn read_item(item: &Item, source: &str) -> Result<Value, Fault> {
    match item {
        Item::None => Ok(Value::Null),
        Item::Value(value) => read_value(value, source),
        Item::Table(table) => {
            let members = table.iter().map(|(name, item)| Ok((key(name), read_item(item, source)?)));
            object_or_tag(members.collect::<Result<_, Fault>>()?, table.span())
        }
        Item::ArrayOfTables(tables) => {
            let read = |table: &toml_edit::Table| {
                let members = table.iter().map(|(name, item)| Ok((key(name), read_item(item, source)?)));
                object_or_tag(members.collect::<Result<_, Fault>>()?, table.span())
            };
            tables.iter().map(read).collect::<Result<_, _>>().map(Value::Array)
        }
    }
}

fn read_value(value: &TomlValue, source: &str) -> Result<Value, Fault> {
    let written = || value.span().and_then(|span| source.get(span)).unwrap_or_default();
    Ok(match value {
        TomlValue::String(text) => Value::String(text.value().clone()),
        TomlValue::Boolean(value) => Value::Bool(*value.value()),
        TomlValue::Datetime(_) => Value::String(written().to_owned()),
        // The word stands there as gptme wrote it; see `mend`.
        TomlValue::Integer(_) if written() == "None" => Value::Null,
        TomlValue::Integer(integer) => digits(written()).unwrap_or_else(|| Number::from(*integer.value())).into(),
        TomlValue::Float(float) => {
            digits(written()).or_else(|| number(*float.value())).map_or(Value::Null, Value::from)
        }
        TomlValue::Array(values) => {
            Value::Array(values.iter().map(|value| read_value(value, source)).collect::<Result<_, _>>()?)
        }
        TomlValue::InlineTable(table) => {
            let members = table.iter().map(|(name, value)| Ok((key(name), read_value(value, source)?)));
            object_or_tag(members.collect::<Result<_, Fault>>()?, value.span())?
        }
    })
}

/// The number in the digits it is written in, where JSON has them too.
fn digits(written: &str) -> Option<Number> {
    let plain = written.strip_prefix('+').unwrap_or(written);
    if plain.contains('_') { plain.replace('_', "").parse().ok() } else { plain.parse().ok() }
}

fn number(value: f64) -> Option<Number> {
    let token = if value.is_nan() {
        "NaN"
    } else if value > 0.0 {
        "Infinity"
    } else {
        "-Infinity"
    };
    Number::from_f64(value).or_else(|| token.parse().ok())
}

/// The JSON that a tagged table stands for, or else the table as an object.
fn object_or_tag(members: Vec<(Key, Value)>, span: Option<Range<usize>>) -> Result<Value, Fault> {
    let object: Object = members.into_iter().collect();
    if !is_tagged(&object) {
        return Ok(object.into());
    }
    let text = object.get(TAG).and_then(Value::as_str).unwrap_or_default();
    match json::parse(text.as_bytes()) {
        Ok(parsed) if parsed.rest.trim_ascii().is_empty() => Ok(parsed.value),
        _ => Err(Fault::new(span, TomlProblem::NotJson)),
    }
}
