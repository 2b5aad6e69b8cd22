//! An edited text beside the log it was made from: [`read_edited`].

use convlog_message::{Log, Timestamp};

use super::error::ReadError;
use super::read;
use crate::keep_unedited;

/// Reads an edited text; each message that is still as it was is given as the original value, with the bytes
/// it was read from. Blocks that are gone are gone, and the order is that of the text.
///
/// A block that stands twice gives the original twice.
///
/// # Errors
///
/// As [`read_log`](super::read_log).
///
/// ```
/// use convlog_codec::{jsonl, toml};
/// use convlog_message::Timestamp;
///
/// let file = br#"{"role":"user","content":"odd \ud83d","timestamp":"2026-01-02T03:04:05"}"#;
/// let log = jsonl::read(file, &Timestamp::now()).log;
/// let back = toml::read_edited(&log, &toml::write_log(&log), &Timestamp::now())?;
/// assert_eq!(back.first().and_then(|m| m.source()), Some(&file[..]));
/// # Ok::<(), toml::ReadError>(())
/// ```
pub fn read_edited(original: &Log, text: &str, missing_time: &Timestamp) -> Result<Log, ReadError> {
    Ok(keep_unedited(original, read::read(text, missing_time)?))
}
