//! Finding one conversation by what a person typed.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_store::{Conversation, ConversationId, NameError, OpenError};
use thiserror::Error;

use crate::{ListError, LogsDir};

/// How many candidates an error names.
const NAMED: usize = 8;

/// No single conversation was meant.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LookupError {
    /// The text can be no id.
    #[error(transparent)]
    Name(#[from] NameError),
    /// Nothing begins with it.
    #[error("no conversation {text:?} in {}; `convlog list` shows what there is", logs.display())]
    NotFound {
        /// What was looked for.
        text: String,
        /// Where.
        logs: PathBuf,
    },
    /// Several begin with it.
    #[error("{text:?} could be any of {}: {}{}; type more of it", candidates.len(), first(candidates), more(candidates))]
    Ambiguous {
        /// What was looked for.
        text: String,
        /// The ids that begin with it.
        candidates: Vec<ConversationId>,
    },
    /// It was found and cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The directory of all conversations cannot be listed.
    #[error(transparent)]
    List(#[from] ListError),
}

fn first(candidates: &[ConversationId]) -> String {
    candidates.iter().take(NAMED).map(ConversationId::as_str).collect::<Vec<_>>().join(", ")
}

fn more(candidates: &[ConversationId]) -> &'static str {
    if candidates.len() > NAMED { ", …" } else { "" }
}

/// A text with a `/` as the path of a conversation's directory; a path to a transcript is one to its
/// directory.
fn as_path(text: &str) -> Option<&Path> {
    let path = text.contains('/').then(|| Path::new(text))?;
    let is_transcript = path.extension().is_some_and(|extension| extension == "jsonl");
    Some(if is_transcript { path.parent().unwrap_or(path) } else { path })
}

impl LogsDir {
    /// The directory of the conversation that is meant, for a verb that writes: a whole id, or a path. The
    /// beginning of an id is never enough, and whether there is such a conversation is not asked.
    ///
    /// # Errors
    ///
    /// When the text can be no id.
    pub fn home_of(&self, text: &str) -> Result<PathBuf, NameError> {
        match as_path(text) {
            Some(home) => Ok(home.to_path_buf()),
            None => Ok(self.path().join(text.parse::<ConversationId>()?.as_str())),
        }
    }

    /// Opens for reading what a person means: an id, a path to a conversation's directory (or to a file
    /// in it), or the beginning of an id when no other begins so.
    ///
    /// An id comes before a path, and a path before a beginning. A relative path is one with a `/`.
    ///
    /// # Errors
    ///
    /// When nothing or more than one is meant, or when what is meant cannot be opened.
    pub fn find(&self, text: &str) -> Result<Conversation, LookupError> {
        if let Some(home) = as_path(text) {
            return Ok(Conversation::open(Arc::clone(self.fs()), home)?);
        }
        let id: ConversationId = text.parse()?;
        match self.open(&id) {
            Err(OpenError::NotFound { .. }) => {}
            other => return Ok(other?),
        }
        let mut candidates: Vec<ConversationId> =
            self.list()?.filter_map(Result::ok).filter(|id| id.as_str().starts_with(text)).collect();
        match (candidates.pop(), candidates.is_empty()) {
            (None, _) => Err(LookupError::NotFound { text: text.to_owned(), logs: self.path().to_path_buf() }),
            (Some(only), true) => Ok(self.open(&only)?),
            (Some(last), false) => {
                candidates.push(last);
                Err(LookupError::Ambiguous { text: text.to_owned(), candidates })
            }
        }
    }
}
