//! What a reader found odd: [`Report`], made of [`Finding`]s.

use std::fmt;
use std::ops::Range;

use crate::json::Syntax;

/// Everything that a reader found odd in one file, in the order of the file.
///
/// A report never stops a reader; how strict to be is the caller's choice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    findings: Vec<Finding>,
}

/// One irregularity: where it stands, what it is, and what was done.
///
/// [`Display`](fmt::Display) says all three in one line:
///
/// ```
/// use convlog_codec::jsonl;
/// use convlog_message::Timestamp;
///
/// let reading = jsonl::read(b"{not json}\n", &Timestamp::now());
/// let finding = reading.report.iter().next().unwrap();
/// assert_eq!(finding.to_string(), "line 1 (byte 0): not JSON (unexpected character at byte 1); skipped, its bytes stay in the file");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The line.
    pub line: LineNumber,
    /// The bytes that are concerned, counted from the start of the file; without the newline.
    pub span: Range<u64>,
    /// What is odd.
    pub problem: Problem,
}

/// The number of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineNumber {
    /// Counted from the start of the file, the first is 1.
    FromStart(u64),
    /// Counted from its end, the last is 1: what a reader knows that did not read from the start.
    FromEnd(u64),
}

/// An irregularity in a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
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
    /// JSON, but no object.
    NotAnObject {
        /// What it is instead.
        found: &'static str,
    },
    /// An object without a string as role or content.
    NoMessage {
        /// The member that is missing or of a wrong type.
        member: &'static str,
        /// What stands in its place; `None` when it is missing.
        found: Option<&'static str>,
    },
    /// A byte order mark before the first line.
    ByteOrderMark,
    /// NUL bytes around the value of a line.
    NulBytes {
        /// How many.
        count: u64,
    },
    /// More than one value on the line.
    SeveralValues {
        /// How many.
        count: u64,
    },
    /// A member that cannot be read; the message is read without it.
    Unusable {
        /// The member.
        member: &'static str,
        /// The value in its place, cut to a readable length.
        found: String,
    },
    /// A string as `files`, taken as a list of one.
    LoneFile,
    /// A member that convlog does not know, kept and written back. Reported once a key.
    UnknownMember {
        /// The key.
        key: String,
    },
    /// More unknown keys than a report names.
    ManyUnknownMembers,
    /// A key that stands twice in a message; the last value counts.
    RepeatedMember,
    /// Half of a surrogate pair, shown as U+FFFD.
    LoneSurrogate,
    /// Bytes that are no UTF-8, shown as U+FFFD.
    InvalidUtf8,
}

impl Report {
    /// The findings, in the order of the file.
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.findings.iter()
    }

    /// The number of findings.
    #[must_use]
    pub fn len(&self) -> usize {
        self.findings.len()
    }

    /// Whether nothing was odd.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings about lines, or parts of lines, that gave no message.
    pub fn skipped(&self) -> impl Iterator<Item = &Finding> {
        self.iter().filter(|finding| finding.problem.is_skipped())
    }

    /// Adds a finding.
    pub fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Takes all findings out.
    pub fn drain(&mut self) -> std::vec::Drain<'_, Finding> {
        self.findings.drain(..)
    }

    pub(crate) fn reverse(&mut self) {
        self.findings.reverse();
    }
}

impl<'a> IntoIterator for &'a Report {
    type Item = &'a Finding;
    type IntoIter = std::slice::Iter<'a, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Problem {
    /// Whether the bytes gave no message.
    #[must_use]
    pub const fn is_skipped(&self) -> bool {
        matches!(
            self,
            Self::NotJson { .. }
                | Self::CutShort { .. }
                | Self::OnlyNul
                | Self::NotAnObject { .. }
                | Self::NoMessage { .. }
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
            Self::NotAnObject { .. } => "not-an-object",
            Self::NoMessage { .. } => "no-message",
            Self::ByteOrderMark => "byte-order-mark",
            Self::NulBytes { .. } => "nul-bytes",
            Self::SeveralValues { .. } => "several-values",
            Self::Unusable { .. } => "unusable-member",
            Self::LoneFile => "lone-file",
            Self::UnknownMember { .. } => "unknown-member",
            Self::ManyUnknownMembers => "many-unknown-members",
            Self::RepeatedMember => "repeated-member",
            Self::LoneSurrogate => "lone-surrogate",
            Self::InvalidUtf8 => "invalid-utf8",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, span, problem } = self;
        write!(f, "{line} (byte {}): {problem}", span.start)?;
        if problem.is_skipped() {
            f.write_str("; skipped, its bytes stay in the file")?;
        }
        Ok(())
    }
}

impl LineNumber {
    /// The number, whichever end it is counted from.
    #[must_use]
    pub const fn number(self) -> u64 {
        match self {
            Self::FromStart(number) | Self::FromEnd(number) => number,
        }
    }
}

impl fmt::Display for LineNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FromStart(number) => write!(f, "line {number}"),
            Self::FromEnd(1) => f.write_str("last line"),
            Self::FromEnd(number) => write!(f, "line {number} from the end"),
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotJson { syntax, at } => write!(f, "not JSON ({syntax} at byte {at})"),
            Self::CutShort { syntax } => write!(f, "cut short ({syntax})"),
            Self::OnlyNul => f.write_str("only NUL bytes"),
            Self::NotAnObject { found } => write!(f, "not a message but a JSON {found}"),
            Self::NoMessage { member, found: Some(found) } => {
                write!(f, "not a message: `{member}` is of type {found}, not string")
            }
            Self::NoMessage { member, found: None } => write!(f, "not a message: `{member}` is missing"),
            Self::ByteOrderMark => f.write_str("a byte order mark, passed over"),
            Self::NulBytes { count } => write!(f, "{count} NUL bytes, passed over"),
            Self::SeveralValues { count } => write!(f, "{count} values on one line, each read"),
            Self::Unusable { member, found } => {
                write!(f, "`{member}` cannot be {found}, the message is read without it")
            }
            Self::LoneFile => f.write_str("`files` is a string, taken as one file"),
            Self::UnknownMember { key } => write!(f, "unknown member `{}`, kept", key.escape_debug()),
            Self::ManyUnknownMembers => f.write_str("more unknown members, kept"),
            Self::RepeatedMember => f.write_str("a member stands twice, the last one counts"),
            Self::LoneSurrogate => f.write_str("half of a surrogate pair, shown as U+FFFD, kept in the file"),
            Self::InvalidUtf8 => f.write_str("bytes that are no UTF-8, shown as U+FFFD, kept in the file"),
        }
    }
}
