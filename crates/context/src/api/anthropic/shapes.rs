//! What a request to Anthropic's interface is made of.

use serde::Serialize;
use serde_json::{Map, Value};

/// What a request says: the system text, and the messages.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Request {
    /// The leading system messages, in one block; empty when there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub system: Vec<Block>,
    /// The messages; no two of one role follow each other.
    pub messages: Vec<Message>,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Message {
    /// Who speaks.
    pub role: Speaker,
    /// What is said; never empty.
    pub content: Vec<Block>,
}

/// Who speaks in a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Speaker {
    /// The person, and what the program says in the person's place.
    User,
    /// The model.
    Assistant,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Block {
    /// What it holds.
    #[serde(flatten)]
    pub content: BlockContent,
    /// A mark: all up to here may come from the provider's cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cache_control: Option<CacheControl>,
}

/// What a part of a message holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum BlockContent {
    /// Text.
    Text {
        /// The text; never blank.
        text: String,
    },
    /// An image.
    Image {
        /// The image itself.
        source: ImageSource,
    },
    /// A call of a tool.
    ToolUse {
        /// What its result names.
        id: String,
        /// The tool.
        name: String,
        /// What it gets.
        input: Map<String, Value>,
    },
    /// The result of a call.
    ToolResult {
        /// The call.
        tool_use_id: String,
        /// The result.
        content: Vec<Block>,
    },
    /// What the provider made of earlier messages, given back as it came.
    #[serde(untagged)]
    Verbatim(Value),
}

/// An image within a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "base64")]
pub struct ImageSource {
    /// `image/png`, say.
    pub media_type: String,
    /// The bytes in Base64.
    pub data: String,
}

/// The only kind of mark there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "ephemeral")]
pub struct CacheControl {}
