//! What `config.toml` says of a conversation: [`ChatConfig`].

pub(crate) mod edit;

use std::path::{Path, PathBuf};

use convlog_fs::FileSystem;
use thiserror::Error;
use toml_edit::{DocumentMut, Table};

use crate::Layout;

/// The settings of a conversation that convlog uses; all others stay in the file untouched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ChatConfig {
    /// The name that is shown in place of the id.
    pub name: Option<String>,
    /// The model to talk to.
    pub model: Option<String>,
    /// The directory that the agent works in.
    pub workspace: PathBuf,
    /// The directory that the agent's own settings lie in.
    pub agent: Option<PathBuf>,
}

/// The settings could not be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// The file is no text.
    #[error("{} is not UTF-8 (byte {offset}); correct it in an editor", path.display())]
    NotUtf8 {
        /// The file.
        path: PathBuf,
        /// The first byte that is not.
        offset: usize,
    },
    /// `chat` is there and is no table.
    #[error("{}: `chat` is not a table; correct it in an editor", path.display())]
    NotATable {
        /// The file.
        path: PathBuf,
    },
    /// Another program is changing the settings, and does not come to an end.
    #[error("another program holds {}; try again", path.display())]
    Held {
        /// The lock.
        path: PathBuf,
    },
    /// The file is no TOML.
    #[error("{}, line {line}, column {column}: {message}; correct it in an editor", path.display())]
    NotToml {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The column in characters, counted from 1.
        column: usize,
        /// What is wrong there.
        message: String,
    },
}

impl ChatConfig {
    /// The settings of a conversation; the defaults where there is no file. Members of a wrong type count
    /// as missing.
    pub(crate) fn read(fs: &dyn FileSystem, layout: &Layout) -> Result<Self, ConfigError> {
        Ok(WrittenConfig::read(fs, layout)?.resolve(fs, layout))
    }
}

/// The settings that convlog uses as `config.toml` has them, before the disk is asked what its paths lead to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct WrittenConfig {
    /// Whether there is a file.
    pub exists: bool,
    /// The name that is shown in place of the id.
    pub name: Option<String>,
    /// The model to talk to.
    pub model: Option<String>,
    /// The directory that the agent works in; `@log` is the one in the conversation's own.
    pub workspace: Option<String>,
    /// The directory that the agent's own settings lie in.
    pub agent: Option<String>,
}

impl WrittenConfig {
    /// Reads the file. Members of a wrong type, and empty ones, count as missing.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no TOML; a missing one has only defaults.
    pub fn read(fs: &dyn FileSystem, layout: &Layout) -> Result<Self, ConfigError> {
        let path = layout.config();
        let Some(text) = read_text(fs, &path)? else { return Ok(Self::default()) };
        let document = parse(&path, &text)?;
        let empty = Table::new();
        let chat = document.get("chat").and_then(|chat| chat.as_table_like()).unwrap_or(&empty);
        let text = |key| chat.get(key).and_then(|item| item.as_str()).filter(|text| !text.is_empty());
        Ok(Self {
            exists: true,
            name: text("name").map(str::to_owned),
            model: text("model").map(str::to_owned),
            workspace: text("workspace").map(str::to_owned),
            agent: text("agent").map(str::to_owned),
        })
    }

    /// Asks the disk what the paths lead to.
    #[must_use]
    pub fn resolve(self, fs: &dyn FileSystem, layout: &Layout) -> ChatConfig {
        let workspace = match self.workspace.as_deref() {
            Some("@log") => layout.workspace(),
            Some(path) => path.into(),
            None if !self.exists || fs.stat(&layout.workspace()).is_ok() => layout.workspace(),
            None => layout.home().to_path_buf(),
        };
        ChatConfig {
            name: self.name,
            model: self.model,
            workspace: resolved(fs, workspace),
            agent: self.agent.map(|path| resolved(fs, path.into())),
        }
    }
}

/// The text of the file, without a byte order mark; `None` when there is no file.
fn read_text(fs: &dyn FileSystem, path: &Path) -> Result<Option<String>, ConfigError> {
    let bytes = match convlog_fs::read_all(fs, path) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))),
        Err(error) => Err(ConfigError::NotUtf8 { path: path.to_path_buf(), offset: error.utf8_error().valid_up_to() }),
    }
}

/// The text as TOML; an error names line and column.
fn parse(path: &Path, text: &str) -> Result<DocumentMut, ConfigError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
        let column = before.get(line_start..).unwrap_or_default().chars().count().saturating_add(1);
        let line = before.matches('\n').count().saturating_add(1);
        ConfigError::NotToml { path: path.to_path_buf(), line, column, message: error.message().to_owned() }
    })
}

/// A path with its links followed, as far as that leads.
fn resolved(fs: &dyn FileSystem, path: PathBuf) -> PathBuf {
    convlog_fs::resolve_target(fs, &path).unwrap_or(path)
}
