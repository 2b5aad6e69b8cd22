//! What a reader found odd in an event log: [`Report`], made of [`Oddity`]s.

use std::fmt;
use std::ops::Range;

use convlog_codec::Problem;
use convlog_codec::json::Syntax;

/// Everything that a reader found odd in one log, in the order of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    oddities: Vec<Oddity>,
}

/// One irregularity: where it stands, what it is, and what was done.
///
/// [`Display`](fmt::Display) says all three in one line.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Oddity {
    /// The line, counted from 1.
    pub line: u64,
    /// The bytes that are concerned, counted from the start of the file; without the newline.
    pub span: Range<u64>,
    /// What is odd.
    pub kind: OddityKind,
}

/// An irregularity in an event log.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OddityKind {
    /// A line, or a part of one, that is not JSON.
    NotJson {
        /// What is wrong.
        syntax: Syntax,
        /// Where, in bytes from the start of the file.
        at: u64,
    },
    /// A last line without a newline that ends before its JSON does: what a crash or a full disk leaves.
    CutShort {
        /// What it ends in.
        syntax: Syntax,
    },
    /// A line of NUL bytes only: what a crash leaves on some file systems.
    OnlyNul,
    /// NUL bytes around the value of a line.
    NulBytes {
        /// How many.
        count: u64,
    },
    /// A byte order mark before the first line; gptme cannot read that line.
    ByteOrderMark,
    /// More than one value on the line; gptme reads none of them.
    SeveralValues {
        /// How many.
        count: u64,
    },
    /// JSON, but no object; gptme's recovery fails on it.
    NotAnObject {
        /// What it is instead.
        found: &'static str,
    },
    /// An object without a whole number from 1 on as `seq`; gptme's recovery fails where there is none.
    NoSeq {
        /// What stands in its place; `None` when it is missing.
        found: Option<&'static str>,
    },
    /// An event without a string as `type`.
    NoType,
    /// A payload that does not fit the type.
    BadPayload {
        /// The type.
        name: String,
        /// The member that is missing or of a wrong type.
        member: &'static str,
    },
    /// An undo that does not say of how many; taken as of one, as gptme does.
    UndoWithoutCount,
    /// A message in the payload that cannot be read.
    UnreadableMessage {
        /// Its place in the payload, counted from 0.
        index: usize,
        /// Why.
        problem: String,
    },
    /// A message in the payload that is odd.
    OddMessage {
        /// Its place in the payload, counted from 0.
        index: usize,
        /// In what.
        problem: Problem,
    },
    /// The number of the event before, once more.
    SeqRepeats {
        /// The number.
        seq: u64,
    },
    /// A number below the highest so far.
    SeqFalls {
        /// The number.
        seq: u64,
        /// The highest so far.
        highest: u64,
    },
    /// A number more than one above the highest so far.
    SeqGap {
        /// The number.
        seq: u64,
        /// The highest so far.
        highest: u64,
    },
    /// A type that is not known.
    UnknownType {
        /// The type.
        name: String,
    },
    /// Bytes that are no UTF-8; gptme passes over the whole line.
    InvalidUtf8,
    /// A member `convlog` that is not as convlog writes it, or a line with traces of one.
    BrokenStamp,
    /// The bytes of a message in the stamp that cannot be read; its stand-in is taken.
    BrokenRaw {
        /// The message's place in the payload, counted from 0.
        index: usize,
    },
}

