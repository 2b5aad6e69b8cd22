//! The settings of a conversation, and the trace of how its model was chosen.

use std::path::Path;

use convlog_codec::json::{Style, SyntaxError, parse, write_value};
use convlog_fs::{ReplaceMode, replace};
use convlog_message::json::Value;
use thiserror::Error;

use super::Session;
use crate::config::edit::set_chat;
use crate::{ChatConfig, ConfigError};

/// The trace of how a model was chosen could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
    /// The file is no JSON.
    #[error("{} is not JSON: {source}", path.display())]
    NotJson {
        /// The file.
        path: std::path::PathBuf,
        /// What is wrong.
        source: SyntaxError,
    },
}

impl Session {
    /// The settings, as they are in `config.toml` now.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no TOML; a missing one has only defaults.
    pub fn config(&self) -> Result<ChatConfig, ConfigError> {
        ChatConfig::read(&*self.fs, &self.layout)
    }

    /// The name to show: the one it was given, or else the id.
    #[must_use]
    pub fn name(&self) -> String {
        let given = self.config().ok().and_then(|config| config.name);
        given.unwrap_or_else(|| {
            let id = self.layout.home().file_name().unwrap_or_default();
            id.to_string_lossy().into_owned()
        })
    }

    /// Gives the conversation a name, or takes it away. Durable when this returns; comments and unknown
    /// members of the file stay.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, is no TOML, or cannot be written; then nothing is changed.
    pub fn set_name(&self, name: Option<&str>) -> Result<(), ConfigError> {
        set_chat(&*self.fs, &self.layout, "name", name)
    }

    /// Notes the directory that the agent works in; as [`Self::set_name`]. The link `workspace` is not touched.
    ///
    /// # Errors
    ///
    /// As [`Self::set_name`].
    pub fn set_workspace(&self, workspace: &Path) -> Result<(), ConfigError> {
        set_chat(&*self.fs, &self.layout, "workspace", Some(&workspace.to_string_lossy()))
    }

    /// The trace of how the model was chosen, an opaque JSON value; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When the file cannot be read or is no JSON.
    pub fn model_trace(&self) -> Result<Option<Value>, TraceError> {
        let path = self.layout.model_trace();
        let bytes = match convlog_fs::read_all(&*self.fs, &path) {
            Ok(bytes) => bytes,
            Err(error) if error.is_not_found() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        match parse(&bytes) {
            Ok(parsed) => Ok(Some(parsed.value)),
            Err(source) => Err(TraceError::NotJson { path, source }),
        }
    }

    /// Replaces the trace of how the model was chosen. Durable when this returns.
    ///
    /// # Errors
    ///
    /// When the file cannot be written; then the old one stands.
    pub fn set_model_trace(&self, trace: &Value) -> Result<(), TraceError> {
        let path = self.layout.model_trace();
        let mut text = Vec::new();
        write_value(trace, Style::Gptme, &mut text);
        text.push(b'\n');
        let replaced = replace(&*self.fs, &path, ReplaceMode::Keep, |out| out.write_all(&text));
        replaced.map(drop).map_err(|error| convlog_fs::Error::from(error).into())
    }
}
