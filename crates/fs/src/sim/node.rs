//! `Node`: an inode of the simulated disk.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use super::content::Content;
use crate::{FileTime, Kind};

/// Which inode, for ever: unlike its number it is never used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct NodeId(pub(super) u64);

/// An inode: a file, a directory or a symbolic link, whatever its names.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) ino: u64,
    pub(super) birth: Option<FileTime>,
    pub(super) links: u64,
    pub(super) meta: Meta,
    pub(super) synced_meta: Meta,
    pub(super) body: Body,
}

/// What of an inode changes besides its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Meta {
    pub(super) mode: u32,
    pub(super) mtime: FileTime,
    pub(super) ctime: FileTime,
}

/// What an inode is.
#[derive(Clone, Debug)]
pub(super) enum Body {
    File(Content),
    Dir(Directory),
    Symlink(PathBuf),
}

/// The names in a directory.
#[derive(Clone, Debug)]
pub(super) struct Directory {
    pub(super) parent: NodeId,
    pub(super) entries: Entries,
    pub(super) synced: Entries,
}

pub(super) type Entries = BTreeMap<OsString, NodeId>;

impl Node {
    pub(super) fn kind(&self) -> Kind {
        match self.body {
            Body::File(_) => Kind::File,
            Body::Dir(_) => Kind::Dir,
            Body::Symlink(_) => Kind::Symlink,
        }
    }

    pub(super) fn dir(&self) -> Option<&Directory> {
        match &self.body {
            Body::Dir(dir) => Some(dir),
            _ => None,
        }
    }

    pub(super) fn content(&self) -> Option<&Content> {
        match &self.body {
            Body::File(content) => Some(content),
            _ => None,
        }
    }
}
