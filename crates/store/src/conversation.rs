//! A conversation opened for reading: [`Conversation`].

use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::SystemTime;

use convlog_codec::jsonl::{Reader, Reading, Skimmer, TailReader, read_from};
use convlog_fs::{File, FileSystem, Kind, Open, Stat};
use convlog_message::{FileRef, Timestamp};

use crate::recovery::Plan;
use crate::{
    AttachmentFault, BranchName, ChatConfig, ConfigError, Layout, OpenError, OpenSessionError, ReadError,
    RecoveryReport, StoredFile, Transcript, ViewName,
};

/// How much of a transcript is read at a time.
const BUFFER: usize = 128 << 10;

/// A conversation opened for reading.
///
/// Takes no lock, writes nothing, and never blocks a writer. Each read sees the files as they are then.
#[derive(Clone, Debug)]
pub struct Conversation {
    fs: Arc<dyn FileSystem>,
    layout: Layout,
}

impl Conversation {
    /// Opens the conversation in a directory.
    ///
    /// # Errors
    ///
    /// When there is no directory, or nothing of a conversation in it.
    pub fn open(fs: Arc<dyn FileSystem>, home: impl Into<PathBuf>) -> Result<Self, OpenError> {
        let layout = Layout::new(home);
        let path = layout.home().to_path_buf();
        match fs.stat(&path) {
            Ok(stat) if stat.kind == Kind::Dir => {}
            Ok(_) => return Err(OpenError::NotADirectory { path }),
            Err(error) if error.is_not_found() => return Err(OpenError::NotFound { path }),
            Err(error) => return Err(error.into()),
        }
        for file in [layout.transcript(&Transcript::Main), path.join("events.jsonl")] {
            match fs.lstat(&file) {
                Ok(_) => return Ok(Self { fs, layout }),
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(OpenError::NoConversation { path })
    }

    /// A conversation that is known to be there; the disk is not asked.
    #[must_use]
    pub fn at(fs: Arc<dyn FileSystem>, layout: Layout) -> Self {
        Self { fs, layout }
    }

    /// Where its files lie.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The file system that it is read through.
    #[must_use]
    pub fn file_system(&self) -> &dyn FileSystem {
        &*self.fs
    }

    /// Reads a log as a whole.
    ///
    /// # Errors
    ///
    /// When the file cannot be read; whatever it holds is no error, see the report.
    pub fn read(&self, which: &Transcript) -> Result<Reading, ReadError> {
        let (file, stat) = self.open_transcript(which)?;
        let input = BufReader::with_capacity(BUFFER, file);
        read_from(input, &file_time(&stat)).map_err(|source| self.stream_error(which, source))
    }

    /// Reads a log message by message, from its beginning, in constant memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened.
    pub fn stream(&self, which: &Transcript) -> Result<Reader<BufReader<Box<dyn File>>>, ReadError> {
        let (file, stat) = self.open_transcript(which)?;
        Ok(Reader::new(BufReader::with_capacity(BUFFER, file), file_time(&stat)))
    }

    /// Reads of a log what a list needs, from its beginning, in constant memory.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened.
    pub fn skim(&self, which: &Transcript) -> Result<Skimmer<BufReader<Box<dyn File>>>, ReadError> {
        let (file, _) = self.open_transcript(which)?;
        let stat = file.stat()?;
        Ok(Skimmer::new(BufReader::with_capacity(BUFFER, file), file_time(&stat)))
    }

    /// Opens the file of a log for reading its bytes.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened.
    pub fn open_file(&self, which: &Transcript) -> Result<Box<dyn File>, ReadError> {
        Ok(self.open_transcript(which)?.0)
    }

    /// Reads a log message by message, from its end, and no more of the file than that takes.
    ///
    /// # Errors
    ///
    /// When the file cannot be opened or its end not be read.
    pub fn tail(&self, which: &Transcript) -> Result<TailReader<Box<dyn File>>, ReadError> {
        let (file, stat) = self.open_transcript(which)?;
        TailReader::new(file, file_time(&stat)).map_err(|source| self.stream_error(which, source))
    }

    /// What the file system says of a log's file, links followed.
    ///
    /// # Errors
    ///
    /// When there is none, or something that is no file.
    pub fn stat(&self, which: &Transcript) -> Result<Stat, ReadError> {
        let path = self.layout.transcript(which);
        let stat = match self.fs.stat(&path) {
            Ok(stat) => stat,
            Err(error) if error.is_not_found() && self.fs.lstat(&path).is_ok() => {
                return Err(ReadError::NotAFile { path, found: "a link to a file that is missing" });
            }
            Err(error) if error.is_not_found() => return Err(ReadError::NotFound { which: which.clone(), path }),
            Err(error) => return Err(error.into()),
        };
        // A FIFO or a device is not even opened: that could block.
        match stat.kind {
            Kind::File => Ok(stat),
            Kind::Dir => Err(ReadError::NotAFile { path, found: "a directory" }),
            _ => Err(ReadError::NotAFile { path, found: "a device, a socket or a pipe" }),
        }
    }

    /// The branches besides main, by name.
    ///
    /// # Errors
    ///
    /// When the directory cannot be listed; a missing one has none.
    pub fn branches(&self) -> Result<Vec<BranchName>, convlog_fs::Error> {
        self.names(&self.layout.branches())
    }

    /// The views, by name.
    ///
    /// # Errors
    ///
    /// As for [`Self::branches`].
    pub fn views(&self) -> Result<Vec<ViewName>, convlog_fs::Error> {
        self.names(&self.layout.views())
    }

    /// The active view: the one that the marker names, when there is such a view.
    ///
    /// # Errors
    ///
    /// When the marker cannot be read; a missing one says that there is none.
    pub fn active_view(&self) -> Result<Option<ViewName>, convlog_fs::Error> {
        let Some(name) = self.view_marker()? else { return Ok(None) };
        Ok(name.parse().ok().filter(|view| self.stat(&Transcript::View(ViewName::clone(view))).is_ok()))
    }

    /// What stands in the marker of the active view, whether there is such a view or not.
    ///
    /// # Errors
    ///
    /// As for [`Self::active_view`].
    pub fn view_marker(&self) -> Result<Option<String>, convlog_fs::Error> {
        match convlog_fs::read_all(self.file_system(), &self.layout.view_marker()) {
            Ok(bytes) => Ok(Some(String::from_utf8_lossy(&bytes).trim().to_owned())),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// The log that a writer would go on with: the active view, or else main.
    ///
    /// # Errors
    ///
    /// As for [`Self::active_view`].
    pub fn active(&self) -> Result<Transcript, convlog_fs::Error> {
        Ok(self.active_view()?.map_or(Transcript::Main, Transcript::View))
    }

    /// What opening a log for writing would do to heal what a crash or another program left. Nothing is
    /// changed.
    ///
    /// # Errors
    ///
    /// When the files cannot be read.
    pub fn recovery(&self, which: &Transcript) -> Result<RecoveryReport, OpenSessionError> {
        Ok(Plan::make(self, which)?.report())
    }

    /// Reads the event log of main or of a branch; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When it cannot be read; whatever it holds is no error, see the report.
    pub fn events(&self, which: &Transcript) -> Result<Option<convlog_eventlog::Reading>, convlog_fs::Error> {
        convlog_eventlog::read(self.file_system(), &self.layout.events_dir(which))
    }

    /// The content of an attached file as it was when the message was written, from the stored copy that the
    /// message's hash names, once the copy's own hash was found right. The file itself is not looked at.
    ///
    /// # Errors
    ///
    /// When the hash is none, or the copy is missing, changed or unreadable.
    pub fn attachment(&self, file: &FileRef, hash: &str) -> Result<Vec<u8>, AttachmentFault> {
        StoredFile::new(file, hash)?.read(self.file_system(), &self.layout)
    }

    /// The settings.
    ///
    /// # Errors
    ///
    /// When `config.toml` cannot be read or is no TOML; a missing one has only defaults.
    pub fn config(&self) -> Result<ChatConfig, ConfigError> {
        ChatConfig::read(self.file_system(), &self.layout)
    }

    fn open_transcript(&self, which: &Transcript) -> Result<(Box<dyn File>, Stat), ReadError> {
        let stat = self.stat(which)?;
        Ok((self.fs.open(&self.layout.transcript(which), Open::Read)?, stat))
    }

    fn stream_error(&self, which: &Transcript, source: std::io::Error) -> ReadError {
        ReadError::Stream { path: self.layout.transcript(which), source }
    }

    /// The names of the `.jsonl` files in a directory that can be names.
    fn names<N: FromStr>(&self, directory: &Path) -> Result<Vec<N>, convlog_fs::Error> {
        let entries = match self.fs.list(directory) {
            Ok(entries) => entries,
            Err(error) if error.is_not_found() => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let stems = entries.iter().filter_map(|entry| entry.name.to_str()?.strip_suffix(".jsonl"));
        Ok(stems.filter_map(|stem| stem.parse().ok()).collect())
    }
}

/// The time of messages that have none: the file's last change.
fn file_time(stat: &Stat) -> Timestamp {
    SystemTime::from(stat.mtime).into()
}
