//! [`Stamp`]: the member `convlog` that ends each event of convlog's.

use std::io::Write as _;
use std::ops::Range;
use std::sync::Arc;

use convlog_codec::json::{Style, write_string};
use convlog_fs::{FileId, FileTime};

use crate::chain::{from_hex, hex};
use crate::scan::cursor::Cursor;
use crate::{FileFigures, Hash, Place};

/// What convlog wrote about an event of its own. How it is spelled is said in the [crate's](crate) page.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// Where the event's lines stand in the transcripts; empty when it names none.
    pub places: Vec<Place>,
    /// Of a checkpoint that took the place of a log: the hash over the last hash of that log and all raw
    /// bytes behind it.
    pub carries: Option<Hash>,
    /// The hash over the one before, all raw bytes since, and this line.
    pub hash: Hash,
}

/// The version of the stamp's form.
const VERSION: u64 = 1;

/// A stamp as it stands in a text.
pub(crate) struct Found {
    pub(crate) stamp: Stamp,
    /// Messages that are written as a stand-in: their index, and their own bytes.
    pub(crate) raw: Vec<(usize, Vec<u8>)>,
    /// The text behind the stamp is so many bytes shorter than behind the bytes that the hash covers.
    pub(crate) hash_length: usize,
}

/// The hash member, from its key's quote to its value's.
const HASH_LENGTH: usize = "\"hash\": \"\"".len().saturating_add(64);

impl Found {
    /// Reads a stamp, in the one spelling that it has; the text begins with its brace.
    pub(crate) fn take(cursor: &mut Cursor<'_>, files: &mut FileNames) -> Option<Self> {
        cursor.take("{\"v\": ")?;
        if cursor.number()? != VERSION {
            return None;
        }
        cursor.take(", ")?;
        let mut places = Vec::new();
        if cursor.has("\"lines\": ") {
            places = cursor.list(|cursor| take_place(cursor, files))?;
            cursor.take(", ")?;
        }
        let mut raw = Vec::new();
        if cursor.has("\"raw\": ") {
            raw = cursor.list(take_raw)?;
            cursor.take(", ")?;
        }
        let mut carries = None;
        if cursor.has("\"carries\": \"") {
            carries = Some(Hash::from_digits(cursor.bytes(64)?)?);
            cursor.take("\", ")?;
        }
        cursor.take("\"hash\": \"")?;
        let hash = Hash::from_digits(cursor.bytes(64)?)?;
        cursor.take("\"}")?;
        Some(Self { stamp: Stamp { places, carries, hash }, raw, hash_length: HASH_LENGTH })
    }

    /// The bytes of the hash member, where the text behind the stamp's brace begins at `end`.
    pub(crate) fn hash_span(&self, end: usize) -> Range<usize> {
        let end = end.saturating_sub("}".len());
        end.saturating_sub(self.hash_length)..end
    }
}

fn take_raw(cursor: &mut Cursor<'_>) -> Option<(usize, Vec<u8>)> {
    cursor.take("[")?;
    let index = usize::try_from(cursor.number()?).ok()?;
    cursor.take(", \"")?;
    let bytes = from_hex(cursor.plain_string()?.as_bytes())?;
    cursor.take("]")?;
    Some((index, bytes))
}

fn take_place(cursor: &mut Cursor<'_>, files: &mut FileNames) -> Option<Place> {
    cursor.take("[")?;
    let file = files.take(cursor)?;
    cursor.take(", ")?;
    let start = cursor.number()?;
    cursor.take(", ")?;
    let end = cursor.number()?;
    cursor.take(", ")?;
    let id = take_id(cursor)?;
    cursor.take("]")?;
    Some(Place { file, id, range: start..end })
}

fn take_id(cursor: &mut Cursor<'_>) -> Option<FileId> {
    let dev = cursor.number()?;
    cursor.take(", ")?;
    let ino = cursor.number()?;
    let birth = if cursor.has(", ") { Some(take_time(cursor)?) } else { None };
    Some(FileId { dev, ino, birth })
}

fn take_time(cursor: &mut Cursor<'_>) -> Option<FileTime> {
    let secs = cursor.signed()?;
    cursor.take(", ")?;
    let nanos = u32::try_from(cursor.number()?).ok()?;
    Some(FileTime { secs, nanos })
}

/// What a `convlog_close` says.
pub(crate) struct Closing {
    pub(crate) figures: Vec<FileFigures>,
    /// The number of the last checkpoint, 0 without one, and how many bytes the payloads since take.
    pub(crate) since: (u64, u64),
}

