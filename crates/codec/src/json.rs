//! JSON text, both ways: [`parse`] takes what Python's `json` takes, [`write`] writes what it writes.

mod parse;
pub(crate) mod scan;
mod write;

pub use parse::{MAX_DEPTH, Oddities, Parsed, Syntax, SyntaxError, parse};
pub(crate) use write::can_be_said;
pub use write::{Style, write_object, write_string, write_value};
