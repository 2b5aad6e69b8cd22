//! [`Event`]: one line of a log, as it was read.

use std::fmt;
use std::ops::Range;

use convlog_message::json::Value;
use convlog_message::{Log, Message, Timestamp};

use crate::{FileFigures, Seq, Stamp};

/// One event, in the order of the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Event {
    /// The line it stands on, counted from 1.
    pub line: u64,
    /// The bytes of its JSON object, counted from the start of the file; without the newline.
    pub span: Range<u64>,
    /// Its number.
    pub seq: Seq,
    /// When it was written.
    pub ts: EventTime,
    /// What happened.
    pub kind: EventKind,
    /// What convlog wrote about it; `None` for an event of another program.
    pub convlog: Option<Stamp>,
    /// Whether it is as convlog knew it.
    pub chain: ChainState,
}

/// What happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum EventKind {
    /// `message_append`: one message more.
    Append(Message),
    /// `message_edit`: the whole list, after it was changed.
    Edit(Log),
    /// `undo`: so many messages less.
    Undo(u64),
    /// `checkpoint`: the whole list, as it stands.
    Checkpoint(Log),
    /// `convlog_view`: something that happened to a view alone.
    View(Value),
    /// `convlog_close`: the transcripts as convlog left them.
    Close(Vec<FileFigures>),
    /// A type that is not known; replay passes over it.
    Other {
        /// The type.
        name: String,
    },
    /// A known type, or none, with a payload that cannot be read; replay passes over it.
    Unusable {
        /// The type, empty when there is none.
        name: String,
    },
}

impl EventKind {
    /// Whether it says something about the messages of the log.
    #[must_use]
    pub const fn is_about_messages(&self) -> bool {
        matches!(self, Self::Append(_) | Self::Edit(_) | Self::Undo(_) | Self::Checkpoint(_))
    }
}

/// How an event stands in the hash chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChainState {
    /// The hash of a convlog line covers it, and fits.
    Fits,
    /// The hash of the convlog line that covers it does not fit: it, or something between the convlog
    /// line before and that one, was changed.
    Broken,
    /// It stands behind the last convlog line: nothing covers it.
    Uncovered,
}

/// The `ts` of an event, in the very text it has.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct EventTime(Text);

/// Python's text for a time in UTC with microseconds takes exactly 32 bytes.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Text {
    Usual([u8; 32]),
    Other(Box<str>),
}

impl EventTime {
    pub(crate) fn new(text: &str) -> Self {
        Self(match text.as_bytes().try_into() {
            Ok(usual) => Text::Usual(usual),
            Err(_) => Text::Other(text.into()),
        })
    }

    /// The text; empty when the event has none.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Text::Usual(text) => std::str::from_utf8(text).unwrap_or_default(),
            Text::Other(text) => text,
        }
    }

    /// The time, when the text is one.
    #[must_use]
    pub fn timestamp(&self) -> Option<Timestamp> {
        self.as_str().parse().ok()
    }
}

impl fmt::Display for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for EventTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "EventTime({self})")
    }
}
