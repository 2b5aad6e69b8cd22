//! The directory that all conversations lie in: [`LogsDir`].

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::{DirEntry, FileSystem, Kind};
use convlog_store::{Conversation, ConversationId, NameError, OpenError, ReadError};
use thiserror::Error;

/// The directory of all conversations.
#[derive(Clone, Debug)]
pub struct LogsDir {
    fs: Arc<dyn FileSystem>,
    path: PathBuf,
}

/// What the place of the logs depends on; a caller hands in what it knows.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Environment {
    /// `$GPTME_LOGS_HOME`.
    pub gptme_logs_home: Option<OsString>,
    /// `$XDG_DATA_HOME`.
    pub xdg_data_home: Option<OsString>,
    /// The user's home directory.
    pub home: Option<PathBuf>,
}

/// The directory of all conversations could not be listed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ListError {
    /// It does not exist.
    #[error("there is no directory {}; name another with --logs or $GPTME_LOGS_HOME", path.display())]
    NotFound {
        /// The directory.
        path: PathBuf,
    },
    /// Something else lies there.
    #[error("{} is not a directory; name another with --logs or $GPTME_LOGS_HOME", path.display())]
    NotADirectory {
        /// What lies there.
        path: PathBuf,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

/// A directory among the conversations that was passed over, and why.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SkippedEntry {
    /// Its name can be no id.
    #[error("{} is passed over: {source}", path.display())]
    Name {
        /// The directory.
        path: PathBuf,
        /// What is wrong with the name.
        source: NameError,
    },
    /// Its name is no text.
    #[error("{} is passed over: its name is not UTF-8", path.display())]
    NotUtf8 {
        /// The directory.
        path: PathBuf,
    },
    /// The file system refused to look into it.
    #[error("{} is passed over: {source}", path.display())]
    Io {
        /// The directory.
        path: PathBuf,
        /// What the system said.
        source: convlog_fs::Error,
    },
    /// It cannot be opened.
    #[error("{} is passed over: {source}", path.display())]
    Open {
        /// The directory.
        path: PathBuf,
        /// What is wrong.
        source: OpenError,
    },
    /// Its transcript cannot be read.
    #[error("a conversation is passed over: {0}")]
    Read(ReadError),
}

impl LogsDir {
    /// The conversations in this directory. Nothing is asked of the disk.
    #[must_use]
    pub fn new(fs: Arc<dyn FileSystem>, path: impl Into<PathBuf>) -> Self {
        Self { fs, path: path.into() }
    }

    /// Where the logs lie by gptme's rules: `$GPTME_LOGS_HOME`; `$XDG_DATA_HOME/gptme/logs`;
    /// `~/.local/share/gptme/logs`, unless that is missing and the platform has a data directory of its
    /// own. A variable that is empty or blank counts as unset; surrounding blanks are cut.
    ///
    /// `None` when nothing is known, not even a home.
    #[must_use]
    pub fn locate(fs: &dyn FileSystem, environment: &Environment) -> Option<PathBuf> {
        let set = |variable: &Option<OsString>| {
            let text = variable.as_ref()?;
            match text.to_str() {
                Some(text) => Some(text.trim()).filter(|text| !text.is_empty()).map(PathBuf::from),
                None => Some(PathBuf::from(text)),
            }
        };
        if let Some(logs) = set(&environment.gptme_logs_home) {
            return Some(logs);
        }
        if let Some(data) = set(&environment.xdg_data_home) {
            return Some(data.join("gptme/logs"));
        }
        let home = environment.home.as_ref()?;
        let usual = home.join(".local/share/gptme/logs");
        if cfg!(target_os = "macos") && fs.stat(&usual).is_err() {
            return Some(home.join("Library/Application Support/gptme/logs"));
        }
        Some(usual)
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn fs(&self) -> &Arc<dyn FileSystem> {
        &self.fs
    }

    /// The conversations, by id; and each directory that is passed over though it looks like one.
    ///
    /// A directory counts when it holds a `conversation.jsonl` or an `events.jsonl`; any other is somebody
    /// else's.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed.
    pub fn list(&self) -> Result<impl Iterator<Item = Result<ConversationId, SkippedEntry>> + use<>, ListError> {
        let logs = self.clone();
        let is_place = |entry: &DirEntry| {
            matches!(entry.kind, Kind::Dir | Kind::Symlink) && !convlog_fs::is_temporary(&entry.name)
        };
        let entries = self.entries()?.filter(is_place);
        Ok(entries.filter_map(move |entry| logs.check(&entry.name)))
    }

    /// All names in the directory, sorted.
    pub(crate) fn entries(&self) -> Result<impl Iterator<Item = DirEntry> + use<>, ListError> {
        let path = self.path.clone();
        match self.fs.list(&self.path) {
            Ok(entries) => Ok(entries.into_iter()),
            Err(error) if error.is_not_found() => Err(ListError::NotFound { path }),
            Err(error) if error.kind() == std::io::ErrorKind::NotADirectory => Err(ListError::NotADirectory { path }),
            Err(error) => Err(error.into()),
        }
    }

    /// The id of a directory that holds a conversation; `None` when it holds none.
    pub(crate) fn check(&self, name: &OsStr) -> Option<Result<ConversationId, SkippedEntry>> {
        let path = self.path.join(name);
        match holds_a_conversation(&*self.fs, &path) {
            Ok(true) => {}
            Ok(false) => return None,
            Err(source) => return Some(Err(SkippedEntry::Io { path, source })),
        }
        let Some(name) = name.to_str() else { return Some(Err(SkippedEntry::NotUtf8 { path })) };
        Some(name.parse().map_err(|source| SkippedEntry::Name { path, source }))
    }

    /// Opens a conversation for reading.
    ///
    /// # Errors
    ///
    /// As for [`Conversation::open`].
    pub fn open(&self, id: &ConversationId) -> Result<Conversation, OpenError> {
        Conversation::open(Arc::clone(&self.fs), self.path.join(id.as_str()))
    }
}

fn holds_a_conversation(fs: &dyn FileSystem, home: &Path) -> Result<bool, convlog_fs::Error> {
    for file in ["conversation.jsonl", "events.jsonl"] {
        match fs.lstat(&home.join(file)) {
            Ok(_) => return Ok(true),
            Err(error) if error.is_not_found() || error.kind() == std::io::ErrorKind::NotADirectory => {}
            Err(error) => return Err(error),
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use convlog_fs::RealFs;

    #[test]
    fn the_place_is_found_by_gptmes_rules() {
        let place = |gptme: Option<&str>, xdg: Option<&str>| {
            let environment = Environment {
                gptme_logs_home: gptme.map(Into::into),
                xdg_data_home: xdg.map(Into::into),
                home: Some("/home/u".into()),
            };
            LogsDir::locate(&RealFs, &environment).unwrap()
        };
        assert_eq!(place(Some(" /logs "), Some("/data")), Path::new("/logs"));
        assert_eq!(place(Some("  "), Some(" /data")), Path::new("/data/gptme/logs"));
        assert_eq!(place(None, Some("")), Path::new("/home/u/.local/share/gptme/logs"));
        assert_eq!(LogsDir::locate(&RealFs, &Environment::default()), None);
    }
}
