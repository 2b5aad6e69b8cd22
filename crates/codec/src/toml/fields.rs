//! A block of TOML read as a message, key by key.

use std::ops::Range;

use convlog_message::json::Value;
use convlog_message::{Message, MessageParts, Timestamp};
use toml_edit::{Item, TableLike, Value as TomlValue};

use super::error::{Fault, TomlProblem};
use super::{time, value};

/// What every block must have.
const REQUIRED: [&str; 2] = ["role", "content"];

/// Reads one block. `fallback` is the time of one that has none.
pub(super) fn message(table: &dyn TableLike, source: &str, fallback: &Timestamp) -> Result<Message, Fault> {
    let mut parts = MessageParts::new("", "", fallback.clone());
    parts.timestamp_recorded = false;
    let (mut shown, mut exact, mut stand_in) = (None, None, None);
    for (key, item) in table.iter() {
        let wrong =
            |key, expected| Fault::new(item.span(), TomlProblem::WrongType { key, expected, found: kind(item) });
        let text = |key| item.as_str().ok_or_else(|| wrong(key, "a string"));
        let flag = |key| item.as_bool().ok_or_else(|| wrong(key, "true or false"));
        match key {
            // As gptme's own writer would say that there is nothing; see `mend`.
            key if !REQUIRED.contains(&key) && item.span().and_then(|span| source.get(span)) == Some("None") => {}
            "role" => parts.role = text("role")?.into(),
            // The newline before the closing quotes belongs to the form.
            "content" => {
                let content = text("content")?;
                parts.content = content.strip_suffix('\n').unwrap_or(content).into();
            }
            "timestamp" => {
                shown = Some((written_time(item, source).ok_or_else(|| wrong("timestamp", "a time"))?, item));
            }
            "exact_timestamp" => exact = Some(text("exact_timestamp")?),
            "stand_in_timestamp" => stand_in = Some(text("stand_in_timestamp")?),
            "pinned" => parts.pinned = flag("pinned")?,
            "hide" => parts.hide = flag("hide")?,
            "ui_only" => parts.ui_only = flag("ui_only")?,
            "ephemeral_ttl" => {
                let ttl = item.as_integer().ok_or_else(|| wrong("ephemeral_ttl", "a whole number of 64 bits"))?;
                parts.ephemeral_ttl = Some(ttl);
            }
            "files" => {
                for file in list(item).ok_or_else(|| wrong("files", "a list of strings"))? {
                    let file = file.as_str().ok_or_else(|| not_a_string("files", file.span()))?;
                    parts.files.push(file.into());
                }
            }
            "file_hashes" => {
                let hashes = item.as_table_like().ok_or_else(|| wrong("file_hashes", "a table of strings"))?;
                for (file, hash) in hashes.iter() {
                    let hash = hash.as_str().ok_or_else(|| not_a_string("file_hashes", hash.span()))?;
                    parts.file_hashes.push((file.to_owned(), hash.to_owned()));
                }
            }
            "metadata" => match value::read_item(item, source)? {
                Value::Object(metadata) => parts.metadata = metadata.into(),
                _ => return Err(wrong("metadata", "a table")),
            },
            "extra" => match value::read_item(item, source)? {
                Value::Object(extra) => parts.extra = extra,
                _ => return Err(wrong("extra", "a table")),
            },
            "call_id" => parts.call_id = Some(text("call_id")?.into()),
            _ => {
                let span = table.key(key).and_then(toml_edit::Key::span);
                return Err(Fault::new(span, TomlProblem::UnknownKey { key: key.to_owned() }));
            }
        }
    }
    for key in REQUIRED {
        if !table.contains_key(key) {
            return Err(Fault { at: None, problem: TomlProblem::Missing { key } });
        }
    }
    if let Some((shown, item)) = shown {
        parts.timestamp_recorded = stand_in != Some(shown);
        parts.timestamp = match exact.and_then(|text| text.parse::<Timestamp>().ok()) {
            // What stands there is what was written for the exact one: nobody has changed it.
            Some(exact) if time::texts(&exact).0 == shown => exact,
            _ => {
                shown.parse().map_err(|_| Fault::new(item.span(), TomlProblem::NotATime { text: shown.to_owned() }))?
            }
        };
    }
    Ok(parts.into())
}

/// The text of a time: that of a string, or that of TOML's own dates and times as it is written.
fn written_time<'a>(item: &'a Item, source: &'a str) -> Option<&'a str> {
    match item {
        Item::Value(TomlValue::Datetime(_)) => source.get(item.span()?),
        other => other.as_str(),
    }
}

/// The elements of a list; a lone string counts as a list of one.
fn list(item: &Item) -> Option<Vec<&TomlValue>> {
    match item.as_value()? {
        TomlValue::Array(values) => Some(values.iter().collect()),
        value => value.is_str().then(|| vec![value]),
    }
}

fn not_a_string(key: &'static str, span: Option<Range<usize>>) -> Fault {
    Fault::new(span, TomlProblem::WrongType { key, expected: "made of strings", found: "of another value" })
}

/// What a value is, in the words of an error.
fn kind(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Value(TomlValue::String(_)) => "a string",
        Item::Value(TomlValue::Integer(_)) => "a whole number",
        Item::Value(TomlValue::Float(_)) => "a number",
        Item::Value(TomlValue::Boolean(_)) => "true or false",
        Item::Value(TomlValue::Datetime(_)) => "a date or time",
        Item::Value(TomlValue::Array(_)) | Item::ArrayOfTables(_) => "a list",
        Item::Value(TomlValue::InlineTable(_)) | Item::Table(_) => "a table",
    }
}
