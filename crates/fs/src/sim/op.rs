//! [`Op`]: one call that the simulated file system got.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::Operation;

/// One call that a [`SimFs`](super::SimFs) got, in the order they came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// Its number, counted from 0.
    pub number: u64,
    /// What was asked for.
    pub operation: Operation,
    /// The path; of an open file, the one it was opened by.
    pub path: PathBuf,
    /// The new name in a rename, the link in a link.
    pub to: Option<PathBuf>,
    /// How many bytes were read or written.
    pub bytes: u64,
    /// Whether files, names or what of them is durable may differ from before.
    pub changes: bool,
    /// What came of it.
    pub outcome: Outcome,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It did what was asked for, or a part where less is allowed.
    Done,
    /// It failed as a real file system would have.
    Failed(io::ErrorKind),
    /// It failed, or did less, by an injected fault.
    Injected,
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.number, self.operation, self.path.display())?;
        if let Some(to) = &self.to {
            write!(f, " to {}", to.display())?;
        }
        if matches!(self.operation, Operation::Read | Operation::Write) {
            write!(f, ", {} bytes", self.bytes)?;
        }
        match self.outcome {
            Outcome::Done => Ok(()),
            Outcome::Failed(kind) => write!(f, ": {kind}"),
            Outcome::Injected => f.write_str(": fault injected"),
        }
    }
}
