//! Bookmarks: named message counts in `conv-checkpoints.jsonl`.

use convlog_codec::json::{Style, parse, write_value};
use convlog_fs::Error;
use convlog_message::Log;
use convlog_message::json::{Object, Value};

use crate::{Conversation, Transcript};

/// A named message count: what comes back when the conversation is rewound to it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bookmark {
    /// How many messages there were.
    pub index: usize,
    /// Its name; the newest of several with the same name counts.
    pub label: String,
    /// When it was made, as the file has it.
    pub timestamp: String,
    /// What convlog notes beside it: the log, and the message before it.
    pub(crate) place: Option<BookmarkPlace>,
}

/// Where a bookmark by convlog stands, so that a log that was rewound and grew again is not taken for the old one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BookmarkPlace {
    /// The log, as event logs name it.
    pub(crate) log: String,
    /// The BLAKE3 hash of role, a zero byte and content of the message before it; of nothing at the very beginning.
    pub(crate) before: String,
}

/// The bookmarks of a conversation, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bookmarks {
    /// Those that can be read.
    pub list: Vec<Bookmark>,
    /// The lines that are none, counted from 1; they are passed over.
    pub odd: Vec<u64>,
}

impl Bookmarks {
    /// The newest bookmark of a name.
    #[must_use]
    pub fn find(&self, label: &str) -> Option<&Bookmark> {
        self.list.iter().rev().find(|bookmark| bookmark.label == label)
    }

    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let mut bookmarks = Self::default();
        for (number, line) in (1_u64..).zip(bytes.split(|byte| *byte == b'\n')) {
            if line.trim_ascii().is_empty() {
                continue;
            }
            match Bookmark::parse(line) {
                Some(bookmark) => bookmarks.list.push(bookmark),
                None => bookmarks.odd.push(number),
            }
        }
        bookmarks
    }
}

impl Bookmark {
    fn parse(line: &[u8]) -> Option<Self> {
        let parsed = parse(line).ok().filter(|parsed| parsed.rest.trim_ascii().is_empty())?;
        let object = parsed.value.as_object()?;
        let text = |object: &Object, key| object.get(key)?.as_str().map(str::to_owned);
        let Value::Number(index) = object.get("index")? else { return None };
        let place = object
            .get("convlog")
            .and_then(Value::as_object)
            .and_then(|own| Some(BookmarkPlace { log: text(own, "log")?, before: text(own, "before")? }));
        Some(Self {
            index: usize::try_from(index.as_i64()?).ok()?,
            label: text(object, "label")?,
            timestamp: text(object, "timestamp")?,
            place,
        })
    }

    /// The line, as gptme writes it, with one member more, which gptme passes over.
    pub(crate) fn line(&self) -> Vec<u8> {
        let mut object = Object::new();
        object.insert("index", self.index as u64);
        object.insert("label", self.label.as_str());
        object.insert("timestamp", self.timestamp.as_str());
        if let Some(place) = &self.place {
            let mut own = Object::new();
            own.insert("log", place.log.as_str());
            own.insert("before", place.before.as_str());
            object.insert("convlog", Value::Object(own));
        }
        let mut line = Vec::new();
        write_value(&Value::Object(object), Style::Gptme, &mut line);
        line.push(b'\n');
        line
    }

    /// Whether the messages before it are those of then, as far as it tells.
    pub(crate) fn fits(&self, name: &str, log: &Log) -> bool {
        self.index <= log.len()
            && self.place.as_ref().is_none_or(|place| place.log == name && place.before == hash_before(log, self.index))
    }
}

/// The hash of the message before an index: of its role, a zero byte, and its content.
pub(crate) fn hash_before(log: &Log, index: usize) -> String {
    let mut hasher = blake3::Hasher::new();
    if let Some(message) = index.checked_sub(1).and_then(|before| log.get(before)) {
        hasher.update(message.role().as_str().as_bytes()).update(b"\0").update(message.content().as_bytes());
    }
    hasher.finalize().to_hex().to_string()
}

impl Conversation {
    /// The bookmarks.
    ///
    /// # Errors
    ///
    /// When the file cannot be read; a missing one has none.
    pub fn bookmarks(&self) -> Result<Bookmarks, Error> {
        match convlog_fs::read_all(self.file_system(), &self.layout().bookmarks()) {
            Ok(bytes) => Ok(Bookmarks::parse(&bytes)),
            Err(error) if error.is_not_found() => Ok(Bookmarks::default()),
            Err(error) => Err(error),
        }
    }

    /// Whether a bookmark still stands for the messages that it was set on; one by another program, which notes
    /// only their number, does while there are so many.
    #[must_use]
    pub fn is_current(&self, bookmark: &Bookmark, which: &Transcript, log: &Log) -> bool {
        bookmark.fits(&self.layout().relative(which), log)
    }
}
