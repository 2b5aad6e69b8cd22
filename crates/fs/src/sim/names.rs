//! Changes of names on the simulated disk: create, link, unlink, rename, as POSIX has them.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::disk::{Disk, set};
use super::entry_change::{Edit, EntryChange};
use super::node::{Body, Directory, NodeId};
use super::walk::{Last, Place};
use crate::{DIR_MODE, Kind};

impl Disk {
    /// Creates an empty file at a place where nothing is.
    pub(super) fn create_file(&mut self, place: &Place, mode: u32) -> io::Result<NodeId> {
        self.create(place, "create", mode & 0o7777, Body::File(Default::default()))
    }

    pub(super) fn create_dir(&mut self, path: &Path) -> io::Result<()> {
        let place = self.walk(path, Last::Keep)?;
        let body = Body::Dir(Directory::empty(place.dir));
        self.create(&place, "create directory", DIR_MODE, body)?;
        Ok(())
    }

    pub(super) fn symlink(&mut self, target: &Path, link: &Path) -> io::Result<()> {
        let place = self.walk(link, Last::Keep)?;
        if target.as_os_str().is_empty() {
            return Err(Errno::NOENT.into());
        }
        self.create(&place, "symlink", 0o777, Body::Symlink(target.to_path_buf()))?;
        Ok(())
    }

    pub(super) fn hard_link(&mut self, original: &Path, link: &Path) -> io::Result<()> {
        let node = self.find(original, Last::Keep)?;
        let place = self.walk(link, Last::Keep)?;
        let to = free(&place, Some(node))?;
        if self.node(node)?.kind() == Kind::Dir {
            return Err(Errno::PERM.into());
        }
        let label = format!("link {}", self.place_path(&place)?.display());
        self.change(label, vec![to])
    }

    pub(super) fn remove_file(&mut self, path: &Path) -> io::Result<()> {
        let place = self.walk(path, Last::Keep)?;
        let node = place.node.ok_or(Errno::NOENT)?;
        if self.node(node)?.kind() == Kind::Dir {
            return Err(Errno::ISDIR.into());
        }
        self.unlink(&place)
    }

    pub(super) fn remove_dir(&mut self, path: &Path) -> io::Result<()> {
        let place = self.walk(path, Last::Keep)?;
        let node = place.node.ok_or(Errno::NOENT)?;
        let dir = self.node(node)?.dir().ok_or(Errno::NOTDIR)?;
        if !dir.entries.is_empty() {
            return Err(Errno::NOTEMPTY.into());
        }
        self.unlink(&place)
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let source = self.walk(from, Last::Keep)?;
        let target = self.walk(to, Last::Keep)?;
        let (Some(old), Some(new)) = (&source.name, &target.name) else {
            return Err(Errno::BUSY.into());
        };
        let node = source.node.ok_or(Errno::NOENT)?;
        if self.is_within(target.dir, node)? {
            return Err(Errno::INVAL.into());
        }
        if let Some(replaced) = target.node {
            if replaced == node {
                return Ok(());
            }
            self.may_replace(&source, node, replaced)?;
        }
        let label =
            format!("rename {} to {}", self.place_path(&source)?.display(), self.place_path(&target)?.display());
        let edits = vec![
            Edit { dir: source.dir, name: old.clone(), node: None },
            Edit { dir: target.dir, name: new.clone(), node: Some(node) },
        ];
        self.change(label, edits)?;
        if let Body::Dir(dir) = &mut self.node_mut(node)?.body {
            dir.parent = target.dir;
        }
        Ok(())
    }

    fn may_replace(&self, source: &Place, node: NodeId, replaced: NodeId) -> io::Result<()> {
        if self.is_within(source.dir, replaced)? {
            return Err(Errno::NOTEMPTY.into());
        }
        match (self.node(node)?.kind(), self.node(replaced)?.dir()) {
            (Kind::Dir, None) => Err(Errno::NOTDIR.into()),
            (Kind::Dir, Some(dir)) if !dir.entries.is_empty() => Err(Errno::NOTEMPTY.into()),
            (Kind::Dir, Some(_)) | (_, None) => Ok(()),
            (_, Some(_)) => Err(Errno::ISDIR.into()),
        }
    }

    /// Whether a directory is another or lies in it.
    fn is_within(&self, dir: NodeId, above: NodeId) -> io::Result<bool> {
        let mut at = dir;
        loop {
            if at == above {
                return Ok(true);
            }
            let parent = self.node(at)?.dir().ok_or(Errno::NOTDIR)?.parent;
            if parent == at {
                return Ok(false);
            }
            at = parent;
        }
    }

    fn create(&mut self, place: &Place, verb: &str, mode: u32, body: Body) -> io::Result<NodeId> {
        free(place, None)?;
        let path: PathBuf = self.place_path(place)?;
        let node = self.add(mode, body);
        let edit = free(place, Some(node))?;
        self.change(format!("{verb} {}", path.display()), vec![edit])?;
        // Born with its first name, which is no change yet.
        let created = self.node_mut(node)?;
        created.meta.ctime = created.meta.mtime;
        created.synced_meta = created.meta;
        Ok(node)
    }

    fn unlink(&mut self, place: &Place) -> io::Result<()> {
        let name = place.name.clone().ok_or(Errno::BUSY)?;
        let label = format!("remove {}", self.place_path(place)?.display());
        self.change(label, vec![Edit { dir: place.dir, name, node: None }])
    }

    /// Does a change of names in memory and notes it as not durable.
    fn change(&mut self, label: String, edits: Vec<Edit>) -> io::Result<()> {
        let now = self.tick();
        for edit in &edits {
            let Body::Dir(dir) = &mut self.node_mut(edit.dir)?.body else {
                return Err(Errno::NOTDIR.into());
            };
            let before = dir.entries.get(&edit.name).copied();
            set(&mut dir.entries, edit);
            let dir = self.node_mut(edit.dir)?;
            dir.meta.mtime = now;
            dir.meta.ctime = now;
            if let Some(before) = before {
                self.count_link(before, edit.dir, -1)?;
                self.node_mut(before)?.meta.ctime = now;
            }
            if let Some(node) = edit.node {
                self.count_link(node, edit.dir, 1)?;
                self.node_mut(node)?.meta.ctime = now;
            }
        }
        self.unsynced.push(EntryChange { label, edits });
        Ok(())
    }

    /// Counts a name; a directory's counts twice, as `.` in it does, and once for the one above.
    fn count_link(&mut self, node: NodeId, dir: NodeId, by: i64) -> io::Result<()> {
        let counted = self.node_mut(node)?;
        if counted.kind() == Kind::Dir {
            counted.links = counted.links.saturating_add_signed(by.saturating_mul(2));
            let above = self.node_mut(dir)?;
            above.links = above.links.saturating_add_signed(by);
        } else {
            counted.links = counted.links.saturating_add_signed(by);
        }
        Ok(())
    }
}

/// The edit that gives a free place to an inode.
fn free(place: &Place, node: Option<NodeId>) -> io::Result<Edit> {
    match (&place.name, place.node) {
        (Some(name), None) => Ok(Edit { dir: place.dir, name: name.clone(), node }),
        _ => Err(Errno::EXIST.into()),
    }
}
