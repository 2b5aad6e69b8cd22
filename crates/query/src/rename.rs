//! Giving a conversation another name to show: [`LogsDir::rename`].

use convlog_store::{ConfigError, ConversationId, Layout, OpenError, set_name};
use thiserror::Error;

use crate::LogsDir;

/// A conversation could not be renamed; nothing was changed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RenameError {
    /// A name of blanks says nothing.
    #[error("a name needs a character that can be seen")]
    Empty,
    /// There is no such conversation.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Its settings cannot be changed.
    #[error(transparent)]
    Config(#[from] ConfigError),
}

impl LogsDir {
    /// Gives a conversation another name to show; its id stays. Whether it is open does not matter: the
    /// settings have a lock of their own. Durable when this returns; comments and unknown members of
    /// `config.toml` stay.
    ///
    /// # Errors
    ///
    /// When there is no such conversation, or its settings cannot be changed.
    pub fn rename(&self, id: &ConversationId, name: &str) -> Result<(), RenameError> {
        if name.trim().is_empty() {
            return Err(RenameError::Empty);
        }
        let conversation = self.open(id)?;
        let layout = Layout::new(conversation.layout().home());
        Ok(set_name(&**self.fs(), &layout, Some(name))?)
    }
}
