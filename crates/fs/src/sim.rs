//! A file system in memory that can fail, be killed, and lose power.
//!
//! [`SimFs`] behaves as a POSIX file system does, for a user whom no mode stops. Beside the state
//! that programs see it keeps what of it is durable, and the changes since, in order. From that
//! it derives every disk that a power loss now could leave: [`SimFs::crash_states`].
//!
//! Waiting for a lock that the same thread took by another opening would last for ever, and is
//! `EDEADLK` here. Relative paths start at the root.
//!
//! # What is durable when
//!
//! The model grants only what POSIX and Linux promise, and so is meaner than any one disk:
//!
//! - A sync of a file makes its data and length durable, and [`sync_all`](crate::File::sync_all)
//!   (or a new length) also its mode and times. It does nothing for its name.
//! - A sync of a directory makes the names in it durable, and nothing of the data they lead to.
//!   A renamed file may come back with its new name and no content.
//! - Changes that are not synced may each be there or not: writes of one file by prefix, by
//!   block, in part, or as zeros; names in any subset. A rename is one change, also between two
//!   directories.
//! - After a sync that failed, the kernel counts the data as clean: a later sync that succeeds
//!   does not make it durable unless it was written again. Names are not lost so.
//! - A directory's own mode and times, and what a symbolic link says, are durable with its name.
//! - An inode number in use by two files at once, or a directory with two parents, marks a disk
//!   that no file system leaves; such combinations are left out and counted.
//!
//! ```
//! use convlog_fs::{FileSystem, Open, read_all, sim::{CrashPlan, SimFs}};
//! use std::{io::Write, path::Path};
//!
//! let fs = SimFs::new();
//! let mut file = fs.open(Path::new("/a"), Open::CREATE_NEW)?;
//! file.write(b"text").unwrap();
//! file.sync_data()?;
//! let crashes = fs.crash_states(&CrashPlan::default());
//! assert!(crashes.states.iter().any(|crash| crash.disk.stat(Path::new("/a")).is_err()));
//!
//! let _ = fs.sync_dir(Path::new("/"))?;
//! for crash in fs.crash_states(&CrashPlan::default()).states {
//!     assert_eq!(read_all(&crash.disk, Path::new("/a"))?, b"text");
//! }
//! # Ok::<(), convlog_fs::Error>(())
//! ```

mod calls;
mod content;
mod crash;
mod disk;
mod entry_change;
mod fault;
mod handle;
mod kernel;
mod names;
mod node;
mod op;
mod quirks;
mod ranges;
mod rng;
mod sim_file;
mod sim_fs;
mod tree;
mod walk;

pub use crash::{Crash, CrashPlan, CrashStates};
pub use fault::{Fault, Short, Times, When};
pub use kernel::Halted;
pub use op::{Op, Outcome};
pub use quirks::Quirks;
pub use sim_fs::{SimFs, Snapshot};
pub use tree::{Tree, TreeEntry};
