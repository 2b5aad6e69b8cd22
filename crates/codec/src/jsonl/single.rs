//! One message wherever it stands, as in a line of another kind: [`MessageReader`].

use convlog_message::json::Value;
use convlog_message::{Message, Timestamp};

use super::canonical::Canonical;
use super::fields;
use crate::json::{self, SyntaxError};
use crate::report::Problem;

/// Reads single messages from the start of some bytes, by the same rules as the lines of a transcript.
///
/// ```
/// use convlog_codec::jsonl::MessageReader;
/// use convlog_message::Timestamp;
///
/// let mut reader = MessageReader::new(Timestamp::now());
/// let read = reader.read(br#"{"role": "user", "content": "hi", "timestamp": "2026-01-02T03:04:05"}, 1]"#)?;
/// assert_eq!(read.message.content(), "hi");
/// assert_eq!(read.rest, b", 1]");
/// assert!(read.problems.is_empty());
/// # Ok::<(), convlog_codec::jsonl::NoMessage>(())
/// ```
#[derive(Debug)]
pub struct MessageReader {
    fallback: Timestamp,
    canonical: Canonical,
}

/// A message read from the start of some bytes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadMessage<'a> {
    /// The message; an odd one keeps its source bytes.
    pub message: Message,
    /// What follows it.
    pub rest: &'a [u8],
    /// What was odd about it.
    pub problems: Vec<Problem>,
}

/// Why some bytes do not begin with a message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoMessage {
    /// They do not begin with a JSON value.
    #[error(transparent)]
    NotJson(#[from] SyntaxError),
    /// They begin with a value that is no message.
    #[error("{problem}")]
    Other {
        /// What it is instead.
        problem: Problem,
    },
}

impl MessageReader {
    /// `fallback` is the time of messages that have none.
    #[must_use]
    pub fn new(fallback: Timestamp) -> Self {
        Self { fallback, canonical: Canonical::default() }
    }

    /// Reads one message.
    ///
    /// # Errors
    ///
    /// When the bytes do not begin with a JSON object that has a string as role and as content.
    pub fn read<'a>(&mut self, text: &'a [u8]) -> Result<ReadMessage<'a>, NoMessage> {
        if let Some((message, rest)) = self.canonical.decode_start(text) {
            return Ok(ReadMessage { message, rest, problems: Vec::new() });
        }
        let text = text.trim_ascii_start();
        let parsed = json::parse(text)?;
        let length = text.len().saturating_sub(parsed.rest.len());
        let source = text.get(..length).unwrap_or(text);
        let Value::Object(object) = parsed.value else {
            return Err(NoMessage::Other { problem: Problem::NotAnObject { found: parsed.value.kind() } });
        };
        let (message, problems) = fields::message(object, parsed.oddities, source, &self.fallback)
            .map_err(|problem| NoMessage::Other { problem })?;
        Ok(ReadMessage { message, rest: parsed.rest, problems })
    }
}
