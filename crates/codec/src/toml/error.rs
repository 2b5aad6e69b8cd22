//! Why a text gives no messages, and where: [`ReadError`].

use std::fmt;
use std::ops::Range;

use thiserror::Error;

/// A text that cannot be read as messages. The text itself is untouched: correct it and read again.
///
/// ```
/// use convlog_codec::toml::read_log;
/// use convlog_message::Timestamp;
///
/// let text = "[[messages]]\nrole = \"user\"\ncontent = \"hi\"\npinned = \"yes\"\n";
/// let error = read_log(text, &Timestamp::now()).unwrap_err();
/// assert_eq!((error.line, error.column, error.message), (4, 10, Some(1)));
/// assert_eq!(error.to_string(), "line 4, column 10, message 1: `pinned` must be true or false, not a string");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub struct ReadError {
    /// The line, the first is 1.
    pub line: usize,
    /// The character in the line, the first is 1.
    pub column: usize,
    /// The number of the message, the first is 1; `None` outside of any.
    pub message: Option<usize>,
    /// What is wrong.
    pub problem: TomlProblem,
}

/// What can be wrong with a text of messages; each says how to set it right.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TomlProblem {
    /// The text is no TOML.
    #[error("{reason}; {remedy}")]
    Syntax {
        /// What the parser says.
        reason: String,
        /// What to do.
        remedy: &'static str,
    },
    /// No message at all.
    #[error("no message; a message is a block that begins with `[[messages]]`, and at least one must stay")]
    Empty,
    /// Both forms in one text.
    #[error("both `[message]` and `[[messages]]`; use `[[messages]]` for each of several messages")]
    BothForms,
    /// More than the one message that was asked for.
    #[error("{count} messages in place of one; leave the one that is meant")]
    Several {
        /// How many.
        count: usize,
    },
    /// A key outside of any message.
    #[error("`{}` belongs to no message; put it below `[[messages]]`, or remove it", key.escape_debug())]
    OutsideKey {
        /// The key.
        key: String,
    },
    /// A key that no message has.
    #[error("a message has no `{}`; correct it, or put it into `extra = {{ … }}` to keep it", key.escape_debug())]
    UnknownKey {
        /// The key.
        key: String,
    },
    /// A key that every message has.
    #[error("`{key}` is missing; add a line `{key} = \"…\"`")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// A value of a wrong type.
    #[error("`{key}` must be {expected}, not {found}")]
    WrongType {
        /// The key.
        key: &'static str,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: &'static str,
    },
    /// A text that is no time.
    #[error("`{}` is no time; write it as `2026-01-02T03:04:05`, or remove the line", text.escape_debug())]
    NotATime {
        /// The text.
        text: String,
    },
    /// A `convlog-json` that holds no JSON.
    #[error(
        "`convlog-json` must be a string of JSON, such as \"null\"; write the value in TOML in place of the braces"
    )]
    NotJson,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        if let Some(number) = self.message {
            write!(f, ", message {number}")?;
        }
        write!(f, ": {}", self.problem)
    }
}

/// A problem at a byte of the text, before its line and message are known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) at: Option<usize>,
    pub(super) problem: TomlProblem,
}

impl Fault {
    pub(super) fn new(span: Option<Range<usize>>, problem: TomlProblem) -> Self {
        Self { at: span.map(|span| span.start), problem }
    }

    /// The error, with the place in the text.
    pub(super) fn placed(self, text: &str, message: Option<usize>) -> ReadError {
        let before = text.as_bytes().get(..self.at.unwrap_or(0)).unwrap_or(text.as_bytes());
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
        let column = String::from_utf8_lossy(line).chars().count();
        ReadError { line: lines.saturating_add(1), column: column.saturating_add(1), message, problem: self.problem }
    }
}
