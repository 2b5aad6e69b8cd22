//! File operations with a say in what survives: the real ones, and simulated ones that can lose
//! power.
#![doc = ""]
#![doc = include_str!("../README.md")]

#[cfg(not(unix))]
compile_error!("convlog-fs works on Unix only: it needs flock, hard links and directory syncs");

mod append;
mod create_dirs;
mod draft;
mod durability;
mod errno;
mod error;
mod file;
mod file_system;
mod link;
mod meter;
mod open;
mod operation;
mod patient;
mod read;
mod real;
mod replace;
mod replacement;
#[cfg(feature = "sim")]
pub mod sim;
mod stat;
mod target;
mod temporary;

pub use append::{AppendError, append_whole};
pub use create_dirs::{CreatedDirs, create_dirs_durable};
pub use durability::{DirSync, Durability};
pub use error::{Error, Result};
pub use file::{File, Locked};
pub use file_system::FileSystem;
pub use link::{LinkKind, Linked, copy_durable, hard_link_or_copy};
pub use meter::{Counts, Metered};
pub use open::{DIR_MODE, FILE_MODE, Missing, Open};
pub use operation::Operation;
pub use patient::{Patient, read_full_at};
pub use read::{ends_in_newline, read_all};
pub use real::RealFs;
pub use replace::{ReplaceError, create_durable, replace};
pub use replacement::{Committed, Prepared, ReplaceMode, Replaced, Replacement};
pub use stat::{DirEntry, FileId, FileTime, Kind, Stat};
pub use target::resolve_target;
pub use temporary::{is_temporary, remove_temporaries};
