//! Where the files of a conversation lie: [`Layout`].

use std::path::{Path, PathBuf};

use crate::Transcript;

/// The paths of a conversation's directory. Knows names only; nothing is asked of the disk.
///
/// ```
/// use std::path::Path;
/// use convlog_store::{Layout, Transcript};
///
/// let layout = Layout::new("/logs/talk");
/// assert_eq!(layout.transcript(&Transcript::Main), Path::new("/logs/talk/conversation.jsonl"));
/// let dev = Transcript::Branch("dev".parse()?);
/// assert_eq!(layout.transcript(&dev), Path::new("/logs/talk/branches/dev.jsonl"));
/// # Ok::<(), convlog_store::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    home: PathBuf,
}

impl Layout {
    /// The layout of the conversation in this directory.
    #[must_use]
    pub fn new(home: impl Into<PathBuf>) -> Self {
        Self { home: home.into() }
    }

    /// The directory.
    #[must_use]
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The file of a log.
    #[must_use]
    pub fn transcript(&self, which: &Transcript) -> PathBuf {
        self.home.join(self.relative(which))
    }

    /// The file of a log, relative to the directory, as event logs name it.
    #[must_use]
    pub fn relative(&self, which: &Transcript) -> String {
        match which {
            Transcript::Main => "conversation.jsonl".to_owned(),
            Transcript::Branch(name) => format!("branches/{name}.jsonl"),
            Transcript::View(name) => format!("views/{name}.jsonl"),
            Transcript::Lossless => "lossless.jsonl".to_owned(),
        }
    }

    /// The directory of the event log that a log's changes are written to. Views and the lossless log
    /// belong to main.
    #[must_use]
    pub fn events_dir(&self, which: &Transcript) -> PathBuf {
        match which {
            Transcript::Branch(name) => self.branches().join(name.as_str()),
            Transcript::Main | Transcript::View(_) | Transcript::Lossless => self.home.clone(),
        }
    }

    /// The directory of the branches.
    #[must_use]
    pub fn branches(&self) -> PathBuf {
        self.home.join("branches")
    }

    /// The directory of the views.
    #[must_use]
    pub fn views(&self) -> PathBuf {
        self.home.join("views")
    }

    /// The file that names the active view.
    #[must_use]
    pub fn view_marker(&self) -> PathBuf {
        self.views().join(".current")
    }

    /// The directory of the stored attachments.
    #[must_use]
    pub fn files(&self) -> PathBuf {
        self.home.join("files")
    }

    /// The bookmarks.
    #[must_use]
    pub fn bookmarks(&self) -> PathBuf {
        self.home.join("conv-checkpoints.jsonl")
    }

    /// A message that is being streamed: a file of convlog's own, which gptme passes over.
    #[must_use]
    pub fn draft(&self) -> PathBuf {
        self.home.join(".convlog-draft.jsonl")
    }

    /// The settings.
    #[must_use]
    pub fn config(&self) -> PathBuf {
        self.home.join("config.toml")
    }

    /// The trace of how the model was chosen.
    #[must_use]
    pub fn model_trace(&self) -> PathBuf {
        self.home.join("model_selection_trace.json")
    }

    /// The workspace: a directory, or a link to one.
    #[must_use]
    pub fn workspace(&self) -> PathBuf {
        self.home.join("workspace")
    }
}
