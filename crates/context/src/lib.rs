#![doc = include_str!("../README.md")]

mod api;
mod call;
mod changes;
mod cost;
mod evidence;
mod generation;
mod limit;
mod merge;
mod options;
mod pairs;
mod piece;
mod prepare;
mod prune;
mod reduce;
mod resume;
mod tokens;
mod turn;
mod unanswered;

pub use api::ModelMessage;
#[cfg(feature = "providers")]
pub use api::{Attachments, Image, anthropic, openai};
pub use call::{CallForm, ToolCall, tool_calls};
pub use changes::{CHANGING_TOOLS, changed_files};
pub use cost::{Prices, RecordedCost, recorded_cost};
pub use evidence::Recall;
pub use generation::active_generation;
pub use limit::limit;
pub use merge::{CACHE_BOUNDARY, merge_neighbours};
pub use options::{Enrich, Options};
pub use prepare::{LeftOut, Prepared, prepare};
pub use prune::{cache_boundary, prune_ephemeral};
pub use reduce::{BLOCK_TOOLS, reduce};
pub use resume::hoist_resume_prompts;
pub use tokens::{Estimate, TokenCounter, count_tokens};
#[cfg(feature = "tiktoken")]
pub use tokens::{Tiktoken, UnknownModel};
pub use turn::{InputReason, Turn, whose_turn};
pub use unanswered::{UnansweredCall, unanswered_calls};
