//! Messages beside the log that they were made from: [`keep_unedited`].

use std::collections::{HashMap, VecDeque};

use convlog_message::{Log, Message};

/// Gives each message that is still as it was in the original log as the original value, with the bytes it was read
/// from; the others as they are. The order is that of the messages.
///
/// A message that stands twice is given twice.
///
/// ```
/// use convlog_codec::{jsonl, keep_unedited};
/// use convlog_message::Timestamp;
///
/// let file = br#"{"content": "hi",   "role": "user", "timestamp": "2026-01-02T03:04:05"}"#;
/// let rewritten = br#"{"role":"user","content":"hi","timestamp":"2026-01-02T03:04:05"}"#;
/// let [original, again] = [&file[..], rewritten].map(|bytes| jsonl::read(bytes, &Timestamp::now()).log);
/// let log = keep_unedited(&original, again.iter().cloned());
/// assert_eq!(log.first().and_then(|message| message.source()), Some(&file[..]));
/// ```
#[must_use]
pub fn keep_unedited(original: &Log, messages: impl IntoIterator<Item = Message>) -> Log {
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
    messages.into_iter().map(as_it_was).collect()
}

/// What a message is found by: role, content and recorded time (so that many messages of one text do not make
/// the search long).
fn key(message: &Message) -> (Message, Option<String>) {
    let time = message.has_recorded_timestamp().then(|| message.timestamp().to_string());
    (message.clone(), time)
}
