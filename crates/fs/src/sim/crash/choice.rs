//! `Choice`: one thing that a power loss decides, and the ways it may go.

use crate::sim::node::NodeId;

/// One thing that a power loss decides by itself: the bytes of a file, or a group of names.
///
/// The first way is that nothing unsynced was kept, the second that everything was.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) subject: Subject,
    pub(super) ways: Vec<Way>,
    /// How many ways there are, those left out by a limit included.
    pub(super) possible: u128,
}

/// What a choice is about.
#[derive(Clone, Debug)]
pub(super) enum Subject {
    File(NodeId),
    /// The positions, among the unsynced changes of names, of those that this choice decides.
    Names(Vec<usize>),
}

/// One way that a choice may go.
#[derive(Clone, Debug)]
pub(super) struct Way {
    pub(super) label: String,
    pub(super) outcome: Outcome,
}

/// What is on the disk then.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    File(super::file_images::FileImage),
    /// For each change of the subject, whether it was kept.
    Names(Vec<bool>),
}

impl Choice {
    pub(super) fn is_capped(&self) -> bool {
        self.possible > self.ways.len() as u128
    }
}
