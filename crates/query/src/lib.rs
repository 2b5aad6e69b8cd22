#![doc = include_str!("../README.md")]

mod agent;
mod clean;
mod delete;
mod follow;
mod in_order;
mod index;
mod is_test;
mod list;
mod logs_dir;
mod lookup;
mod meta;
mod preview;
mod record;
mod rename;
mod search;
mod stats;
mod summary;
mod totals;
mod trash;

pub use clean::{CleanOptions, Cleanable};
pub use delete::{DeleteError, Deleted, Deletion};
pub use follow::{Followed, Follower};
pub use index::{Index, IndexError};
pub use is_test::is_test;
pub use list::{Detail, Direction, ListOptions, Listed, Listing, Sort, Tests};
pub use logs_dir::{Environment, ListError, LogsDir, SkippedEntry};
pub use lookup::LookupError;
pub use meta::ConversationMeta;
pub use preview::preview;
pub use rename::RenameError;
pub use search::{Case, Depth, Found, Hit, Query, QueryError, SearchOptions, SnippetLine, Speakers};
pub use stats::{BadNumber, DayTally, ModelTally, Stats, StatsOptions, ToolCalls, ToolTally};
pub use totals::ModelUsage;
pub use trash::{TrashError, Trashed};
