//! A message as one line of JSON, as gptme prints it for programs: [`write_json`].

use std::io::{self, Write};

use convlog_codec::json::{Style, write_object};
use convlog_message::Message;
use convlog_message::json::{Object, Value};

/// Writes `{"type": "message", "role": …, "content": …, "timestamp": …}` and a newline; `files`, `call_id` and
/// `metadata` when there are any. The bytes are those of Python's `json.dumps`.
///
/// ```
/// use convlog_message::{Message, Role};
///
/// let message = Message::new(Role::User, "6 × 7?", "2026-01-02T03:04:05".parse()?);
/// let mut line = Vec::new();
/// convlog_render::write_json(&mut line, &message)?;
/// assert_eq!(line, br#"{"type": "message", "role": "user", "content": "6 \u00d7 7?", "timestamp": "2026-01-02T03:04:05"}
/// "#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// When `out` fails.
pub fn write_json(out: &mut impl Write, message: &Message) -> io::Result<()> {
    let mut object = Object::new();
    object.insert("type", "message");
    object.insert("role", message.role().as_str());
    object.insert("content", message.content());
    object.insert("timestamp", message.timestamp().isoformat());
    if !message.files().is_empty() {
        let files = message.files().iter().map(|file| Value::from(file.as_str()));
        object.insert("files", files.collect::<Vec<_>>());
    }
    if let Some(call_id) = message.call_id() {
        object.insert("call_id", call_id);
    }
    if !message.metadata().is_empty() {
        object.insert("metadata", message.metadata().as_object().clone());
    }
    let mut line = Vec::new();
    write_object(&object, Style::Gptme, &mut line);
    line.push(b'\n');
    out.write_all(&line)
}
