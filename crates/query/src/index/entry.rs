//! What the index knows of one conversation: [`Entry`].

use std::io::{BufReader, Seek as _, SeekFrom};
use std::time::SystemTime;

use convlog_codec::jsonl::{Position, Skimmer};
use convlog_fs::{File, read_full_at};
use convlog_store::{Conversation, ReadError, Transcript};
use serde::{Deserialize, Serialize};

use super::key::{FileKey, Keys};
use crate::record::{self, Record, Scanned};

/// How much before the old end of a transcript must be as it was.
const SEEN: usize = 4 << 10;
/// How much of what is new is read at a time.
const BUFFER: usize = 64 << 10;

/// What the index knows of one conversation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    pub(crate) keys: Keys,
    pub(crate) record: Record,
    /// How far the transcript was read, when it ended in a newline, and the hash of what stands before that.
    end: Option<End>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct End {
    offset: u64,
    lines: u64,
    seen: [u8; 32],
}

impl Entry {
    /// An entry for a transcript that was read; `None` when it cannot be looked at again.
    pub(crate) fn new(
        conversation: &Conversation,
        keys: Keys,
        position: Option<Position>,
        record: Record,
    ) -> Option<Self> {
        let end = match position {
            Some(Position { offset, lines }) => {
                let file = conversation.open_file(&Transcript::Main).ok()?;
                Some(End { offset, lines, seen: hash_before(&*file, offset).ok()? })
            }
            None => None,
        };
        Some(Self { keys, record, end })
    }

    /// Reads what was appended since; `None` when the transcript is not what it was with something appended.
    pub(crate) fn go_on(&self, conversation: &Conversation) -> Result<Option<Scanned>, ReadError> {
        let Some(End { offset, lines, seen }) = self.end else { return Ok(None) };
        let mut file = conversation.open_file(&Transcript::Main)?;
        let stat = file.stat()?;
        if !self.keys.transcript.may_have_grown_to(&FileKey::of(&stat)) || hash_before(&*file, offset)? != seen {
            return Ok(None);
        }
        let stream = |source| ReadError::Stream { path: conversation.layout().transcript(&Transcript::Main), source };
        file.seek(SeekFrom::Start(offset)).map_err(stream)?;
        let fallback = SystemTime::from(stat.mtime).into();
        let at = Position { offset, lines };
        let mut skimmer = Skimmer::resume(BufReader::with_capacity(BUFFER, file), fallback, at);
        let mut scanned = record::go_on(conversation, self.record.summary.clone(), stat, &mut skimmer, drop)?;
        scanned.summary.look_up_spoken(&**skimmer.input().get_ref())?;
        Ok(Some(scanned))
    }
}

/// The hash of what stands before a place in a file, as far as it must not change.
fn hash_before(file: &dyn File, offset: u64) -> Result<[u8; 32], convlog_fs::Error> {
    let start = offset.saturating_sub(SEEN as u64);
    let length = usize::try_from(offset.saturating_sub(start)).unwrap_or(SEEN);
    let mut bytes = [0; SEEN];
    let bytes = bytes.get_mut(..length).unwrap_or_default();
    let read = read_full_at(file, bytes, start)?;
    Ok(*blake3::hash(bytes.get(..read).unwrap_or_default()).as_bytes())
}
