//! TOML as messages: [`read_log`] and [`read_message`].

use std::borrow::Cow;

use convlog_message::{Log, Message, Timestamp};
use toml_edit::{Document, Item, Table, TableLike, TomlError};

use super::error::{Fault, ReadError, TomlProblem};
use super::{fields, mend};

/// Reads the messages of a text, one a `[[messages]]` block, in their order; a single `[message]` is a log
/// of one. `missing_time` is the time of blocks without one; it is not recorded.
///
/// # Errors
///
/// Where the text is no TOML, has no message, or a block is none; with line, column, number of the message
/// and what to do.
///
/// ```
/// use convlog_codec::toml::read_log;
///
/// let text = "[[messages]]\nrole = 'user'\ncontent = '''by hand'''\ntimestamp = 2026-01-02T03:04:05Z # a date\n";
/// let log = read_log(text, &"2026-03-01".parse()?)?;
/// assert_eq!(log.first().map(|m| m.timestamp().to_string()), Some("2026-01-02T03:04:05Z".to_owned()));
/// assert!(read_log("", &"2026-03-01".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_log(text: &str, missing_time: &Timestamp) -> Result<Log, ReadError> {
    read(text, missing_time).map(|messages| messages.into_iter().collect())
}

/// Reads a text of one message, in a `[message]` or a `[[messages]]` block.
///
/// # Errors
///
/// As [`read_log`], and when there are several messages.
pub fn read_message(text: &str, missing_time: &Timestamp) -> Result<Message, ReadError> {
    let messages = read(text, missing_time)?;
    let count = messages.len();
    match messages.into_iter().next() {
        Some(message) if count == 1 => Ok(message),
        _ => Err(Fault { at: None, problem: TomlProblem::Several { count } }.placed(text, None)),
    }
}

/// Reads all messages, at least one.
pub(super) fn read(text: &str, missing_time: &Timestamp) -> Result<Vec<Message>, ReadError> {
    let text = &*with_plain_line_ends(text.strip_prefix('\u{feff}').unwrap_or(text));
    match Document::parse(text) {
        Ok(document) => messages(document.as_table(), text, missing_time),
        Err(error) => {
            let mended = mend::mend(text);
            match mended.text.as_deref().map(Document::parse) {
                Some(Ok(document)) => messages(document.as_table(), text, missing_time),
                Some(Err(error)) => Err(syntax(&error, text, &mended.blocks)),
                None => Err(syntax(&error, text, &mended.blocks)),
            }
        }
    }
}

/// Carriage returns of a text are escaped, so those that stand before a newline are an editor's.
fn with_plain_line_ends(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'\r', text.as_bytes()).is_some() {
        Cow::Owned(text.replace("\r\n", "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn messages(root: &Table, text: &str, missing_time: &Timestamp) -> Result<Vec<Message>, ReadError> {
    let outside =
        |key: &str, problem| Fault::new(root.key(key).and_then(toml_edit::Key::span), problem).placed(text, None);
    if let Some((key, _)) = root.iter().find(|(key, _)| !["message", "messages"].contains(key)) {
        return Err(outside(key, TomlProblem::OutsideKey { key: key.to_owned() }));
    }
    let list = match (root.get("message"), root.get("messages")) {
        (Some(_), Some(_)) => return Err(outside("message", TomlProblem::BothForms)),
        (Some(item), None) | (None, Some(item)) => item,
        (None, None) => return Err(Fault { at: None, problem: TomlProblem::Empty }.placed(text, None)),
    };
    let read = |index: usize, start: Option<usize>, table: Option<&dyn TableLike>| {
        let not_a_table = TomlProblem::WrongType { key: "messages", expected: "a table", found: "another value" };
        table
            .ok_or(Fault { at: start, problem: not_a_table })
            .and_then(|table| fields::message(table, text, missing_time))
            .map_err(|fault| Fault { at: fault.at.or(start), ..fault }.placed(text, Some(index.saturating_add(1))))
    };
    let start = |span: Option<std::ops::Range<usize>>| span.map(|span| span.start);
    let read: Vec<Message> = match list {
        Item::ArrayOfTables(tables) => tables
            .iter()
            .enumerate()
            .map(|(i, table)| read(i, start(table.span()), Some(table)))
            .collect::<Result<_, _>>(),
        Item::Value(toml_edit::Value::Array(values)) => values
            .iter()
            .enumerate()
            .map(|(i, value)| {
                read(i, start(value.span()), value.as_inline_table().map(|table| table as &dyn TableLike))
            })
            .collect::<Result<_, _>>(),
        one => read(0, start(one.span()), one.as_table_like()).map(|message| vec![message]),
    }?;
    if read.is_empty() {
        return Err(Fault { at: None, problem: TomlProblem::Empty }.placed(text, None));
    }
    Ok(read)
}

/// What the parser says, with the place and a remedy.
fn syntax(error: &TomlError, text: &str, blocks: &[usize]) -> ReadError {
    let reason = error.message().replace('\n', ", ");
    let at = error.span().map_or(text.len(), |span| span.start);
    let remedy = match &*reason {
        reason if reason.contains("escape") => "write a backslash as `\\\\`",
        reason if reason.contains("duplicate") => "leave one of the two",
        reason if reason.contains("recurs") => "write what lies deeper as JSON: `{ convlog-json = \"…\" }`",
        reason if reason.contains("visible") => "write a control character as `\\u001b`, say",
        reason if reason.contains("string,") => {
            "close it with the quotes that it begins with; inside, write `\"\"\"` as `\"\"\\\"`"
        }
        _ => "a text stands in quotes, with `\\\"` for one inside, and a comment behind `#`",
    };
    let number = blocks.iter().filter(|block| **block <= at).count();
    Fault { at: Some(at), problem: TomlProblem::Syntax { reason, remedy } }.placed(text, (number > 0).then_some(number))
}
