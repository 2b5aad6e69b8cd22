//! Finding conversations that hold next to nothing: [`LogsDir::cleanable`].

use std::num::NonZeroUsize;

use convlog_store::{ConversationId, Transcript};

use crate::delete::size;
use crate::{ConversationMeta, Index, ListError, ListOptions, LogsDir, SkippedEntry, Sort, Tests};

/// What counts as next to nothing.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CleanOptions {
    /// At most so many messages.
    pub max_messages: u64,
    /// Whether those of tests are looked at.
    pub tests: Tests,
    /// On how many threads.
    pub threads: NonZeroUsize,
}

impl Default for CleanOptions {
    /// At most one message, which is the system's as a rule; not those of tests; on one thread.
    fn default() -> Self {
        Self { max_messages: 1, tests: Tests::Without, threads: NonZeroUsize::MIN }
    }
}

/// A conversation that holds next to nothing.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Cleanable {
    /// Its id.
    pub id: ConversationId,
    /// What there is to know of it.
    pub meta: ConversationMeta,
    /// The bytes of all its files.
    pub bytes: u64,
}

impl LogsDir {
    /// The conversations with so few messages that they may as well go, by id. Nothing is changed.
    ///
    /// One that has branches, a lossless log, a line that cannot be read, or an event log that knows more than
    /// the transcript, is not among them: there is more to it than it seems.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed.
    pub fn cleanable(
        &self,
        options: &CleanOptions,
        index: Option<&mut Index>,
    ) -> Result<(Vec<Cleanable>, Vec<SkippedEntry>), ListError> {
        let list = ListOptions {
            sort: Sort::Messages,
            tests: options.tests,
            threads: options.threads,
            ..ListOptions::default()
        };
        let listing = self.listing(&list, index)?;
        let (mut found, mut skipped) = (Vec::new(), listing.skipped);
        for listed in listing.conversations {
            let few = listed.meta.messages <= options.max_messages && listed.meta.branches <= 1;
            if !few || listed.unreadable > 0 {
                continue;
            }
            let Ok(id) = listed.meta.id.parse::<ConversationId>() else { continue };
            if self.has_more(&id) {
                continue;
            }
            let home = self.path().join(id.as_str());
            match size(&**self.fs(), &home) {
                Ok((bytes, _)) => found.push(Cleanable { id, meta: listed.meta, bytes }),
                Err(source) => skipped.push(SkippedEntry::Io { path: home, source }),
            }
        }
        found.sort_by(|a, b| a.id.as_str().cmp(b.id.as_str()));
        Ok((found, skipped))
    }

    /// Whether other files of a conversation hold what its transcript does not, or may.
    fn has_more(&self, id: &ConversationId) -> bool {
        let Ok(conversation) = self.open(id) else { return true };
        let recovery = conversation.recovery(&Transcript::Main);
        conversation.stat(&Transcript::Lossless).is_ok() || !recovery.is_ok_and(|report| report.is_empty())
    }
}
