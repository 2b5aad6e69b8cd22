//! Physical redo: lines of the event log put in their place in the transcript.

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_eventlog::{Event, EventKind, Place};
use convlog_fs::FileId;

/// Puts each line that the events name for this file in its place, where a torn beginning of it, NUL bytes
/// or nothing stands. Anything else there ends the redo. Returns how many lines were put.
pub(super) fn redo(bytes: &mut Vec<u8>, file: &str, id: FileId, events: &[Event]) -> u64 {
    let mut put = 0_u64;
    for event in events {
        let Some(stamp) = &event.convlog else { continue };
        let lines = lines_of(&event.kind);
        let mut rest = lines.as_slice();
        for place in stamp.places.iter().filter(|place| &*place.file == file && place.id == id) {
            match put_at(bytes, place, &mut rest) {
                Placed::Stands => {}
                Placed::Put => put = put.saturating_add(1),
                Placed::Blocked => return put,
            }
        }
    }
    put
}

enum Placed {
    /// It was there.
    Stands,
    /// It is there now.
    Put,
    /// Something else is there.
    Blocked,
}

/// The lines of the messages that an event brings.
fn lines_of(kind: &EventKind) -> Vec<u8> {
    let mut lines = Vec::new();
    match kind {
        EventKind::Append(message) => write_line(message, Style::Gptme, &mut lines),
        EventKind::Checkpoint(log) => log.iter().for_each(|message| write_line(message, Style::Gptme, &mut lines)),
        _ => {}
    }
    lines
}

/// Puts the next of the lines at a place. A place may have one byte more: the newline that was supplied
/// before the line.
fn put_at(bytes: &mut Vec<u8>, place: &Place, lines: &mut &[u8]) -> Placed {
    let (Ok(start), Ok(end)) = (usize::try_from(place.range.start), usize::try_from(place.range.end)) else {
        return Placed::Blocked;
    };
    let Some(length) = end.checked_sub(start) else { return Placed::Blocked };
    let guarded = length == lines.len().saturating_add(1);
    let taken = if guarded { lines.len() } else { length };
    let Some((own, rest)) = lines.split_at_checked(taken) else { return Placed::Blocked };
    *lines = rest;
    let guard: &[u8] = if guarded { b"\n" } else { b"" };
    let expected: Vec<u8> = [guard, own].concat();
    let Some(standing) = bytes.get(start..end.min(bytes.len())) else { return Placed::Blocked };
    if standing == expected {
        return Placed::Stands;
    }
    // A torn beginning, or blocks that never reached the disk: each byte is the right one or zero.
    if !standing.iter().zip(&expected).all(|(stands, right)| stands == right || *stands == 0) {
        return Placed::Blocked;
    }
    let tail = bytes.get(end..).map(<[u8]>::to_vec).unwrap_or_default();
    bytes.truncate(start);
    bytes.extend_from_slice(&expected);
    bytes.extend_from_slice(&tail);
    Placed::Put
}
