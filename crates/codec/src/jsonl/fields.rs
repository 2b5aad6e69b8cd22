//! A JSON object read as a message, member by member, with what was odd.

use std::sync::Arc;

use convlog_message::json::{Object, Value};
use convlog_message::{FileRef, Message, MessageParts, Timestamp};

use crate::json::{Oddities, Style, write_value};
use crate::report::Problem;

/// How much of an unusable value a report shows, in characters.
const SHOWN: usize = 60;

/// Reads an object as a message that keeps its source bytes, with all that was odd about it.
pub(super) fn message(
    object: Object,
    oddities: Oddities,
    source: &[u8],
    fallback: &Timestamp,
) -> Result<(Message, Vec<Problem>), Problem> {
    let mut problems = Vec::new();
    let mut parts = read(object, fallback, &mut |problem| problems.push(problem))?;
    let odd = [
        (oddities.repeated_key, Problem::RepeatedMember),
        (oddities.lone_surrogate, Problem::LoneSurrogate),
        (oddities.invalid_utf8, Problem::InvalidUtf8),
    ];
    problems.extend(odd.into_iter().filter(|(is_so, _)| *is_so).map(|(_, problem)| problem));
    parts.source = Some(source.into());
    Ok((parts.into(), problems))
}

/// Reads an object as a message. `fallback` is the time of one that has none.
///
/// What can be read is; each member that cannot falls back to its empty value and is handed to `problem`,
/// and so is each key that is not known. An object without role or content is refused.
fn read(object: Object, fallback: &Timestamp, problem: &mut impl FnMut(Problem)) -> Result<MessageParts, Problem> {
    let is_text = |member| match object.get(member) {
        Some(Value::String(_)) => Ok(()),
        other => Err(Problem::NoMessage { member, found: other.map(Value::kind) }),
    };
    is_text("role")?;
    is_text("content")?;
    let mut parts = MessageParts::new("", "", fallback.clone());
    parts.timestamp_recorded = false;
    let mut extra = Vec::new();
    for (key, value) in object {
        match &*key {
            "role" => parts.role = value.as_str().unwrap_or_default().into(),
            "content" => parts.content = Arc::from(value.as_str().unwrap_or_default()),
            "timestamp" => match value.as_str().and_then(|text| text.parse().ok()) {
                Some(timestamp) => {
                    parts.timestamp = timestamp;
                    parts.timestamp_recorded = true;
                }
                None => problem(unusable("timestamp", &value)),
            },
            "files" => parts.files = files(value, problem),
            "file_hashes" => parts.file_hashes = file_hashes(value, problem),
            "pinned" => parts.pinned = flag("pinned", &value, problem),
            "hide" => parts.hide = flag("hide", &value, problem),
            "ui_only" => parts.ui_only = flag("ui_only", &value, problem),
            "ephemeral_ttl" => match value.as_number().and_then(convlog_message::json::Number::as_i64) {
                Some(ttl) => parts.ephemeral_ttl = Some(ttl),
                None => report_unless_null("ephemeral_ttl", &value, problem),
            },
            "call_id" => match value.as_str() {
                Some(call_id) => parts.call_id = Some(call_id.into()),
                None => report_unless_null("call_id", &value, problem),
            },
            "metadata" => match value {
                Value::Object(metadata) => parts.metadata = metadata.into(),
                other => report_unless_null("metadata", &other, problem),
            },
            // Never stored; where somebody stored them even so, they mean nothing.
            "quiet" | "terminal_display_content" => {}
            _ => {
                problem(Problem::UnknownMember { key: key.clone().into_owned() });
                extra.push((key, value));
            }
        }
    }
    parts.extra = extra.into_iter().collect();
    Ok(parts)
}

fn flag(member: &'static str, value: &Value, problem: &mut impl FnMut(Problem)) -> bool {
    value.as_bool().unwrap_or_else(|| {
        report_unless_null(member, value, problem);
        false
    })
}

/// A list of paths and URIs; a lone string counts as a list of one.
fn files(value: Value, problem: &mut impl FnMut(Problem)) -> Vec<FileRef> {
    match value {
        Value::Array(values) => {
            let (files, others): (Vec<_>, Vec<_>) = values.into_iter().partition(|file| file.as_str().is_some());
            if let Some(other) = others.first() {
                problem(unusable("files", other));
            }
            files.iter().filter_map(Value::as_str).map(FileRef::new).collect()
        }
        Value::String(file) => {
            problem(Problem::LoneFile);
            vec![file.into()]
        }
        other => {
            problem(unusable("files", &other));
            Vec::new()
        }
    }
}

fn file_hashes(value: Value, problem: &mut impl FnMut(Problem)) -> Vec<(String, String)> {
    let Value::Object(hashes) = value else {
        problem(unusable("file_hashes", &value));
        return Vec::new();
    };
    let mut read = Vec::with_capacity(hashes.len());
    for (file, hash) in hashes {
        match hash {
            Value::String(hash) => read.push((file.into_owned(), hash)),
            other => problem(unusable("file_hashes", &other)),
        }
    }
    read
}

/// `null` in an optional member is the same as leaving it out.
fn report_unless_null(member: &'static str, value: &Value, problem: &mut impl FnMut(Problem)) {
    if *value != Value::Null {
        problem(unusable(member, value));
    }
}

fn unusable(member: &'static str, value: &Value) -> Problem {
    let mut text = Vec::new();
    match value {
        Value::Array(_) | Value::Object(_) => text.extend_from_slice(value.kind().as_bytes()),
        Value::Number(number) => text.extend_from_slice(number.text().as_bytes()),
        short => write_value(short, Style::Utf8, &mut text),
    }
    let text = String::from_utf8_lossy(&text);
    let mut found: String = text.chars().take(SHOWN).collect();
    if found.len() < text.len() {
        found.push('…');
    }
    Problem::Unusable { member, found }
}
