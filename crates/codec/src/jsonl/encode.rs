//! A message as the bytes of its line.

use convlog_message::{FileRef, Message};

use crate::json::{Style, write_object, write_string, write_value};

/// Writes a message as one JSON object, without a newline.
///
/// A message that was read and not changed since is written in the very bytes it was read from. Any
/// other gets its members in gptme's order, only those that are set, unknown ones last. With
/// [`Style::Gptme`] these are the bytes that gptme 0.35.1 itself writes for it.
///
/// ```
/// use convlog_codec::{json::Style, jsonl::write_message};
/// use convlog_message::{Message, Role};
///
/// let message = Message::new(Role::User, "déjà vu", "2026-01-02T03:04:05".parse()?);
/// let mut line = Vec::new();
/// write_message(&message, Style::Gptme, &mut line);
/// assert_eq!(line, br#"{"role": "user", "content": "d\u00e9j\u00e0 vu", "timestamp": "2026-01-02T03:04:05"}"#);
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
pub fn write_message(message: &Message, style: Style, out: &mut Vec<u8>) {
    if let Some(source) = message.source() {
        out.extend_from_slice(source);
        return;
    }
    out.push(b'{');
    let mut members = Members { style, out, first: true };
    members.text("role", message.role().as_str());
    members.text("content", message.content());
    members.text("timestamp", &message.timestamp().to_string());
    if !message.files().is_empty() {
        members.key("files");
        members.list(message.files());
    }
    if message.file_hashes().len() > 0 {
        members.key("file_hashes");
        members.map(message.file_hashes());
    }
    for (key, set) in [("pinned", message.pinned()), ("hide", message.hide()), ("ui_only", message.ui_only())] {
        if set {
            members.key(key);
            members.out.extend_from_slice(b"true");
        }
    }
    if let Some(ttl) = message.ephemeral_ttl() {
        members.key("ephemeral_ttl");
        members.out.extend_from_slice(ttl.to_string().as_bytes());
    }
    if let Some(call_id) = message.call_id() {
        members.text("call_id", call_id);
    }
    if !message.metadata().is_empty() {
        members.key("metadata");
        write_object(message.metadata().as_object(), style, members.out);
    }
    for (key, value) in message.extra().iter().filter(|(_, value)| crate::json::can_be_said(value)) {
        members.key(key);
        write_value(value, style, members.out);
    }
    out.push(b'}');
}

/// Writes a message as one line, newline included.
pub fn write_line(message: &Message, style: Style, out: &mut Vec<u8>) {
    write_message(message, style, out);
    out.push(b'\n');
}

/// The members of an object as they are written one by one.
struct Members<'a> {
    style: Style,
    out: &'a mut Vec<u8>,
    first: bool,
}

impl Members<'_> {
    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.first) {
            self.out.extend_from_slice(self.style.comma());
        }
        write_string(key, self.style, self.out);
        self.out.extend_from_slice(self.style.colon());
    }

    fn text(&mut self, key: &str, text: &str) {
        self.key(key);
        write_string(text, self.style, self.out);
    }

    fn list(&mut self, files: &[FileRef]) {
        self.out.push(b'[');
        for (index, file) in files.iter().enumerate() {
            if index > 0 {
                self.out.extend_from_slice(self.style.comma());
            }
            write_string(file.as_str(), self.style, self.out);
        }
        self.out.push(b']');
    }

    fn map<'m>(&mut self, pairs: impl Iterator<Item = (&'m str, &'m str)>) {
        self.out.push(b'{');
        for (index, (key, value)) in pairs.enumerate() {
            if index > 0 {
                self.out.extend_from_slice(self.style.comma());
            }
            write_string(key, self.style, self.out);
            self.out.extend_from_slice(self.style.colon());
            write_string(value, self.style, self.out);
        }
        self.out.push(b'}');
    }
}