impl Report {
    /// The irregularities, in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, Oddity> {
        self.oddities.iter()
    }

    /// The number of irregularities.
    #[must_use]
    pub fn len(&self) -> usize {
        self.oddities.len()
    }

    /// Whether nothing was odd.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.oddities.is_empty()
    }

    /// Those about bytes that gave no event, or an event without its message: what a rewrite would lose.
    pub fn skipped(&self) -> impl Iterator<Item = &Oddity> {
        self.iter().filter(|oddity| oddity.kind.is_skipped())
    }

    /// Brings what was found at different times into the order of the file.
    pub(crate) fn sort(&mut self) {
        self.oddities.sort_by_key(|oddity| oddity.span.start);
    }

    pub(crate) fn push(&mut self, oddity: Oddity) {
        self.oddities.push(oddity);
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Oddity;
    type IntoIter = std::slice::Iter<'a, Oddity>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl OddityKind {
    /// The same about a message that stands so many places further behind.
    pub(crate) fn moved(self, places: usize) -> Self {
        match self {
            Self::OddMessage { index, problem } => Self::OddMessage { index: index.saturating_add(places), problem },
            other => other,
        }
    }

    /// Whether the bytes gave no event, or not all of its messages.
    #[must_use]
    pub const fn is_skipped(&self) -> bool {
        matches!(
            self,
            Self::NotJson { .. }
                | Self::CutShort { .. }
                | Self::OnlyNul
                | Self::NotAnObject { .. }
                | Self::NoSeq { .. }
                | Self::NoType
                | Self::BadPayload { .. }
                | Self::UnreadableMessage { .. }
        )
    }

    /// A short name that programs may rely on.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::NotJson { syntax: Syntax::TooDeep, .. } => "too-deep",
            Self::NotJson { .. } => "not-json",
            Self::CutShort { .. } => "cut-short",
            Self::OnlyNul => "only-nul",
            Self::NulBytes { .. } => "nul-bytes",
            Self::ByteOrderMark => "byte-order-mark",
            Self::SeveralValues { .. } => "several-values",
            Self::NotAnObject { .. } => "not-an-object",
            Self::NoSeq { .. } => "no-seq",
            Self::NoType => "no-type",
            Self::BadPayload { .. } => "bad-payload",
            Self::UndoWithoutCount => "undo-without-count",
            Self::UnreadableMessage { .. } => "unreadable-message",
            Self::OddMessage { problem, .. } => problem.code(),
            Self::SeqRepeats { .. } => "seq-repeats",
            Self::SeqFalls { .. } => "seq-falls",
            Self::SeqGap { .. } => "seq-gap",
            Self::UnknownType { .. } => "unknown-type",
            Self::InvalidUtf8 => "invalid-utf8",
            Self::BrokenStamp => "broken-stamp",
            Self::BrokenRaw { .. } => "broken-raw",
        }
    }
}

impl fmt::Display for Oddity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, span, kind } = self;
        write!(f, "line {line} (byte {}): {kind}", span.start)?;
        if kind.is_skipped() {
            f.write_str("; skipped")?;
        }
        Ok(())
    }
}

impl fmt::Display for OddityKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { syntax, at } => write!(f, "not JSON ({syntax} at byte {at})"),
            Self::CutShort { syntax } => write!(f, "cut short ({syntax})"),
            Self::OnlyNul => f.write_str("only NUL bytes"),
            Self::NulBytes { count } => write!(f, "{count} NUL bytes, passed over"),
            Self::ByteOrderMark => f.write_str("a byte order mark, passed over"),
            Self::SeveralValues { count } => write!(f, "{count} values on one line, each read"),
            Self::NotAnObject { found } => write!(f, "not an event but a JSON {found}"),
            Self::NoSeq { found: Some(found) } => write!(f, "not an event: `seq` is no number from 1 on but a {found}"),
            Self::NoSeq { found: None } => f.write_str("not an event: `seq` is missing"),
            Self::NoType => f.write_str("an event without a type"),
            Self::BadPayload { name, member } => {
                write!(f, "an event of type {} with an unusable `{member}`", name.escape_debug())
            }
            Self::UndoWithoutCount => f.write_str("an undo that does not say of how many, taken as of one"),
            Self::UnreadableMessage { index, problem } => write!(f, "message {index} cannot be read: {problem}"),
            Self::OddMessage { index, problem } => write!(f, "message {index}: {problem}"),
            Self::SeqRepeats { seq } => write!(f, "number {seq} comes twice, both are taken"),
            Self::SeqFalls { seq, highest } => {
                write!(f, "number {seq} after {highest}, taken in the order of the file")
            }
            Self::SeqGap { seq, highest } => write!(f, "number {seq} after {highest}, some are missing"),
            Self::UnknownType { name } => write!(f, "an event of unknown type {}, passed over", name.escape_debug()),
            Self::InvalidUtf8 => f.write_str("bytes that are no UTF-8, shown as U+FFFD"),
            Self::BrokenStamp => f.write_str("convlog's stamp is damaged, the event counts as another program's"),
            Self::BrokenRaw { index } => {
                write!(f, "the bytes of message {index} cannot be read, its stand-in is taken")
            }
        }
    }
}
