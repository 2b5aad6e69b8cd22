//! An edited text beside the log it was made from: [`read_edited`].

use std::collections::{HashMap, VecDeque};

use convlog_message::{Log, Message, Timestamp};

use super::error::ReadError;
use super::read;

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
    let messages = read::read(text, missing_time)?;
    let mut known: HashMap<(Message, Option<String>), VecDeque<&Message>> = HashMap::with_capacity(original.len());
    for message in original {
        known.entry(key(message)).or_default().push_back(message);
    }
    let as_it_was = |message: Message| {
        let Some(candidates) = known.get_mut(&key(&message)) else { return message };
        let Some(at) = candidates.iter().position(|candidate| candidate.is_stored_alike(&message)) else {
            return message;
        };
        // To the end, so that the next of the same kind gets the next original.
        let Some(found) = candidates.remove(at) else { return message };
        candidates.push_back(found);
        found.clone()
    };
    Ok(messages.into_iter().map(as_it_was).collect())
}

/// What a message is found by: role, content and recorded time (so that many messages of one text do not make
/// the search long).
fn key(message: &Message) -> (Message, Option<String>) {
    let time = message.has_recorded_timestamp().then(|| message.timestamp().to_string());
    (message.clone(), time)
}
