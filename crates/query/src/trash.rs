//! Conversations put aside that can still be put back: the trash of a logs directory.

use std::path::{Path, PathBuf};

use convlog_fs::{AppendError, Kind, Missing, Open, append_whole, create_dirs_durable};
use convlog_message::Timestamp;
use convlog_store::{ConversationId, Hold, remove_tree};
use serde_json::json;
use thiserror::Error;

use crate::delete::size;
use crate::{DeleteError, Deleted, Deletion, LogsDir};

/// Where they lie, within the logs; gptme does not look there.
const TRASH: &str = ".convlog-trash";
/// What came and went, one JSON object a line.
const LOG: &str = "log.jsonl";

/// A conversation in the trash.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Trashed {
    /// Its name there: the id it had, and a number behind it where that was taken.
    pub id: ConversationId,
    /// Bytes in files, each name counted.
    pub bytes: u64,
    /// Files, links among them.
    pub files: u64,
}

/// Something in the trash could not be moved or removed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrashError {
    /// It is not in the trash.
    #[error("there is no {id} in the trash ({})", path.display())]
    NotThere {
        /// What was asked for.
        id: ConversationId,
        /// The trash.
        path: PathBuf,
    },
    /// There is a conversation of that name.
    #[error("{} is there already; rename or move that one first", path.display())]
    Exists {
        /// Where it would be put back.
        path: PathBuf,
    },
    /// The file system refused.
    #[error(transparent)]
    Io(#[from] convlog_fs::Error),
}

impl LogsDir {
    /// Moves a conversation to the trash, and notes that in the trash's `log.jsonl`. Of a conversation that is a link,
    /// only the link is removed, as by [`delete`](Self::delete).
    ///
    /// Refused while a session is open. The conversation is out of all lists at one moment, and durably so when this
    /// returns; [`put_back`](Self::put_back) brings it back whole.
    ///
    /// # Errors
    ///
    /// When there is no such conversation, it is in use, or the file system refuses.
    pub fn discard(&self, id: &ConversationId, deletion: Deletion, now: &Timestamp) -> Result<Deleted, DeleteError> {
        let fs = &**self.fs();
        let home = self.path().join(id.as_str());
        let looked = self.delete(id, Deletion::DryRun)?;
        if deletion == Deletion::DryRun {
            return Ok(looked);
        }
        if looked.link_to.is_some() {
            return self.delete(id, deletion);
        }
        let hold = Hold::take(fs, &home)?;
        let trash = self.trash_dir();
        let _ = create_dirs_durable(fs, &trash)?;
        let to = (1_u32..)
            .map(|number| if number == 1 { id.as_str().to_owned() } else { format!("{id}-{number}") })
            .map(|name| trash.join(name))
            .find(|path| fs.lstat(path).is_err())
            .unwrap_or_else(|| trash.join(id.as_str()));
        self.note("discarded", &to, now)?;
        fs.rename(&home, &to)?;
        // The new name first: after a loss of power it is in one place or the other.
        let _ = fs.sync_dir(&trash)?;
        let _ = fs.sync_dir(self.path())?;
        drop(hold);
        Ok(looked)
    }

    /// What lies in the trash, by name.
    ///
    /// # Errors
    ///
    /// When it cannot be listed; a missing one is empty.
    pub fn trash(&self) -> Result<Vec<Trashed>, convlog_fs::Error> {
        let fs = &**self.fs();
        let trash = self.trash_dir();
        let entries = match fs.list(&trash) {
            Ok(entries) => entries,
            Err(error) if error.is_not_found() => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut found = Vec::new();
        for entry in entries.into_iter().filter(|entry| entry.kind == Kind::Dir) {
            let Some(Ok(id)) = entry.name.to_str().map(str::parse) else { continue };
            let (bytes, files) = size(fs, &trash.join(&entry.name))?;
            found.push(Trashed { id, bytes, files });
        }
        Ok(found)
    }

    /// Moves a conversation out of the trash, under the name that it has there; durably so when this returns.
    ///
    /// # Errors
    ///
    /// When it is not there, its name is taken, or the file system refuses.
    pub fn put_back(&self, id: &ConversationId, now: &Timestamp) -> Result<(), TrashError> {
        let fs = &**self.fs();
        let (from, to) = (self.in_trash(id)?, self.path().join(id.as_str()));
        if fs.lstat(&to).is_ok() {
            return Err(TrashError::Exists { path: to });
        }
        self.note("put back", &from, now)?;
        fs.rename(&from, &to)?;
        let _ = fs.sync_dir(self.path())?;
        let _ = fs.sync_dir(&self.trash_dir())?;
        Ok(())
    }

    /// Removes a conversation in the trash for good.
    ///
    /// # Errors
    ///
    /// When it is not there, or the file system refuses; what is left of it is still in the trash.
    pub fn remove_trashed(&self, id: &ConversationId, now: &Timestamp) -> Result<(), TrashError> {
        let path = self.in_trash(id)?;
        self.note("removed", &path, now)?;
        remove_tree(&**self.fs(), &path)?;
        let _ = self.fs().sync_dir(&self.trash_dir())?;
        Ok(())
    }

    /// Where what was put aside lies.
    #[must_use]
    pub fn trash_dir(&self) -> PathBuf {
        self.path().join(TRASH)
    }

    fn in_trash(&self, id: &ConversationId) -> Result<PathBuf, TrashError> {
        let path = self.trash_dir().join(id.as_str());
        let is_there = self.fs().lstat(&path).is_ok_and(|stat| stat.kind == Kind::Dir);
        if is_there { Ok(path) } else { Err(TrashError::NotThere { id: id.clone(), path: self.trash_dir() }) }
    }

    /// Notes what is about to happen to a conversation in the trash.
    fn note(&self, action: &str, path: &Path, now: &Timestamp) -> Result<(), convlog_fs::Error> {
        let name = path.file_name().map(|name| name.to_string_lossy());
        let line = format!("{}\n", json!({"timestamp": now.to_string(), "action": action, "id": name}));
        let mut log = self.fs().open(&self.trash_dir().join(LOG), Open::Append(Missing::Create))?;
        append_whole(&mut *log, line.as_bytes()).map_err(AppendError::into_cause)?;
        log.sync_data()
    }
}
