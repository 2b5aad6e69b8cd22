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

impl Transcript {
    /// The log of a file, as event logs name it; `None` when it is none.
    pub(crate) fn from_relative(file: &str) -> Option<Self> {
        let name = |directory| file.strip_prefix(directory)?.strip_suffix(".jsonl");
        match file {
            "conversation.jsonl" => Some(Self::Main),
            "lossless.jsonl" => Some(Self::Lossless),
            _ => {
                let branch = || name("branches/")?.parse().ok().map(Self::Branch);
                name("views/").and_then(|view| view.parse().ok()).map(Self::View).or_else(branch)
            }
        }
    }
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
