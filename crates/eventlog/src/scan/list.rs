//! A long list of messages, as a checkpoint has it, decoded side by side.

use convlog_codec::jsonl::{MessageReader, ReadMessage};
use convlog_message::{Message, Timestamp};
use memchr::memmem;

use super::cursor::Cursor;
use super::side_by_side::side_by_side;
use crate::report::OddityKind;

/// From this many bytes of event on, a list is cut into pieces.
const LONG: usize = 512 << 10;
/// How long a piece is at least.
const PIECE: usize = 128 << 10;
/// What stands between two messages; no JSON string can hold it, as its quotes would be escaped.
const SEAM: &[u8] = b"}, {\"role\": \"";

/// The messages of a list.
#[derive(Default)]
pub(super) struct List {
    pub(super) messages: Vec<Message>,
    /// What was odd about them.
    pub(super) problems: Vec<OddityKind>,
}

/// Takes a list in the spelling of convlog and gptme.
pub(super) fn take_list(cursor: &mut Cursor<'_>, reader: &mut MessageReader, fallback: &Timestamp) -> Option<List> {
    cursor.take("[")?;
    if cursor.has("]") {
        return Some(List::default());
    }
    let text = cursor.rest;
    let taken = long_list(text, fallback).or_else(|| piece(text, reader));
    let (list, length) = taken?;
    cursor.bytes(length)?;
    cursor.take("]")?;
    Some(list)
}

/// Decodes a long list in pieces; `None` where it is short, or a piece does not end where the next begins,
/// as with a seam inside of some metadata.
fn long_list(text: &[u8], fallback: &Timestamp) -> Option<(List, usize)> {
    if text.len() < LONG {
        return None;
    }
    let mut starts = vec![0_usize];
    while let Some(from) = starts.last().and_then(|last| last.checked_add(PIECE)) {
        let Some(seam) = text.get(from..).and_then(|rest| memmem::find(rest, SEAM)) else { break };
        starts.push(from.checked_add(seam)?.checked_add("}, ".len())?);
    }
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([text.len()]).collect();
    let pieces = side_by_side(starts.len(), |index| {
        let (start, end) = (*starts.get(index)?, *ends.get(index)?);
        let mut reader = MessageReader::new(fallback.clone());
        let (list, length) = piece(text.get(start..end)?, &mut reader)?;
        Some((list, start.checked_add(length)?))
    });
    let mut all = List::default();
    let mut end = 0_usize;
    for (piece, start) in pieces.into_iter().zip(&starts) {
        let (list, piece_end) = piece?;
        if *start > 0 && *start != end.checked_add(", ".len())? {
            return None;
        }
        let before = all.messages.len();
        all.messages.extend(list.messages);
        all.problems.extend(list.problems.into_iter().map(|problem| problem.moved(before)));
        end = piece_end;
    }
    Some((all, end))
}

/// Decodes messages from the start of a text until it ends or no other follows. Gives how many bytes they take.
///
/// The text should end where the piece does: a reader makes room for as much as it could have to decode.
fn piece(text: &[u8], reader: &mut MessageReader) -> Option<(List, usize)> {
    let mut list = List::default();
    let mut cursor = Cursor::new(text);
    loop {
        let index = list.messages.len();
        let ReadMessage { message, rest, problems, .. } = reader.read(cursor.rest).ok()?;
        list.messages.push(message);
        list.problems.extend(problems.into_iter().map(|problem| OddityKind::OddMessage { index, problem }));
        cursor.rest = rest;
        let end = text.len().checked_sub(rest.len())?;
        if !cursor.has(", ") || cursor.rest.is_empty() {
            return Some((list, end));
        }
    }
}
