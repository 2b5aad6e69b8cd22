//! What two logs have after their common beginning: [`Diff`].

use convlog_message::{Log, Message};

use crate::{Conversation, ReadError, Transcript};

/// What two logs have after their common beginning.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Diff {
    /// How many messages both begin with, alike in every stored field.
    pub common: usize,
    /// What the first has after them.
    pub left: Vec<Message>,
    /// What the second has after them.
    pub right: Vec<Message>,
}

impl Diff {
    /// Compares two logs.
    #[must_use]
    pub fn new(left: &Log, right: &Log) -> Self {
        let common = left.iter().zip(right).take_while(|(a, b)| a.is_stored_alike(b)).count();
        let rest = |log: &Log| log.iter().skip(common).cloned().collect();
        Self { common, left: rest(left), right: rest(right) }
    }

    /// Whether both are the same.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.left.is_empty() && self.right.is_empty()
    }
}

impl Conversation {
    /// Compares two logs of the conversation.
    ///
    /// # Errors
    ///
    /// When one of them cannot be read.
    pub fn diff(&self, left: &Transcript, right: &Transcript) -> Result<Diff, ReadError> {
        Ok(Diff::new(&self.read(left)?.log, &self.read(right)?.log))
    }
}
