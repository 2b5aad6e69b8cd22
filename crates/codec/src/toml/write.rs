//! Messages as TOML: [`write_log`] and [`write_message`].

use convlog_message::{Log, Message};

use super::{text, time, value};

/// What a block takes beside its content, about.
const BLOCK: usize = 256;

/// Writes a log as `[[messages]]` blocks, an empty line between them.
///
/// An empty log gives an empty text, which [`read_log`](super::read_log) refuses. Fields that are never
/// stored are not written.
///
/// ```
/// use convlog_codec::toml;
/// use convlog_message::{Log, Message, Role};
///
/// let log: Log = [Message::new(Role::User, "hi", "2026-01-02T03:04:05".parse()?)].into_iter().collect();
/// assert!(toml::write_log(&log).starts_with("[[messages]]\nrole = \"user\"\n"));
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[must_use]
pub fn write_log(log: &Log) -> String {
    let length = log.iter().fold(0_usize, |sum, message| sum.saturating_add(message.content().len()));
    let mut out = String::with_capacity(length.saturating_add(log.len().saturating_mul(BLOCK)));
    for (index, message) in log.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        out.push_str("[[messages]]\n");
        write_fields(message, &mut out);
    }
    out
}

/// Writes one message as a `[message]` block.
///
/// ```
/// use convlog_codec::toml;
/// use convlog_message::{Message, Role};
///
/// let message = Message::new(Role::User, "hi", "2026-01-02T03:04:05".parse()?);
/// assert!(toml::write_message(&message).starts_with("[message]\n"));
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[must_use]
pub fn write_message(message: &Message) -> String {
    let mut out = String::with_capacity(message.content().len().saturating_add(BLOCK));
    out.push_str("[message]\n");
    write_fields(message, &mut out);
    out
}

fn write_fields(message: &Message, out: &mut String) {
    field(out, "role", |out| text::write_string(message.role().as_str(), out));
    field(out, "content", |out| text::write_lines(message.content(), out));
    write_time(message, out);
    for (key, set) in [("pinned", message.pinned()), ("hide", message.hide()), ("ui_only", message.ui_only())] {
        if set {
            field(out, key, |out| out.push_str("true"));
        }
    }
    if let Some(ttl) = message.ephemeral_ttl() {
        field(out, "ephemeral_ttl", |out| out.push_str(&ttl.to_string()));
    }
    if !message.files().is_empty() {
        field(out, "files", |out| {
            for (index, file) in message.files().iter().enumerate() {
                out.push_str(if index == 0 { "[" } else { ", " });
                text::write_string(file.as_str(), out);
            }
            out.push(']');
        });
    }
    if message.file_hashes().len() > 0 {
        field(out, "file_hashes", |out| value::write_texts(message.file_hashes(), out));
    }
    if !message.metadata().is_empty() {
        field(out, "metadata", |out| value::write_object(message.metadata().as_object(), out));
    }
    if let Some(call_id) = message.call_id() {
        field(out, "call_id", |out| text::write_string(call_id, out));
    }
    if !message.extra().is_empty() {
        field(out, "extra", |out| value::write_object(message.extra(), out));
    }
}

fn write_time(message: &Message, out: &mut String) {
    let (shown, exact) = time::texts(message.timestamp());
    field(out, "timestamp", |out| text::write_string(&shown, out));
    if !message.has_recorded_timestamp() {
        field(out, "stand_in_timestamp", |out| text::write_string(&shown, out));
    } else if let Some(exact) = exact {
        field(out, "exact_timestamp", |out| text::write_string(&exact, out));
    }
}

fn field(out: &mut String, key: &str, write: impl FnOnce(&mut String)) {
    out.push_str(key);
    out.push_str(" = ");
    write(out);
    out.push('\n');
}
