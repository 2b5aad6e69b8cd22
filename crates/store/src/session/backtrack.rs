//! Bookmarks set, and the log rewound to one.

use convlog_fs::{Missing, Open, append_whole, ends_in_newline};
use convlog_message::{Message, Role};

use super::journal::Part;
use super::rewrite::Change;
use super::{BacktrackError, MarkError, Session};
use crate::bookmark::{BookmarkPlace, Bookmarks, hash_before};
use crate::{Bookmark, BranchName};

/// Where to rewind to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewind {
    /// The newest bookmark of this name.
    To(String),
    /// So many messages.
    Index(usize),
}

impl std::str::FromStr for Rewind {
    type Err = std::convert::Infallible;

    /// What consists of the digits 0 to 9 is a number of messages, anything else a name, as gptme has it.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        Ok(match text.parse() {
            Ok(index) if is_number => Self::Index(index),
            _ if is_number => Self::Index(usize::MAX),
            _ => Self::To(text.to_owned()),
        })
    }
}

/// What a rewinding did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backtracked {
    /// How many messages were removed.
    pub removed: usize,
    /// How many of those from before are there now, the note about the rewinding not counted.
    pub index: usize,
    /// The branch that keeps what was there before; `None` when there was nothing to remove.
    pub backup: Option<BranchName>,
}

impl Session {
    /// Sets a bookmark behind the last message, under a name or else as `cp<n>`. Durable when this returns, and so is
    /// all that was appended before.
    ///
    /// # Errors
    ///
    /// When the name is empty, or a number, which could never be asked for; or the file cannot be written.
    pub fn mark(&mut self, label: Option<&str>) -> Result<Bookmark, MarkError> {
        let existing = self.bookmarks()?;
        let label = label.map_or_else(|| format!("cp{}", existing.list.len().saturating_add(1)), str::to_owned);
        if label.trim().is_empty() || label.bytes().all(|b| b.is_ascii_digit()) {
            return Err(MarkError::Label { label });
        }
        self.sync()?;
        let active = self.journal.active();
        let index = active.log.len();
        let place = BookmarkPlace { log: active.name.to_string(), before: hash_before(&active.log, index) };
        let timestamp = self.options.clock.now().isoformat();
        let bookmark = Bookmark { index, label, timestamp, place: Some(place) };
        let path = self.layout.bookmarks();
        let mut file = self.fs.open(&path, Open::Append(Missing::Create))?;
        let is_whole = file.stat()?.len == 0 || ends_in_newline(&*file)?;
        let line = [if is_whole { b"".as_slice() } else { b"\n" }, &bookmark.line()].concat();
        append_whole(&mut *file, &line).map_err(|error| {
            let cause = error.cause();
            convlog_fs::Error::new(cause.operation, &path, cause.kind().into())
        })?;
        file.sync_all()?;
        let _ = self.fs.sync_dir(self.layout.home())?;
        Ok(bookmark)
    }

    /// Goes back to a bookmark or a number of messages: an edit, of which a hidden system message tells the model,
    /// with the reason where one is given. Going back to where the log is does nothing.
    ///
    /// # Errors
    ///
    /// When there is no such bookmark, or it is stale: there are fewer messages now, or others stand before it.
    pub fn backtrack(&mut self, to: &Rewind, reason: Option<&str>) -> Result<Backtracked, BacktrackError> {
        let there = self.log().len();
        let (index, name) = match to {
            Rewind::Index(index) if *index > there => return Err(BacktrackError::Beyond { index: *index, there }),
            Rewind::Index(index) => (*index, None),
            Rewind::To(label) => {
                let bookmarks = self.bookmarks()?;
                let unknown = || BacktrackError::Unknown { label: label.clone() };
                let bookmark = bookmarks.find(label).ok_or_else(unknown)?;
                if !bookmark.fits(&self.journal.active().name, self.log()) {
                    return Err(BacktrackError::Stale { label: label.clone(), index: bookmark.index, there });
                }
                (bookmark.index, Some(label))
            }
        };
        let removed = there.saturating_sub(index);
        if removed == 0 {
            return Ok(Backtracked { removed, index, backup: None });
        }
        let of = name.map(|label| format!(" (checkpoint: '{label}')")).unwrap_or_default();
        let mut note = format!("[Backtracked {removed} message(s) to index {index}{of}]");
        if let Some(reason) = reason.map(str::trim).filter(|reason| !reason.is_empty()) {
            note.push('\n');
            note.push_str(reason);
        }
        let note = Message::new(Role::System, note, self.now()).with_hide(true);
        let log = self.log().truncate(index).append(note);
        let backup = self.rewrite(Part::Active, log, &Change::Edit)?;
        Ok(Backtracked { removed, index, backup: Some(backup) })
    }

    fn bookmarks(&self) -> Result<Bookmarks, convlog_fs::Error> {
        match convlog_fs::read_all(&*self.fs, &self.layout.bookmarks()) {
            Ok(bytes) => Ok(Bookmarks::parse(&bytes)),
            Err(error) if error.is_not_found() => Ok(Bookmarks::default()),
            Err(error) => Err(error),
        }
    }
}
