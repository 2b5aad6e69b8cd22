//! The verbs, one file each: its options, and what it does with them.

pub(crate) mod append;
pub(crate) mod clean;
pub(crate) mod codeblocks;
pub(crate) mod compact;
pub(crate) mod context;
pub(crate) mod delete;
pub(crate) mod edit;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod follow;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod next;
pub(crate) mod recover;
pub(crate) mod rename;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod undo;
pub(crate) mod verify;
