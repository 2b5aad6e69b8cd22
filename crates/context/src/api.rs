//! Messages in the shapes that models' interfaces take.

#[cfg(feature = "providers")]
pub mod anthropic;
#[cfg(feature = "providers")]
mod image;
#[cfg(feature = "providers")]
pub mod openai;
#[cfg(feature = "providers")]
mod turns;

use convlog_message::Message;
use convlog_message::json::{Object, Value};

#[cfg(feature = "providers")]
pub use image::{Attachments, Image};

/// All that a model gets of a message: time, metadata, flags and whatever else stays behind.
///
/// ```
/// use convlog_context::ModelMessage;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let message = Message::new(Role::User, "Look.", Timestamp::now()).with_files(["/tmp/a.png"]).with_pinned(true);
/// let sent = ModelMessage::from(&message);
/// assert_eq!((sent.role, sent.content, sent.files, sent.call_id), ("user", "Look.", vec!["/tmp/a.png"], None));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "providers", derive(serde::Serialize))]
pub struct ModelMessage<'a> {
    /// Who speaks.
    pub role: &'a str,
    /// What is said.
    pub content: &'a str,
    /// Files, as the message names them.
    #[cfg_attr(feature = "providers", serde(skip_serializing_if = "Vec::is_empty"))]
    pub files: Vec<&'a str>,
    /// The tool call that it answers.
    #[cfg_attr(feature = "providers", serde(skip_serializing_if = "Option::is_none"))]
    pub call_id: Option<&'a str>,
}

impl<'a> From<&'a Message> for ModelMessage<'a> {
    fn from(message: &'a Message) -> Self {
        Self {
            role: message.role().as_str(),
            content: message.content(),
            files: message.files().iter().map(convlog_message::FileRef::as_str).collect(),
            call_id: message.call_id(),
        }
    }
}

impl From<ModelMessage<'_>> for Object {
    /// The JSON object, with the members that there are, in gptme's order.
    fn from(message: ModelMessage<'_>) -> Self {
        let mut object = Self::new();
        object.insert("role", message.role);
        object.insert("content", message.content);
        if !message.files.is_empty() {
            object.insert("files", message.files.into_iter().map(Value::from).collect::<Vec<_>>());
        }
        if let Some(call_id) = message.call_id {
            object.insert("call_id", call_id);
        }
        object
    }
}
