//! The other program's lines: [`Chats`].

use std::collections::BTreeMap;

use convlog_codec::json;
use convlog_message::json::{Number, Object, Value};
use convlog_message::{Message, Metadata, Role, Timestamp};
use time::OffsetDateTime;

/// The messages of each chat, in the order of their lines.
#[derive(Default)]
pub(crate) struct Chats(BTreeMap<String, Vec<Message>>);

impl Chats {
    /// Adds the message of a line.
    pub(crate) fn add(&mut self, line: &str) -> Result<(), String> {
        let parsed = json::parse(line.as_bytes()).map_err(|error| error.to_string())?;
        let object = parsed.value.as_object().ok_or("not an object")?;
        let text = |member| text(object, member);
        let role = match text("from")? {
            "human" => Role::User,
            "bot" => Role::Assistant,
            other => return Err(format!("nobody knows who {other:?} is")),
        };
        let seconds = object.get("at").and_then(Value::as_number).and_then(Number::as_i64);
        let seconds = seconds.ok_or("`at` is no number of seconds")?;
        let time = OffsetDateTime::from_unix_timestamp(seconds).map_err(|error| error.to_string())?;
        let mut message = Message::new(role, text("text")?, Timestamp::with_offset(time));
        if let Some(model) = object.get("model") {
            message = message.with_metadata(Metadata::new().with("model", model.clone()));
        }
        self.0.entry(text("chat")?.to_owned()).or_default().push(message);
        Ok(())
    }
}

impl IntoIterator for Chats {
    type Item = (String, Vec<Message>);
    type IntoIter = std::collections::btree_map::IntoIter<String, Vec<Message>>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

fn text<'a>(object: &'a Object, member: &str) -> Result<&'a str, String> {
    object.get(member).and_then(Value::as_str).ok_or_else(|| format!("`{member}` is missing or no text"))
}
