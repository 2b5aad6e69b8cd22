//! Finding the inode that a path leads to, through directories and symbolic links.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use rustix::io::Errno;

use super::disk::{Disk, ROOT};
use super::node::{Body, NodeId};

/// Whether a symbolic link at the end of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Last {
    Follow,
    Keep,
}

/// Where a path leads: a name in a directory, and the inode that has it, if any.
#[derive(Clone, Debug)]
pub(super) struct Place {
    pub(super) dir: NodeId,
    /// `None` when the path ends in `/`, `.` or `..`.
    pub(super) name: Option<OsString>,
    pub(super) node: Option<NodeId>,
}

impl Disk {
    /// Where a path leads; every directory on the way must exist. There is no working directory:
    /// a relative path starts at the root.
    pub(super) fn walk(&self, path: &Path, last: Last) -> io::Result<Place> {
        const LINKS: u32 = 40;
        const NAME_LEN: usize = 255;

        if path.as_os_str().is_empty() {
            return Err(Errno::NOENT.into());
        }
        // What is still to be walked, the next component last.
        let mut ahead = components(path);
        let mut place = Place { dir: ROOT, name: None, node: Some(ROOT) };
        let mut links = 0_u32;
        while let Some(step) = ahead.pop() {
            let here = place.node.ok_or(Errno::NOENT)?;
            let Body::Dir(dir) = &self.node(here)?.body else {
                return Err(Errno::NOTDIR.into());
            };
            let name = match step {
                Step::Root => {
                    place = Place { dir: ROOT, name: None, node: Some(ROOT) };
                    continue;
                }
                Step::Up => {
                    place = Place { dir: dir.parent, name: None, node: Some(dir.parent) };
                    continue;
                }
                Step::Down(name) => name,
            };
            if name.len() > NAME_LEN {
                return Err(Errno::NAMETOOLONG.into());
            }
            let node = dir.entries.get(&name).copied();
            if let Some(node) = node
                && let Body::Symlink(target) = &self.node(node)?.body
                && (last == Last::Follow || !ahead.is_empty())
            {
                links = links.saturating_add(1);
                if links > LINKS {
                    return Err(Errno::LOOP.into());
                }
                place = Place { dir: here, name: None, node: Some(here) };
                ahead.extend(components(target));
                continue;
            }
            place = Place { dir: here, name: Some(name), node };
        }
        Ok(place)
    }

    /// The inode a path leads to.
    pub(super) fn find(&self, path: &Path, last: Last) -> io::Result<NodeId> {
        self.walk(path, last)?.node.ok_or_else(|| Errno::NOENT.into())
    }

    /// The absolute path of a directory, without symbolic links.
    pub(super) fn dir_path(&self, dir: NodeId) -> io::Result<PathBuf> {
        let mut names: Vec<&OsStr> = Vec::new();
        let mut at = dir;
        while at != ROOT {
            let parent = self.node(at)?.dir().ok_or(Errno::NOTDIR)?.parent;
            let siblings = &self.node(parent)?.dir().ok_or(Errno::NOTDIR)?.entries;
            let (name, _) = siblings.iter().find(|(_, node)| **node == at).ok_or(Errno::NOENT)?;
            names.push(name);
            at = parent;
        }
        let mut path = PathBuf::from("/");
        path.extend(names.into_iter().rev());
        Ok(path)
    }

    /// The absolute path of what a place names.
    pub(super) fn place_path(&self, place: &Place) -> io::Result<PathBuf> {
        let dir = self.dir_path(place.dir)?;
        Ok(match &place.name {
            Some(name) => dir.join(name),
            None => dir,
        })
    }
}

enum Step {
    Root,
    Up,
    Down(OsString),
}

fn components(path: &Path) -> Vec<Step> {
    let steps = path.components().filter_map(|component| match component {
        Component::RootDir => Some(Step::Root),
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Down(name.to_os_string())),
        Component::CurDir | Component::Prefix(_) => None,
    });
    let mut steps: Vec<Step> = steps.collect();
    steps.reverse();
    steps
}
