//! Searching the text of all conversations: [`LogsDir::search`].

mod blocks;
mod candidates;
mod escapes;
mod fold;
mod hit;
mod query;
mod scan;

use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use convlog_fs::{FileTime, Kind};
use convlog_message::{Role, Zone};
use convlog_store::{ConversationId, Layout, Transcript};

use crate::in_order::in_order;
use crate::{ListError, LogsDir, SkippedEntry, Tests};

pub use fold::Case;
pub use hit::{Hit, SnippetLine};
pub use query::{Query, QueryError};

/// Which logs of a conversation are searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Depth {
    /// Main, which is the full history behind every view; and the lossless log, where main was compacted.
    #[default]
    History,
    /// All branches too.
    Branches,
}

/// Whose messages are searched.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Speakers {
    /// Everybody's but the system's.
    #[default]
    NotSystem,
    /// Everybody's.
    All,
    /// One role's.
    Only(Role),
}

/// Where is searched, and how much of it is told.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SearchOptions {
    /// How times without an offset are understood.
    pub zone: Zone,
    /// Only these conversations; all when there is none.
    pub ids: Vec<ConversationId>,
    /// Whether those of tests are searched.
    pub tests: Tests,
    /// Which logs.
    pub depth: Depth,
    /// Whose messages.
    pub speakers: Speakers,
    /// Only messages since then, in seconds since 1970.
    pub since: Option<f64>,
    /// At most so many messages of a conversation.
    pub most: usize,
    /// On how many threads.
    pub threads: NonZeroUsize,
}

impl Default for SearchOptions {
    /// The full history of all conversations, all messages but the system's, on one thread.
    fn default() -> Self {
        Self {
            zone: Zone::Local,
            ids: Vec::new(),
            tests: Tests::With,
            depth: Depth::History,
            speakers: Speakers::NotSystem,
            since: None,
            most: usize::MAX,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// What a search comes upon.
#[derive(Debug)]
pub enum Found {
    /// A message.
    Hit(Box<Hit>),
    /// A conversation that cannot be searched, or not to its end.
    Skipped(SkippedEntry),
    /// A conversation was searched.
    Searched(ConversationId),
}

impl LogsDir {
    /// Searches conversations, the last changed first, and hands over what is found as it is found, until
    /// `each` breaks. Memory does not grow with the conversations, and nothing in the directory is changed.
    ///
    /// A message that stands in several logs of a conversation is told once.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed.
    pub fn search(
        &self,
        query: &Query,
        options: &SearchOptions,
        each: impl FnMut(Found) -> ControlFlow<()>,
    ) -> Result<(), ListError> {
        let mut skipped = Vec::new();
        let ids =
            if options.ids.is_empty() { self.by_last_change(options, &mut skipped)? } else { options.ids.clone() };
        let mut each = each;
        for skipped in skipped {
            if each(Found::Skipped(skipped)).is_break() {
                return Ok(());
            }
        }
        let work = |buffer: &mut Vec<u8>, id: ConversationId, sink: &_| {
            if scan::conversation(self, &id, query, options, buffer, sink).is_continue() {
                let _ = crate::in_order::Sink::send(sink, Found::Searched(id));
            }
        };
        let _ = in_order(options.threads, ids.into_iter(), work, each);
        Ok(())
    }

    /// The conversations, the last changed first.
    fn by_last_change(
        &self,
        options: &SearchOptions,
        skipped: &mut Vec<SkippedEntry>,
    ) -> Result<Vec<ConversationId>, ListError> {
        let mut dated: Vec<(Option<FileTime>, ConversationId)> = Vec::new();
        for place in self.places(options.tests)? {
            match place {
                Ok(place) => {
                    let transcript = Layout::new(place.home).transcript(&Transcript::Main);
                    let stat = self.fs().stat(&transcript).ok().filter(|stat| stat.kind == Kind::File);
                    if stat.is_some() || self.check(place.id.as_str().as_ref()).is_some() {
                        dated.push((stat.map(|stat| stat.mtime), place.id));
                    }
                }
                Err(entry) => skipped.push(entry),
            }
        }
        dated.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.as_str().cmp(b.1.as_str())));
        Ok(dated.into_iter().map(|(_, id)| id).collect())
    }
}
