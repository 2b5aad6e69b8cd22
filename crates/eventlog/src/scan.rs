//! The reader of events: bytes in, events, oddities and links of the chain out.

pub(crate) mod cursor;
mod decoder;
mod line;
mod raw;

pub(crate) use decoder::{Link, Scan};
