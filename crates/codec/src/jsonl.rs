//! Transcripts: one message a line, read with a report, written byte for byte as gptme does.
//!
//! - [`read`] reads a whole transcript that is in memory, [`Reader`] a stream in constant memory,
//!   [`TailReader`] a file from its end.
//! - [`Skimmer`] reads what a list needs, many times faster, and whole messages only where a line is odd.
//! - [`MessageReader`] reads single messages that stand within something else.
//! - [`write_message`] writes a message as a line.

mod canonical;
mod decode;
mod encode;
mod fields;
mod lines;
mod reader;
mod single;
mod skim;
mod skimmer;
mod tail;

pub use encode::{write_line, write_message};
pub use reader::{Entry, Reader, Reading, read, read_from};
pub use single::{MessageReader, NoMessage, ReadMessage};
pub use skim::{Figures, Skim};
pub use skimmer::{Position, Skimmed, Skimmer};
pub use tail::TailReader;
