//! [`verify`]: whether a log is what convlog wrote, and where it is not.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;

use crate::event::EventKind;
use crate::report::{Oddity, OddityKind};
use crate::{ChainState, Reading, Seq};

/// What [`verify`] found.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Verification {
    /// What does not fit, at or before the last line by convlog; the first place first.
    pub findings: Vec<Misfit>,
    /// What is worth knowing and no fault: above all what others did after convlog's last line.
    pub notes: Vec<Misfit>,
}

/// A place in a log that does not fit, or is worth a note.
///
/// `Display` is one sentence that names file, line and byte.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Misfit {
    /// The file.
    pub file: PathBuf,
    /// The line, counted from 1.
    pub line: u64,
    /// The bytes, counted from the start of the file.
    pub span: Range<u64>,
    /// What is wrong there.
    pub kind: MisfitKind,
}

/// What is wrong at a place, or worth a note.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MisfitKind {
    /// The hash of a line is not that of the bytes since the one before: one of them was changed.
    Changed {
        /// The line whose hash does not fit; the change is on it, or between `Misfit::line` and it.
        stamped_line: u64,
    },
    /// The hash that a checkpoint carries on is not that of the bytes before it.
    Carried,
    /// The stamp of convlog's last line is damaged.
    Stamp,
    /// No line is convlog's, so nothing can be verified.
    Foreign,
    /// The log begins with another program's checkpoint: the chain started anew there.
    ForeignStart {
        /// Its number.
        seq: Seq,
    },
    /// Another program went on with the log after convlog's last line.
    Continued {
        /// How many events it wrote.
        events: u64,
    },
    /// Something odd that is no sign of a change: it was there when convlog wrote on, or came later.
    Odd {
        /// What.
        oddity: OddityKind,
    },
}

impl Verification {
    /// The first place that does not fit; `None` for an intact log.
    #[must_use]
    pub fn first(&self) -> Option<&Misfit> {
        self.findings.first()
    }

    /// Whether nothing was found.
    #[must_use]
    pub fn is_intact(&self) -> bool {
        self.findings.is_empty()
    }
}

/// Compares a log with the hashes in it.
///
/// Each byte up to the hash of the last line by convlog is covered, those of other programs too: a changed
/// one is a finding. What stands behind it, such as gptme's work, is noted.
///
/// A hash that does not fit says that something between two lines by convlog was changed, not what; where
/// a line there cannot be read any more, that one is named, otherwise the first of them.
#[must_use]
pub fn verify(reading: &Reading) -> Verification {
    let mut verification = Verification::default();
    let at = |line, span, kind| Misfit { file: reading.path.clone(), line, span, kind };
    let covered_end = reading.links.last().map_or(0, |link| link.end as u64);

    for link in &reading.links {
        let covers = link.covers.start as u64..link.end as u64;
        if !link.fits {
            let culprit = reading.report.iter().find(|oddity| {
                covers.contains(&oddity.span.start) && (oddity.kind.is_skipped() || is_stamp(&oddity.kind))
            });
            let (line, span) = match culprit {
                Some(oddity) => (oddity.line, oddity.span.clone()),
                None => (first_line(reading, &covers, link.line), covers),
            };
            verification.findings.push(at(line, span, MisfitKind::Changed { stamped_line: link.line }));
        } else if !link.carries_fit {
            verification.findings.push(at(link.line, covers, MisfitKind::Carried));
        }
    }
    for Oddity { line, span, kind } in &reading.report {
        let behind = span.end > covered_end;
        if is_stamp(kind) && behind {
            verification.findings.push(at(*line, span.clone(), MisfitKind::Stamp));
        } else {
            verification.notes.push(at(*line, span.clone(), MisfitKind::Odd { oddity: kind.clone() }));
        }
    }
    verification.notes.extend(foreign(reading).map(|(line, span, kind)| at(line, span, kind)));
    verification
}

fn is_stamp(kind: &OddityKind) -> bool {
    matches!(kind, OddityKind::BrokenStamp)
}

/// The first line that a hash covers anew: that of the first event there, or of the stamp itself.
fn first_line(reading: &Reading, covers: &Range<u64>, stamped: u64) -> u64 {
    let first = reading.events.iter().find(|event| event.span.start >= covers.start && event.span.end <= covers.end);
    first.map_or(stamped, |event| event.line.min(stamped))
}

/// Notes on what other programs wrote.
fn foreign(reading: &Reading) -> impl Iterator<Item = (u64, Range<u64>, MisfitKind)> {
    let start = reading.events.first().filter(|first| {
        first.convlog.is_none() && matches!(first.kind, EventKind::Checkpoint(_)) && !reading.links.is_empty()
    });
    let start = start.map(|first| (first.line, first.span.clone(), MisfitKind::ForeignStart { seq: first.seq }));
    let uncovered = || reading.events.iter().filter(|event| event.chain == ChainState::Uncovered);
    let behind = uncovered().next().map(|first| {
        let kind = if reading.links.is_empty() {
            MisfitKind::Foreign
        } else {
            MisfitKind::Continued { events: uncovered().count() as u64 }
        };
        (first.line, first.span.clone(), kind)
    });
    start.into_iter().chain(behind)
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, span, kind } = self;
        write!(f, "{}, line {line} (byte {}): {kind}", file.display(), span.start)
    }
}

impl fmt::Display for MisfitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Changed { stamped_line } => {
                write!(f, "changed since convlog wrote line {stamped_line}, whose hash does not fit")
            }
            Self::Carried => {
                f.write_str("the hash that the checkpoint carries on is not that of what stands before it")
            }
            Self::Stamp => f.write_str("changed: convlog's stamp is damaged"),
            Self::Foreign => f.write_str("no line is convlog's, so nothing can be verified"),
            Self::ForeignStart { seq } => {
                write!(f, "the chain begins anew with another program's checkpoint, number {seq}")
            }
            Self::Continued { events } => write!(f, "{events} events by another program after convlog's last"),
            Self::Odd { oddity } => oddity.fmt(f),
        }
    }
}
