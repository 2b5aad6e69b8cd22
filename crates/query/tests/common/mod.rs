//! What several of these tests need: directories of conversations, and a picture of a tree.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic, clippy::arithmetic_side_effects)]

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_fs::RealFs;
use convlog_message::{Message, Timestamp, Zone};
use convlog_query::{ListOptions, Listing, LogsDir};

pub struct World(pub tempfile::TempDir);

impl World {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    pub fn logs(&self) -> LogsDir {
        LogsDir::new(Arc::new(RealFs), self.path().join("logs"))
    }

    pub fn home(&self, id: &str) -> PathBuf {
        self.path().join("logs").join(id)
    }

    /// Writes a file of a conversation, and makes it look an hour old.
    pub fn write(&self, id: &str, file: &str, content: impl AsRef<[u8]>) {
        let path = self.home(id).join(file);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, content).unwrap();
    }

    pub fn transcript(&self, id: &str, lines: &[String]) {
        self.write(id, "conversation.jsonl", lines.concat());
    }

    pub fn list(&self) -> Listing {
        let mut options = ListOptions::default();
        options.zone = Zone::UTC;
        self.logs().listing(&options, None).unwrap()
    }
}

pub fn ids(listing: &Listing) -> Vec<&str> {
    listing.conversations.iter().map(|listed| listed.meta.id.as_str()).collect()
}

/// A message on a line as gptme writes it.
pub fn line(role: &str, content: &str, time: &str) -> String {
    written(&Message::new(role, content, time.parse::<Timestamp>().unwrap()))
}

pub fn written(message: &Message) -> String {
    let mut line = Vec::new();
    jsonl::write_line(message, Style::Gptme, &mut line);
    String::from_utf8(line).unwrap()
}

pub fn set_modified(path: &Path, time: SystemTime) {
    std::fs::File::open(path).unwrap().set_modified(time).unwrap();
}

/// Long enough from now that nothing written so far counts as just written.
pub fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(60)
}

/// Every path below a directory with its content, times and mode, to see that nothing changed.
pub fn tree(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let content = if metadata.is_file() { std::fs::read(&path).unwrap() } else { Vec::new() };
        let times = (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec());
        found.push(format!("{} {:o} {times:?} {}", path.display(), metadata.mode(), blake3::hash(&content)));
        if metadata.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found.sort();
    found
}
