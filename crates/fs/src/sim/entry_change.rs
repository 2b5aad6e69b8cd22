//! `EntryChange`: a change of names that is one for the disk, and is not durable yet.

use std::ffi::OsString;

use super::node::NodeId;

/// A change of names that happens wholly or not at all.
#[derive(Clone, Debug)]
pub(super) struct EntryChange {
    /// What was done, for people: `rename /a to /b`.
    pub(super) label: String,
    pub(super) edits: Vec<Edit>,
}

/// A name that now leads to an inode, or to none.
#[derive(Clone, Debug)]
pub(super) struct Edit {
    pub(super) dir: NodeId,
    pub(super) name: OsString,
    pub(super) node: Option<NodeId>,
}

impl EntryChange {
    pub(super) fn touches(&self, dir: NodeId) -> bool {
        self.edits.iter().any(|edit| edit.dir == dir)
    }

    /// Whether both set the same name, so that their order matters.
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.edits.iter().any(|edit| other.edits.iter().any(|with| with.dir == edit.dir && with.name == edit.name))
    }
}