/// Reads the payload of a `convlog_close`.
pub(crate) fn take_closing(cursor: &mut Cursor<'_>, files: &mut FileNames) -> Option<Closing> {
    cursor.take("{\"files\": ")?;
    let figures = cursor.list(|cursor| {
        cursor.take("[")?;
        let file = files.take(cursor)?;
        cursor.take(", ")?;
        let len = cursor.number()?;
        cursor.take(", ")?;
        let mtime = take_time(cursor)?;
        cursor.take(", ")?;
        let ctime = take_time(cursor)?;
        cursor.take(", ")?;
        let messages = cursor.number()?;
        cursor.take(", ")?;
        let id = take_id(cursor)?;
        cursor.take("]")?;
        Some(FileFigures { file, id, len, mtime, ctime, messages })
    })?;
    cursor.take(", \"since\": [")?;
    let checkpoint = cursor.number()?;
    cursor.take(", ")?;
    let weight = cursor.number()?;
    cursor.take("]}")?;
    Some(Closing { figures, since: (checkpoint, weight) })
}

/// Names of files as they are read; one that comes again and again is kept once.
#[derive(Debug, Default)]
pub(crate) struct FileNames {
    last: Option<Arc<str>>,
}

impl FileNames {
    fn take(&mut self, cursor: &mut Cursor<'_>) -> Option<Arc<str>> {
        let value;
        let before = *cursor;
        let name = match cursor.take("\"").and_then(|()| cursor.plain_string()) {
            Some(name) => name,
            None => {
                *cursor = before;
                value = cursor.value()?;
                value.as_str()?
            }
        };
        if let Some(last) = self.last.as_ref().filter(|last| &***last == name) {
            return Some(Arc::clone(last));
        }
        let name: Arc<str> = name.into();
        self.last = Some(Arc::clone(&name));
        Some(name)
    }
}

/// Writes the stamp up to its hash member.
pub(crate) fn write_before_hash(places: &[Place], raw: &[(usize, Vec<u8>)], carries: Option<Hash>, out: &mut Vec<u8>) {
    out.extend_from_slice(b", \"convlog\": {\"v\": 1, ");
    if !places.is_empty() {
        out.extend_from_slice(b"\"lines\": [");
        for (index, place) in places.iter().enumerate() {
            out.extend_from_slice(if index == 0 { b"[" } else { b", [" });
            write_string(&place.file, Style::Gptme, out);
            write_number(place.range.start, out);
            write_number(place.range.end, out);
            write_id(place.id, out);
            out.push(b']');
        }
        out.extend_from_slice(b"], ");
    }
    if !raw.is_empty() {
        out.extend_from_slice(b"\"raw\": [");
        for (position, (index, bytes)) in raw.iter().enumerate() {
            out.extend_from_slice(if position == 0 { b"[" } else { b", [" });
            out.extend_from_slice(index.to_string().as_bytes());
            out.extend_from_slice(b", \"");
            bytes.iter().for_each(|byte| out.extend_from_slice(&hex(*byte)));
            out.extend_from_slice(b"\"]");
        }
        out.extend_from_slice(b"], ");
    }
    if let Some(carries) = carries {
        out.extend_from_slice(b"\"carries\": \"");
        out.extend_from_slice(&carries.digits());
        out.extend_from_slice(b"\", ");
    }
}

/// Writes the hash member.
pub(crate) fn write_hash(hash: Hash, out: &mut Vec<u8>) {
    out.extend_from_slice(b"\"hash\": \"");
    out.extend_from_slice(&hash.digits());
    out.push(b'"');
}

/// What follows the hash member of an event, newline included.
pub(crate) const AFTER_HASH: &[u8] = b"}}\n";

/// Writes the payload of a `convlog_close`.
pub(crate) fn write_closing(figures: &[FileFigures], since: (u64, u64), out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"files\": [");
    for (index, figures) in figures.iter().enumerate() {
        out.extend_from_slice(if index == 0 { b"[" } else { b", [" });
        write_string(&figures.file, Style::Gptme, out);
        write_number(figures.len, out);
        write_time(figures.mtime, out);
        write_time(figures.ctime, out);
        write_number(figures.messages, out);
        write_id(figures.id, out);
        out.push(b']');
    }
    let (checkpoint, weight) = since;
    // Writing to a Vec cannot fail.
    let _ = write!(out, "], \"since\": [{checkpoint}, {weight}]}}");
}

fn write_id(id: FileId, out: &mut Vec<u8>) {
    write_number(id.dev, out);
    write_number(id.ino, out);
    if let Some(birth) = id.birth {
        write_time(birth, out);
    }
}

fn write_time(time: FileTime, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    let _ = write!(out, ", {}, {}", time.secs, time.nanos);
}

fn write_number(number: u64, out: &mut Vec<u8>) {
    let _ = write!(out, ", {number}");
}
