//! What `config.toml` says of a conversation: [`ChatConfig`].

use std::path::PathBuf;

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
        let path = layout.config();
        let bytes = match convlog_fs::read_all(fs, &path) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => return Ok(Self::without_file(fs, layout)),
            Err(error) => return Err(error.into()),
        };
        let text = match std::str::from_utf8(&bytes) {
            Ok(text) => text.strip_prefix('\u{feff}').unwrap_or(text),
            Err(error) => return Err(ConfigError::NotUtf8 { path, offset: error.valid_up_to() }),
        };
        let document: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
            let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or(text);
            let line_start = before.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
            let column = before.get(line_start..).unwrap_or_default().chars().count().saturating_add(1);
            let line = before.matches('\n').count().saturating_add(1);
            ConfigError::NotToml { path, line, column, message: error.message().to_owned() }
        })?;
        let empty = Table::new();
        let chat = document.get("chat").and_then(|chat| chat.as_table_like()).unwrap_or(&empty);
        let text = |key| chat.get(key).and_then(|item| item.as_str()).filter(|text| !text.is_empty());
        Ok(Self {
            name: text("name").map(str::to_owned),
            model: text("model").map(str::to_owned),
            workspace: match text("workspace") {
                Some("@log") => resolved(fs, layout.workspace()),
                Some(path) => resolved(fs, path.into()),
                None if fs.stat(&layout.workspace()).is_ok() => resolved(fs, layout.workspace()),
                None => resolved(fs, layout.home().to_path_buf()),
            },
            agent: text("agent").map(|path| resolved(fs, path.into())),
        })
    }

    /// The settings of a conversation that has no file for them.
    fn without_file(fs: &dyn FileSystem, layout: &Layout) -> Self {
        Self { workspace: resolved(fs, layout.workspace()), ..Self::default() }
    }
}

/// A path with its links followed, as far as that leads.
fn resolved(fs: &dyn FileSystem, path: PathBuf) -> PathBuf {
    convlog_fs::resolve_target(fs, &path).unwrap_or(path)
}
