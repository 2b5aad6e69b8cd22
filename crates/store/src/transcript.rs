//! Which log of a conversation is meant: [`Transcript`].

use std::fmt;

use crate::{BranchName, ViewName};

/// One of the logs of a conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transcript {
    /// `conversation.jsonl`.
    #[default]
    Main,
    /// `branches/<name>.jsonl`.
    Branch(BranchName),
    /// `views/<name>.jsonl`.
    View(ViewName),
    /// `lossless.jsonl`: the full history, kept when main itself was compacted by hand.
    Lossless,
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Main => f.write_str("main"),
            Self::Branch(name) => write!(f, "branch {name}"),
            Self::View(name) => write!(f, "view {name}"),
            Self::Lossless => f.write_str("the lossless log"),
        }
    }
}
