//! The disk that is there when every choice has gone one way.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::choice::{Choice, Outcome, Subject, Way};
use super::file_images::FileImage;
use crate::sim::content::Content;
use crate::sim::disk::{Disk, ROOT, set};
use crate::sim::node::{Body, Directory, Entries, Node, NodeId};

/// The disk after a power loss, or `None` when no file system leaves such a one: a directory
/// with two parents, or two files with one inode number.
pub(super) fn build(disk: &Disk, choices: &[Choice], ways: &[&Way]) -> Option<Disk> {
    let mut files: BTreeMap<NodeId, &FileImage> = BTreeMap::new();
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    for (choice, way) in choices.iter().zip(ways) {
        match (&choice.subject, &way.outcome) {
            (Subject::File(id), Outcome::File(image)) => {
                files.insert(*id, image);
            }
            (Subject::Names(changes), Outcome::Names(flags)) => {
                let chosen = changes.iter().zip(flags).filter(|(_, kept)| **kept);
                kept.extend(chosen.map(|(position, _)| *position));
            }
            _ => {}
        }
    }

    let mut image = Disk { nodes: BTreeMap::new(), unsynced: Vec::new(), ..disk.clone() };
    let mut names = durable_names(disk, &kept);
    let mut ahead = vec![(ROOT, ROOT)];
    while let Some((id, parent)) = ahead.pop() {
        let entries = names.remove(&id).unwrap_or_default();
        let subdirs = entries.values().filter(|node| is_dir(disk, **node));
        let links = 2_u64.saturating_add(subdirs.count() as u64);
        for child in entries.values() {
            if is_dir(disk, *child) {
                ahead.push((*child, id));
            } else {
                add_file(disk, &mut image, &files, *child)?;
            }
        }
        let body = Body::Dir(Directory { parent, synced: entries.clone(), entries });
        add(disk, &mut image, id, links, body)?;
    }

    image.inos.clear();
    let mut numbers = image.nodes.values().map(|node| node.ino);
    numbers.all(|ino| image.inos.insert(ino)).then_some(image)
}

/// The names of every directory: the durable ones, with the changes that were kept.
fn durable_names(disk: &Disk, kept: &BTreeSet<usize>) -> BTreeMap<NodeId, Entries> {
    let dirs = disk.nodes.iter().filter_map(|(id, node)| Some((*id, node.dir()?)));
    let mut names: BTreeMap<NodeId, Entries> = dirs.map(|(id, dir)| (id, dir.synced.clone())).collect();
    let changes = kept.iter().filter_map(|position| disk.unsynced.get(*position));
    for edit in changes.flat_map(|change| &change.edits) {
        set(names.entry(edit.dir).or_default(), edit);
    }
    names
}

fn is_dir(disk: &Disk, id: NodeId) -> bool {
    disk.nodes.get(&id).is_some_and(|node| node.dir().is_some())
}

/// Adds a file or a symbolic link, or one more name of it.
fn add_file(disk: &Disk, image: &mut Disk, files: &BTreeMap<NodeId, &FileImage>, id: NodeId) -> Option<()> {
    if let Some(node) = image.nodes.get_mut(&id) {
        let node = Arc::make_mut(node);
        node.links = node.links.saturating_add(1);
        return Some(());
    }
    let node = disk.nodes.get(&id)?;
    match (&node.body, files.get(&id)) {
        (Body::File(_), Some(chosen)) => {
            let body = Body::File(Content::durable(Arc::clone(&chosen.bytes)));
            let node =
                Node { links: 1, meta: chosen.meta, synced_meta: chosen.meta, ino: node.ino, birth: node.birth, body };
            image.nodes.insert(id, Arc::new(node));
            Some(())
        }
        (_, None) if node.links == 1 => {
            image.nodes.insert(id, Arc::clone(node));
            Some(())
        }
        _ => add(disk, image, id, 1, node.body.clone()),
    }
}

/// Adds an inode that is not there yet; one that is would be a directory with two parents.
fn add(disk: &Disk, image: &mut Disk, id: NodeId, links: u64, body: Body) -> Option<()> {
    let node = disk.nodes.get(&id)?;
    let node = Node { links, synced_meta: node.meta, body, ..Node::clone(node) };
    image.nodes.insert(id, Arc::new(node)).is_none().then_some(())
}
