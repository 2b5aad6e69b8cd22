//! The conversations, in an order, with what is worth knowing of each: [`LogsDir::listing`].

mod glance;
mod rank;
mod visit;

use std::cmp::Ordering;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;

use convlog_message::Zone;

use crate::in_order::in_order;
use crate::{ConversationMeta, Index, ListError, LogsDir, SkippedEntry};
use visit::{Place, Visit};

/// So many conversations go to a thread at once: one that the index knows takes less than handing it over.
const TOGETHER: usize = 16;

/// What comes first in a list. Ties go by id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Sort {
    /// The one whose last message is newest; the file's last change counts only where no message has a time.
    #[default]
    Active,
    /// The one whose file was changed last.
    Modified,
    /// The one that was begun last.
    Created,
    /// The longest.
    Messages,
    /// The dearest.
    Cost,
    /// The first by name.
    Name,
}

/// Which way round a list goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Direction {
    /// As [`Sort`] says.
    #[default]
    Forward,
    /// The other way round; ties stay by id.
    Reverse,
}

/// How much is found out about each conversation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Everything: each transcript is read through.
    #[default]
    Full,
    /// No costs, tokens and branches; lines are counted by their looks, and the model is that of the last
    /// 64 KiB.
    Fast,
}

/// Whether conversations that tests make are among those listed; see [`is_test`](crate::is_test).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tests {
    /// They are.
    #[default]
    With,
    /// They are not; nothing of theirs is read.
    Without,
}

/// Which conversations are listed, and how.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ListOptions {
    /// How times without an offset are understood.
    pub zone: Zone,
    /// How much is found out.
    pub detail: Detail,
    /// Whether those of tests are listed.
    pub tests: Tests,
    /// What comes first.
    pub sort: Sort,
    /// Which way round.
    pub direction: Direction,
    /// At most so many, the first ones; of the others no more is read than it takes to put them in order.
    pub limit: usize,
    /// Only those that were active then or later, in seconds since 1970.
    pub since: Option<f64>,
    /// On how many threads they are read.
    pub threads: NonZeroUsize,
}

impl Default for ListOptions {
    /// All, the last active first, in full, times in the local zone, on one thread.
    fn default() -> Self {
        Self {
            zone: Zone::Local,
            detail: Detail::Full,
            tests: Tests::With,
            sort: Sort::Active,
            direction: Direction::Forward,
            limit: usize::MAX,
            since: None,
            threads: NonZeroUsize::MIN,
        }
    }
}

/// A conversation in a list.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Listed {
    /// What there is to know.
    pub meta: ConversationMeta,
    /// How many lines, or parts of lines, of its transcript cannot be read.
    pub unreadable: u64,
}

/// A list, and what could not be listed.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Listing {
    /// The conversations, in order.
    pub conversations: Vec<Listed>,
    /// How many there are besides, beyond the limit.
    pub more: usize,
    /// What was passed over, and why.
    pub skipped: Vec<SkippedEntry>,
}

impl LogsDir {
    /// Lists the conversations. Nothing in the directory is changed.
    ///
    /// With an index only what has changed is read, and the index learns it (see [`Index::save`]); the list
    /// is the same without.
    ///
    /// # Errors
    ///
    /// When the directory itself cannot be listed; a conversation that cannot be read is passed over.
    pub fn listing(&self, options: &ListOptions, mut index: Option<&mut Index>) -> Result<Listing, ListError> {
        let mut listing = Listing::default();
        let mut places = Vec::new();
        for place in self.places(options.tests)? {
            match place {
                Ok(place) => places.push(place),
                Err(skipped) => listing.skipped.push(skipped),
            }
        }
        if let (Tests::With, Some(index)) = (options.tests, &mut index) {
            let ids: HashSet<&str> = places.iter().map(|place| place.id.as_str()).collect();
            index.retain(|id| ids.contains(id));
        }
        if let Some(ranked) = self.ranked(&places, options, index.as_deref()) {
            listing.more = ranked.ordered.len().saturating_sub(options.limit);
            places = ranked.ordered.into_iter().take(options.limit).chain(ranked.odd).collect();
        }
        self.read_each(&places, options, index, &mut listing);
        if let Some(since) = options.since {
            listing.conversations.retain(|listed| listed.meta.active() >= since);
        }
        listing.conversations.sort_by(|a, b| options.compare(&a.meta, &b.meta));
        listing.more = listing.more.saturating_add(listing.conversations.len().saturating_sub(options.limit));
        listing.conversations.truncate(options.limit);
        Ok(listing)
    }

    /// Reads the conversations on several threads, and lets the index learn.
    fn read_each(&self, places: &[Place], options: &ListOptions, mut index: Option<&mut Index>, listing: &mut Listing) {
        let known = index.as_deref().map(Index::entries);
        let mut learned = Vec::new();
        let visit = Visit::new(self, options, known);
        let _ = in_order(
            options.threads,
            places.chunks(TOGETHER),
            |buffer, places, sink| {
                let _ = sink.send(places.iter().map(|place| visit.read(place, buffer)).collect::<Vec<_>>());
            },
            |visited| {
                for visited in visited {
                    match visited {
                        Ok(Some(visited)) => {
                            learned.extend(visited.learned);
                            listing.conversations.push(visited.listed);
                        }
                        Ok(None) => {}
                        Err(skipped) => listing.skipped.push(skipped),
                    }
                }
                ControlFlow::Continue(())
            },
        );
        if let Some(index) = index.as_mut() {
            index.learn(learned);
        }
    }
}

impl ListOptions {
    fn compare(&self, a: &ConversationMeta, b: &ConversationMeta) -> Ordering {
        let order = match self.sort {
            Sort::Active => b.active().total_cmp(&a.active()),
            Sort::Modified => b.modified.total_cmp(&a.modified),
            Sort::Created => b.created.total_cmp(&a.created),
            Sort::Messages => b.messages.cmp(&a.messages),
            Sort::Cost => b.total_cost.total_cmp(&a.total_cost),
            Sort::Name => a.name.cmp(&b.name),
        };
        self.directed(order).then_with(|| a.id.cmp(&b.id))
    }

    fn directed(&self, order: Ordering) -> Ordering {
        match self.direction {
            Direction::Forward => order,
            Direction::Reverse => order.reverse(),
        }
    }
}
