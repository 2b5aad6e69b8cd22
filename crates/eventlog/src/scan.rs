//! The reader of events: bytes in, events, oddities and links of the chain out.
//!
//! A log is cut into blocks of lines, which are decoded side by side and then joined.

mod canonical;
pub(crate) mod cursor;
mod line;
mod link;
mod list;
mod part;
mod raw;
mod side_by_side;
mod tolerant;
mod whole;

pub(crate) use link::Link;
pub(crate) use whole::Scan;
