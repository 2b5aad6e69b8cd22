//! Joining neighbours of one role: [`merge_neighbours`].

use std::collections::HashMap;

use convlog_message::Message;
use convlog_message::json::Value;

use crate::piece::{Kind, Piece, to_messages, to_pieces};

/// Between the texts of messages that are joined.
const SEPARATOR: &str = "\n\n";

/// The text of the message that divides the start prompt: what comes before it is the same in every session
/// and can be cached, what follows changes.
pub const CACHE_BOUNDARY: &str = "# System Prompt Cache Boundary

Static bootstrap content ends above. Session-volatile context starts below.

---";

/// Which neighbours are joined, as far as their time to live goes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lives {
    /// Only those that live equally long: nothing is settled yet.
    Alike,
    /// Any: what has expired is gone.
    Any,
}

/// Joins neighbours of one role into one message, with a blank line between their texts.
///
/// Strict providers refuse two messages of one role in a row. The result has the files and hashes of all,
/// each flag that any of them has, and time and metadata of the first
/// (see [`Message::concat`], which says the same of two). A lasting message stays lasting: the result is
/// ephemeral only when all its parts are, and then for the shortest time.
///
/// Some are left alone: results of tools (a message has room for one call id), the [`CACHE_BOUNDARY`],
/// messages of different prompt generations (metadata `prompt_generation`), and blocks in which a provider
/// has summed up what came before (metadata `anthropic_compaction_block`).
///
/// The cost is in proportion to the length of the text, however many messages are joined.
///
/// ```
/// use convlog_context::merge_neighbours;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |text| Message::new(Role::User, text, Timestamp::now());
/// let merged = merge_neighbours(vec![say("one"), say("two").with_ephemeral_ttl(Some(1)), say("three")]);
/// assert_eq!(merged.len(), 1);
/// assert_eq!(merged[0].content(), "one\n\ntwo\n\nthree");
/// assert_eq!(merged[0].ephemeral_ttl(), None);
/// ```
#[must_use]
pub fn merge_neighbours(messages: Vec<Message>) -> Vec<Message> {
    to_messages(merge(to_pieces(messages), Lives::Any))
}

pub(crate) fn merge(pieces: Vec<Piece>, lives: Lives) -> Vec<Piece> {
    let mut merged = Vec::with_capacity(pieces.len());
    let mut run: Vec<Piece> = Vec::new();
    for piece in pieces {
        if run.last().is_some_and(|last| !can_join(last, &piece, lives)) {
            merged.extend(join(&mut run));
        }
        run.push(piece);
    }
    merged.extend(join(&mut run));
    merged
}

/// Whether two neighbours become one. It is enough to ask the last of a run: what counts is equal in all.
pub(crate) fn can_join(a: &Piece, b: &Piece, lives: Lives) -> bool {
    a.kind == b.kind
        && a.kind != Kind::Result
        && (lives == Lives::Any || a.ttl == b.ttl)
        && a.message.role() == b.message.role()
        && stands_with_others(&a.message)
        && stands_with_others(&b.message)
        && a.message.metadata().prompt_generation() == b.message.metadata().prompt_generation()
}

fn stands_with_others(message: &Message) -> bool {
    message.call_id().is_none()
        && message.content() != CACHE_BOUNDARY
        && !message.metadata().get("anthropic_compaction_block").is_some_and(is_truthy)
}

/// What Python's `bool` says.
fn is_truthy(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::Bool(true) => true,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(values) => !values.is_empty(),
        Value::Object(object) => !object.is_empty(),
    }
}

/// Makes one piece of a run, which is then empty.
fn join(run: &mut Vec<Piece>) -> Option<Piece> {
    if run.len() < 2 {
        return run.pop();
    }
    let rest = run.split_off(1);
    let first = run.pop()?;
    let all = || std::iter::once(&first).chain(&rest).map(|piece| &piece.message);
    let contents: Vec<&str> = all().map(Message::content).collect();
    let is_lasting = all().any(|message| message.ephemeral_ttl().is_none());
    let ttl = if is_lasting { None } else { all().filter_map(Message::ephemeral_ttl).min() };

    let mut parts = first.message.clone().into_parts();
    parts.content = contents.join(SEPARATOR).into();
    parts.files = all().flat_map(Message::files).cloned().collect();
    parts.file_hashes = united(all().flat_map(Message::file_hashes));
    parts.pinned = all().any(Message::pinned);
    parts.hide = all().any(Message::hide);
    parts.ui_only = all().any(Message::ui_only);
    parts.quiet = all().any(Message::quiet);
    parts.ephemeral_ttl = ttl;
    parts.source = None;
    let is_stable = first.is_stable && rest.iter().all(|piece| piece.is_stable);
    Some(Piece { is_stable, ..Piece::new(parts.into()) })
}

/// The hashes of all; of two for one file the last counts, at the place of the first.
fn united<'a>(hashes: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut united: Vec<(String, String)> = Vec::new();
    for (file, hash) in hashes {
        match places.get(file).and_then(|&at| united.get_mut(at)) {
            Some((_, old)) => hash.clone_into(old),
            None => {
                places.insert(file, united.len());
                united.push((file.to_owned(), hash.to_owned()));
            }
        }
    }
    united
}
