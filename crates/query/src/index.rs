//! A cache of what lists are made of: [`Index`].

mod entry;
mod file;
mod key;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use convlog_fs::FileSystem;

pub(crate) use entry::Entry;
pub use file::IndexError;
pub(crate) use key::{FileKey, Keys};

/// What was written shortly before it was read may have been written again in the same tick of the file
/// system's clock; such a file is read anew the next time.
const TICK: Duration = Duration::from_secs(2);

/// A cache of what lists are made of, and no more: with it, only files that have changed are read, and of
/// those that have grown only what is new. A list is the same without, and slower.
///
/// An entry counts as long as transcript, settings and the directory of branches are the files they were, by
/// device, inode, birth, length and times. A transcript that has grown is read from its old end on when the
/// 4 KiB before that are what they were; whoever changes what stands farther in front, in place, to the same
/// length, and appends as well, before the next list, is not noticed.
///
/// Any number of processes may use one at once: the file is replaced whole, and the last one wins. One that is
/// missing, damaged, or of another version counts as empty.
#[derive(Debug)]
pub struct Index {
    path: PathBuf,
    logs: Vec<u8>,
    now: SystemTime,
    entries: HashMap<String, Entry>,
    is_changed: bool,
}

impl Index {
    /// Opens the index of a directory of conversations in a directory for caches, which need not exist.
    ///
    /// `now` is the time before the first conversation is looked at.
    #[must_use]
    pub fn open(fs: &dyn FileSystem, caches: &Path, logs: &Path, now: SystemTime) -> Self {
        let logs = fs.resolve(logs).unwrap_or_else(|_| logs.to_path_buf()).into_os_string().into_encoded_bytes();
        let name = blake3::hash(&logs).to_hex();
        let path = caches.join(format!("list-{}.index", name.get(..16).unwrap_or(&name)));
        let entries = file::read(fs, &path, &logs).unwrap_or_default();
        Self { path, logs, now, entries, is_changed: false }
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes what was learned, when there is anything; the directory for caches is made.
    ///
    /// # Errors
    ///
    /// When the file cannot be written; the old one stands, and nothing but time is lost.
    pub fn save(&self, fs: &dyn FileSystem) -> Result<(), IndexError> {
        if self.is_changed { file::write(fs, &self.path, &self.logs, &self.entries) } else { Ok(()) }
    }

    pub(crate) fn entries(&self) -> &HashMap<String, Entry> {
        &self.entries
    }

    /// Takes in what was read anew.
    pub(crate) fn learn(&mut self, learned: Vec<(String, Entry)>) {
        for (id, entry) in learned {
            if entry.keys.are_older_than(self.now.checked_sub(TICK).unwrap_or(self.now)) {
                self.entries.insert(id, entry);
                self.is_changed = true;
            }
        }
    }

    /// Forgets all conversations but these.
    pub(crate) fn retain(&mut self, is_there: impl Fn(&str) -> bool) {
        let before = self.entries.len();
        self.entries.retain(|id, _| is_there(id));
        self.is_changed |= self.entries.len() != before;
    }
}
