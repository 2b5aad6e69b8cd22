#![doc = include_str!("../README.md")]

#[cfg(feature = "proptest")]
pub mod arbitrary;
mod file_ref;
pub mod json;
mod log;
mod message;
mod metadata;
mod parts;
mod role;
mod timestamp;

pub use file_ref::FileRef;
pub use log::{Log, LogIter};
pub use message::{ConcatError, Message};
pub use metadata::{Metadata, Timings, Usage};
pub use parts::MessageParts;
pub use role::{OtherRole, Role};
pub use timestamp::{ParseTimestampError, Timestamp, Zone};
