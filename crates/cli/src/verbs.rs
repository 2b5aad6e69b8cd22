//! The verbs, one file each: its options, and what it does with them.

pub(crate) mod list;
pub(crate) mod next;
pub(crate) mod show;
pub(crate) mod verify;
