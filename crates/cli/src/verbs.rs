//! The verbs, one file each: its options, and what it does with them.

pub(crate) mod append;
pub(crate) mod codeblocks;
pub(crate) mod compact;
pub(crate) mod context;
pub(crate) mod edit;
pub(crate) mod events;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod list;
pub(crate) mod next;
pub(crate) mod recover;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod undo;
pub(crate) mod verify;
