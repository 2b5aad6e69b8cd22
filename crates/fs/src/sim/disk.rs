//! `Disk`: all inodes of the simulated file system, and what of them is durable.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::Arc;

use rustix::io::Errno;

use super::entry_change::EntryChange;
use super::node::{Body, Directory, Entries, Meta, Node, NodeId};
use super::quirks::Quirks;
use crate::{DIR_MODE, FileId, FileTime, Stat};

pub(super) const ROOT: NodeId = NodeId(0);
const DEVICE: u64 = 1;

/// All that outlives the process. Cloning is cheap: inodes are shared until they change.
#[derive(Clone, Debug)]
pub(super) struct Disk {
    pub(super) quirks: Quirks,
    pub(super) nodes: BTreeMap<NodeId, Arc<Node>>,
    pub(super) unsynced: Vec<EntryChange>,
    pub(super) inos: BTreeSet<u64>,
    pub(super) next_node: u64,
    pub(super) next_ino: u64,
    pub(super) changes: u64,
}

impl Disk {
    pub(super) fn new(quirks: Quirks) -> Self {
        let mut disk = Self {
            quirks,
            nodes: BTreeMap::new(),
            unsynced: Vec::new(),
            inos: BTreeSet::new(),
            next_node: 0,
            next_ino: 2,
            changes: 0,
        };
        let root = disk.add(DIR_MODE, Body::Dir(Directory::empty(ROOT)));
        if let Ok(root) = disk.node_mut(root) {
            root.links = 2;
        }
        disk
    }

    /// Adds an inode that has no name yet.
    pub(super) fn add(&mut self, mode: u32, body: Body) -> NodeId {
        let id = NodeId(self.next_node);
        self.next_node = self.next_node.saturating_add(1);
        let ino = match self.quirks.reuse_inodes {
            true => (2..).find(|ino| !self.inos.contains(ino)).unwrap_or(self.next_ino),
            false => self.next_ino,
        };
        self.inos.insert(ino);
        self.next_ino = self.next_ino.max(ino.saturating_add(1));
        let now = self.tick();
        let meta = Meta { mode, mtime: now, ctime: now };
        let birth = self.quirks.birth_times.then_some(now);
        let node = Node { ino, birth, links: 0, meta, synced_meta: meta, body };
        self.nodes.insert(id, Arc::new(node));
        id
    }

    pub(super) fn node(&self, id: NodeId) -> io::Result<&Node> {
        self.nodes.get(&id).map(|node| &**node).ok_or_else(|| Errno::NOENT.into())
    }

    pub(super) fn node_mut(&mut self, id: NodeId) -> io::Result<&mut Node> {
        self.nodes.get_mut(&id).map(Arc::make_mut).ok_or_else(|| Errno::NOENT.into())
    }

    pub(super) fn stat(&self, id: NodeId) -> io::Result<Stat> {
        let node = self.node(id)?;
        let len = match &node.body {
            Body::File(content) => content.current().len(),
            Body::Dir(dir) => dir.entries.len(),
            Body::Symlink(target) => target.as_os_str().len(),
        };
        Ok(Stat {
            id: FileId { dev: DEVICE, ino: node.ino, birth: node.birth },
            kind: node.kind(),
            len: len as u64,
            mode: node.meta.mode,
            links: node.links,
            mtime: node.meta.mtime,
            ctime: node.meta.ctime,
        })
    }

    pub(super) fn set_mode(&mut self, id: NodeId, mode: u32) -> io::Result<()> {
        let now = self.tick();
        let node = self.node_mut(id)?;
        node.meta.mode = mode & 0o7777;
        node.meta.ctime = now;
        Ok(())
    }

    /// The time of a change, which is later than that of all before, or as late.
    pub(super) fn tick(&mut self) -> FileTime {
        self.changes = self.changes.saturating_add(1);
        let ticks = self.changes.checked_div(self.quirks.changes_per_tick).unwrap_or(self.changes);
        let secs = ticks.checked_div(1_000).unwrap_or(0);
        let nanos = ticks.wrapping_rem(1_000).saturating_mul(1_000_000);
        FileTime { secs: i64::try_from(secs).unwrap_or(i64::MAX), nanos: u32::try_from(nanos).unwrap_or(0) }
    }

