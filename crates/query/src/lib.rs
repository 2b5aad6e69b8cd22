#![doc = include_str!("../README.md")]

mod agent;
mod logs_dir;
mod lookup;
mod meta;
mod preview;
mod totals;

pub use logs_dir::{Environment, ListError, LogsDir, SkippedEntry};
pub use lookup::LookupError;
pub use meta::ConversationMeta;
pub use preview::preview;
pub use totals::ModelUsage;
