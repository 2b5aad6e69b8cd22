//! What all measurements share: the corpus, a place to work in, and how long to go on.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result, ensure};
use convlog_codec::jsonl;
use convlog_fs::{FileSystem, RealFs};
use convlog_message::{Message, Timestamp};
use convlog_store::{CheckpointPolicy, Session, SessionOptions};
use tempfile::TempDir;

use crate::gptme::Gptme;
use crate::plain::{self, Plain};

/// A sentence that stands in what is appended, again and again: an escape in some 30 characters.
const SENTENCE: &str = "the parser \"fails\" on an empty list;\nit wants one naïve element: `self.items[0]`\n";

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Quick,
    Full,
}

#[derive(Debug)]
pub struct Bench {
    /// The transcript of the conversation to work with.
    pub talk: PathBuf,
    pub messages: Vec<Message>,
    pub plain: Vec<Plain>,
    /// The text of what is appended: about 1 KB as a line.
    pub content: String,
    pub python: Option<PathBuf>,
    pub extent: Extent,
    work: TempDir,
}

impl Bench {
    pub fn new(talk: &Path, work: &Path, python: Option<PathBuf>, extent: Extent) -> Result<Self> {
        let bytes = fs::read(talk).with_context(|| format!("cannot read {}", talk.display()))?;
        let reading = jsonl::read(&bytes, &Timestamp::now());
        ensure!(reading.report.is_empty(), "{}: {:?}", talk.display(), reading.report);
        Ok(Self {
            talk: talk.to_path_buf(),
            messages: reading.log.iter().cloned().collect(),
            plain: plain::read(talk, plain::by_serde_json)?,
            content: SENTENCE.repeat(11),
            python,
            extent,
            work: tempfile::tempdir_in(work)?,
        })
    }

    /// A directory that does not exist yet.
    pub fn home(&self, name: &str) -> Result<PathBuf> {
        let home = self.work.path().join(name);
        if home.exists() {
            fs::remove_dir_all(&home)?;
        }
        Ok(home)
    }

    /// A directory that exists and is empty.
    pub fn directory(&self, name: &str) -> Result<PathBuf> {
        let home = self.home(name)?;
        fs::create_dir_all(&home)?;
        Ok(home)
    }

    /// gptme in a new process, where it is installed.
    pub fn gptme(&self) -> Result<Option<Gptme>> {
        self.python.as_deref().map(Gptme::start).transpose()
    }

    /// How often something is done: this many times in full, a few when it is to be quick.
    pub fn times(&self, full: usize) -> usize {
        match self.extent {
            Extent::Full => full,
            Extent::Quick => full.div_ceil(10).max(2),
        }
    }

    /// What is appended, as of now.
    pub fn message(&self) -> Message {
        Message::new("assistant", self.content.as_str(), Timestamp::now())
    }

    /// A new conversation with the first so many messages of the corpus, in turns when there are not enough.
    pub fn session(&self, name: &str, messages: usize, policy: CheckpointPolicy) -> Result<Session> {
        let initial = self.messages.iter().cycle().take(messages).cloned();
        let options = SessionOptions::default().with_policy(policy);
        Ok(Session::create(file_system(), self.home(name)?, options, initial)?)
    }
}

pub fn file_system() -> Arc<dyn FileSystem> {
    Arc::new(RealFs)
}

/// Copies a directory and the files in it.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        if entry.file_type()?.is_file() {
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}