    /// Makes a file durable: data and length, and mode and times when `all` or when the inode
    /// must be written for the length.
    pub(super) fn sync_file(&mut self, id: NodeId, all: bool) -> io::Result<()> {
        let node = self.node_mut(id)?;
        let Body::File(content) = &mut node.body else {
            return Ok(());
        };
        if all || content.synced().len() != content.current().len() {
            node.synced_meta = node.meta;
        }
        content.sync();
        Ok(())
    }

    /// What a sync does that failed after it began.
    pub(super) fn fail_sync(&mut self, id: NodeId) {
        if let Ok(node) = self.node_mut(id)
            && let Body::File(content) = &mut node.body
        {
            content.fail_sync();
        }
    }

    /// Makes the names in a directory durable, and every change that these depend on: one in two
    /// directories is durable in both.
    pub(super) fn sync_dir(&mut self, dir: NodeId) -> io::Result<()> {
        let mut wanted: Vec<bool> = self.unsynced.iter().map(|change| change.touches(dir)).collect();
        for later in (0..self.unsynced.len()).rev() {
            if !wanted.get(later).is_some_and(|wanted| *wanted) {
                continue;
            }
            let Some((last, earlier)) = self.unsynced.get(..=later).and_then(<[EntryChange]>::split_last) else {
                continue;
            };
            for (change, wanted) in earlier.iter().zip(&mut wanted) {
                *wanted |= change.meets(last);
            }
        }
        let mut wanted = wanted.into_iter();
        let (now, later): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.unsynced).into_iter().partition(|_| wanted.next().unwrap_or(false));
        self.unsynced = later;
        for edit in now.into_iter().flat_map(|change| change.edits) {
            if let Some(node) = edit.node
                && let Ok(node) = self.node_mut(node)
            {
                // The journal that carries the name carries the time of that change.
                node.synced_meta.ctime = node.meta.ctime;
            }
            if let Body::Dir(dir) = &mut self.node_mut(edit.dir)?.body {
                set(&mut dir.synced, &edit);
            }
        }
        Ok(())
    }

    /// Closes every open file, and with that drops the files without a name.
    pub(super) fn close_all(&mut self) {
        let none = BTreeSet::new();
        self.free_inos(&none);
        self.collect(&none);
    }

    /// Forgets inodes without a name in memory, on the disk, in a change between, or among those
    /// that are open.
    pub(super) fn collect(&mut self, open: &BTreeSet<NodeId>) {
        let mut named: BTreeSet<NodeId> = open.clone();
        named.insert(ROOT);
        for dir in self.nodes.values().filter_map(|node| node.dir()) {
            named.extend(dir.entries.values().chain(dir.synced.values()));
        }
        let edits = self.unsynced.iter().flat_map(|change| &change.edits);
        named.extend(edits.filter_map(|edit| edit.node));
        self.nodes.retain(|id, _| named.contains(id));
    }

    /// Frees the numbers of inodes that no program can reach any more.
    pub(super) fn free_inos(&mut self, open: &BTreeSet<NodeId>) {
        let live = self.nodes.iter().filter(|(id, node)| node.links > 0 || open.contains(id));
        let live: BTreeSet<u64> = live.map(|(_, node)| node.ino).collect();
        self.inos = live;
    }
}

impl Directory {
    pub(super) fn empty(parent: NodeId) -> Self {
        Self { parent, entries: Entries::new(), synced: Entries::new() }
    }
}

/// Does to the entries of a directory what an edit says.
pub(super) fn set(entries: &mut Entries, edit: &super::entry_change::Edit) {
    match edit.node {
        Some(node) => entries.insert(edit.name.clone(), node),
        None => entries.remove(&edit.name),
    };
}
