//! `Handles`: the open files of the simulated process, their positions and locks.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::thread::{self, ThreadId};

use rustix::io::Errno;

use super::node::NodeId;
use crate::Locked;

/// Which open file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HandleId(u64);

/// An open file, as the kernel keeps it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Handle {
    pub(super) node: NodeId,
    pub(super) position: u64,
    pub(super) may: Access,
}

/// What an open file may do besides reading.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
    Append,
}

/// All open files, and who holds the lock of which inode.
#[derive(Debug, Default)]
pub(super) struct Handles {
    open: BTreeMap<HandleId, Handle>,
    locks: BTreeMap<NodeId, (HandleId, ThreadId)>,
    next: u64,
}

impl Handles {
    pub(super) fn open(&mut self, node: NodeId, may: Access) -> HandleId {
        let id = HandleId(self.next);
        self.next = self.next.saturating_add(1);
        self.open.insert(id, Handle { node, position: 0, may });
        id
    }

    pub(super) fn close(&mut self, id: HandleId) {
        if let Some(handle) = self.open.remove(&id) {
            self.unlock(handle.node, id);
        }
    }

    pub(super) fn get(&mut self, id: HandleId) -> io::Result<&mut Handle> {
        self.open.get_mut(&id).ok_or_else(|| Errno::BADF.into())
    }

    pub(super) fn nodes(&self) -> BTreeSet<NodeId> {
        self.open.values().map(|handle| handle.node).collect()
    }

    pub(super) fn try_lock(&mut self, node: NodeId, id: HandleId) -> Locked {
        let holder = self.locks.entry(node).or_insert_with(|| (id, thread::current().id()));
        if holder.0 == id { Locked::Acquired } else { Locked::Held }
    }

    pub(super) fn unlock(&mut self, node: NodeId, id: HandleId) {
        if self.locks.get(&node).is_some_and(|(holder, _)| *holder == id) {
            self.locks.remove(&node);
        }
    }

    /// Whether this thread took the lock itself, through another open file.
    pub(super) fn is_deadlock(&self, node: NodeId) -> bool {
        self.locks.get(&node).is_some_and(|(_, thread)| *thread == thread::current().id())
    }
}
