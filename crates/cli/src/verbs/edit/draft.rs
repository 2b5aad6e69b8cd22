//! The text that is edited: a private file beside the conversation, which outlives whatever happens.

use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

const PREFIX: &str = ".convlog-edit-";
const SUFFIX: &str = ".toml";

/// A file with the messages as TOML. It stays until [`remove`](Self::remove).
#[derive(Debug)]
pub(super) struct Draft(PathBuf);

impl Draft {
    /// Makes a draft, which nobody else can read. Its name is new.
    pub(super) fn create(home: &Path, text: &str) -> Result<Self> {
        let mut number = 0_u32;
        loop {
            let path = home.join(format!("{PREFIX}{number}{SUFFIX}"));
            let created = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
            let mut file = match created {
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                    number = number.saturating_add(1);
                    continue;
                }
                created => created.with_context(|| format!("cannot create {}", path.display()))?,
            };
            let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_all());
            return match written {
                Ok(()) => Ok(Self(path)),
                Err(error) => {
                    let _ = fs::remove_file(&path);
                    Err(error).with_context(|| format!("cannot write {}", path.display()))
                }
            };
        }
    }

    /// The drafts that edits before left behind.
    pub(super) fn left_in(home: &Path) -> Vec<PathBuf> {
        let is_draft = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            name.starts_with(PREFIX) && name.ends_with(SUFFIX)
        };
        let entries = fs::read_dir(home).into_iter().flatten().filter_map(Result::ok);
        let mut left: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_draft).collect();
        left.sort();
        left
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn read(&self) -> Result<Vec<u8>> {
        fs::read(&self.0).with_context(|| format!("cannot read {}", self.0.display()))
    }

    /// Removes the file: its messages are stored, or nothing was changed in it.
    pub(super) fn remove(self) -> Result<()> {
        fs::remove_file(&self.0).with_context(|| format!("cannot remove {}", self.0.display()))
    }
}
