#![doc = include_str!("../README.md")]

mod chain;
mod closed;
mod encode;
mod event;
mod fit;
mod log;
mod options;
mod place;
mod policy;
mod read;
mod reading;
mod replay;
mod report;
mod scan;
mod seq;
mod stamp;
mod verify;

pub use chain::Hash;
pub use closed::Closed;
pub use event::{ChainState, Event, EventKind, EventTime};
pub use log::{
    Append, Blocked, Change, CheckpointError, CompactError, Compacted, Conflict, CreateError, EventLog, SyncError,
    WriteError,
};
pub use options::{Clock, Options};
pub use place::{FileFigures, Place};
pub use policy::CheckpointPolicy;
pub use read::{read, read_closed};
pub use reading::{Reading, Resume};
pub use replay::{replay, replay_to_last_convlog};
pub use report::{Oddity, OddityKind, Report};
pub use seq::Seq;
pub use stamp::Stamp;
pub use verify::{Misfit, MisfitKind, Verification, verify};

/// The name of an event log in its directory.
pub const EVENTS_FILE: &str = "events.jsonl";

/// The name of the lock beside it; the file is never removed.
pub const LOCK_FILE: &str = ".events.jsonl.lock";
