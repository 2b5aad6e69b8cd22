//! [`Tree`]: all that a program sees of a file system, to compare and to print.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::disk::{Disk, ROOT};
use super::node::{Body, Node, NodeId};
use crate::{FileSystem, Kind, Result, read_all};

/// All files below a directory: paths, bytes, modes. No times, no identities.
///
/// Its `Display` is one line a path, bytes escaped.
///
/// ```
/// use convlog_fs::{FileSystem, Open, sim::SimFs};
/// use std::{io::Write, path::Path};
///
/// let fs = SimFs::new();
/// fs.create_dir(Path::new("/logs"))?;
/// fs.open(Path::new("/logs/a"), Open::CREATE_NEW)?.write(b"hi\n").unwrap();
/// assert_eq!(fs.tree().to_string(), "0700 /logs/\n0600 /logs/a \"hi\\n\"\n");
/// # Ok::<(), convlog_fs::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree {
    /// What each path leads to; the directory itself is not among them.
    pub entries: BTreeMap<PathBuf, TreeEntry>,
}

/// What one path leads to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TreeEntry {
    /// A directory.
    Dir {
        /// Permission bits.
        mode: u32,
    },
    /// A regular file.
    File {
        /// Permission bits.
        mode: u32,
        /// The content.
        bytes: Arc<Vec<u8>>,
    },
    /// A symbolic link.
    Symlink {
        /// Where it points, as written.
        target: PathBuf,
    },
    /// Something else.
    Other,
}

impl Tree {
    /// Reads the tree below a directory of any file system, paths as seen from there, each with
    /// a `/` before it.
    ///
    /// # Errors
    /// When something cannot be listed or read.
    pub fn read(fs: &dyn FileSystem, root: &Path) -> Result<Self> {
        let mut tree = Self::default();
        let mut ahead = vec![(root.to_path_buf(), PathBuf::from("/"))];
        while let Some((dir, shown)) = ahead.pop() {
            for entry in fs.list(&dir)? {
                let (path, shown) = (dir.join(&entry.name), shown.join(&entry.name));
                let mode = fs.lstat(&path)?.mode;
                let entry = match entry.kind {
                    Kind::Dir => {
                        ahead.push((path, shown.clone()));
                        TreeEntry::Dir { mode }
                    }
                    Kind::File => TreeEntry::File { mode, bytes: Arc::new(read_all(fs, &path)?) },
                    Kind::Symlink => TreeEntry::Symlink { target: fs.read_link(&path)? },
                    Kind::Other => TreeEntry::Other,
                };
                tree.entries.insert(shown, entry);
            }
        }
        Ok(tree)
    }

    /// The content of a file; `None` when the path is no regular file.
    #[must_use]
    pub fn bytes(&self, path: impl AsRef<Path>) -> Option<&[u8]> {
        match self.entries.get(path.as_ref())? {
            TreeEntry::File { bytes, .. } => Some(bytes),
            _ => None,
        }
    }

    /// A number that equal trees share.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (path, entry) in &self.entries {
            let path = path.display();
            match entry {
                TreeEntry::Dir { mode } => writeln!(f, "{mode:04o} {path}/")?,
                TreeEntry::File { mode, bytes } => {
                    writeln!(f, "{mode:04o} {path} \"{}\"", bytes.escape_ascii())?;
                }
                TreeEntry::Symlink { target } => writeln!(f, "link {path} -> {}", target.display())?,
                TreeEntry::Other => writeln!(f, "other {path}")?,
            }
        }
        Ok(())
    }
}

impl Disk {
    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        self.visit(|path, _, node| {
            let mode = node.meta.mode;
            let entry = match &node.body {
                Body::Dir(_) => TreeEntry::Dir { mode },
                Body::File(content) => TreeEntry::File { mode, bytes: Arc::clone(content.current()) },
                Body::Symlink(target) => TreeEntry::Symlink { target: target.clone() },
            };
            tree.entries.insert(path.to_path_buf(), entry);
        });
        tree
    }

    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.visit(|path, _, node| {
            (path, node.ino, node.birth).hash(&mut hasher);
            match &node.body {
                // A directory's times depend on changes of names that left no trace.
                Body::Dir(_) => node.meta.mode.hash(&mut hasher),
                Body::File(content) => {
                    (node.links, node.meta, content.current()).hash(&mut hasher);
                }
                Body::Symlink(target) => target.hash(&mut hasher),
            }
        });
        hasher.finish()
    }

    /// A name of an inode, for people.
    pub(super) fn name_of(&self, id: NodeId) -> String {
        let mut name = None;
        self.visit(|path, visited, _| {
            if visited == id && name.is_none() {
                name = Some(path.display().to_string());
            }
        });
        name.unwrap_or_else(|| format!("a file without a name ({})", id.0))
    }

    /// Shows every path, parents first, each directory in the order of its names.
    fn visit(&self, mut see: impl FnMut(&Path, NodeId, &Node)) {
        let mut ahead = vec![(ROOT, PathBuf::from("/"))];
        while let Some((dir, path)) = ahead.pop() {
            let Some(listed) = self.nodes.get(&dir).and_then(|node| node.dir()) else {
                continue;
            };
            for (name, id) in &listed.entries {
                let Some(node) = self.nodes.get(id) else {
                    continue;
                };
                let path = path.join(name);
                see(&path, *id, node);
                if node.dir().is_some() {
                    ahead.push((*id, path));
                }
            }
        }
    }
}
