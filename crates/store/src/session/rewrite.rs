//! Undo and edit: the transcript replaced as a whole, the old one kept in a backup branch.

use std::io::Write as _;

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_eventlog::{EventLog, Seq, WriteError};
use convlog_fs::{Durability, FileSystem, ReplaceMode, Replacement, create_dirs_durable, hard_link_or_copy};
use convlog_message::{Log, Message};

use super::backup::{Reason, next_name};
use super::transcript::TranscriptFile;
use super::{Refusal, RewriteError, Session};
use crate::{BranchName, quarantine};

/// What an undo did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undone {
    /// How many messages were removed; a command `/undo` at the end counts too.
    pub removed: usize,
    /// The branch that keeps what was there before; `None` when nothing was removed.
    pub backup: Option<BranchName>,
}

impl Session {
    /// Removes the last messages, as many as are asked for or as there are; and, before them, a command
    /// `/undo` at the very end, which is counted too. Removing 0 does nothing.
    ///
    /// Durable when this returns. What was there before is kept in a branch `<branch>-undo-<n>`.
    ///
    /// # Errors
    ///
    /// When it is not done; the error says whether a power loss could still undo what was done.
    pub fn undo(&mut self, count: usize) -> Result<Undone, RewriteError> {
        self.check_refusal()?;
        let command = self.log.last().is_some_and(is_undo_command);
        let wanted = if count == 0 { 0 } else { count.saturating_add(usize::from(command)) };
        let removed = wanted.min(self.log.len());
        if removed == 0 {
            return Ok(Undone { removed, backup: None });
        }
        let log = self.log.truncate(self.log.len().saturating_sub(removed));
        let backup = self.rewrite(log, Reason::Undo, |events| events.undo(removed as u64, Durability::Written))?;
        Ok(Undone { removed, backup: Some(backup) })
    }

    /// Replaces all messages by others, and returns the branch that keeps those from before.
    ///
    /// Durable when this returns. Messages that were read and are given back unchanged keep their bytes.
    ///
    /// # Errors
    ///
    /// As [`Self::undo`].
    pub fn edit(&mut self, log: Log) -> Result<BranchName, RewriteError> {
        self.check_refusal()?;
        let edited = log.clone();
        self.rewrite(log, Reason::Edit, |events| events.edit(&edited, Durability::Written))
    }

    /// New file, backup durable, event, rename, directory sync; acknowledged after that.
    fn rewrite(
        &mut self,
        log: Log,
        reason: Reason,
        record: impl FnOnce(&mut EventLog) -> Result<Seq, WriteError>,
    ) -> Result<BranchName, RewriteError> {
        let fs = std::sync::Arc::clone(&self.fs);
        if !self.lock.still_holds(&*fs)? {
            let path = self.lock.path().to_path_buf();
            return Err(self.refuse(Refusal::LockLost { path }).into());
        }
        self.check_transcript()?;
        let path = self.file.path().to_path_buf();
        self.wrote = true;
        quarantine::save(&*fs, &path, &self.unreadable)?;
        let mut replacement = Replacement::begin(&*fs, &path, ReplaceMode::Keep)?;
        replacement.write(|out| write_log(&log, out))?;
        let prepared = replacement.finish()?;
        let backup = self.back_up(&*fs, reason)?;
        record(&mut self.events).map_err(|error| self.rewrite_refused(error))?;
        let committed = match prepared.commit() {
            Ok(committed) => committed,
            Err(source) => {
                // The old messages stand; the event must not say otherwise.
                if self.events.take_back().is_err() {
                    self.refuse(Refusal::failed(convlog_fs::Error::new(
                        convlog_fs::Operation::Rename,
                        &path,
                        source.kind().into(),
                    )));
                }
                return Err(source.into());
            }
        };
        self.log = log;
        self.unreadable.clear();
        let settled = committed.sync_dir().and_then(|_| TranscriptFile::open(&*fs, &path));
        match settled {
            Ok(file) => self.file = file,
            Err(source) => {
                let told = convlog_fs::Error::new(source.operation, &path, source.kind().into());
                self.refuse(Refusal::failed(told));
                return Err(RewriteError::NotDurable { source });
            }
        }
        self.checkpoint_when_due();
        Ok(backup)
    }

    /// Keeps the transcript, as it is now, under a backup's name.
    fn back_up(&mut self, fs: &dyn FileSystem, reason: Reason) -> Result<BranchName, RewriteError> {
        let _ = create_dirs_durable(fs, &self.layout.branches())?;
        let (name, backup) = next_name(fs, &self.layout, &self.which, reason)?;
        let target = convlog_fs::resolve_target(fs, self.file.path())?;
        let _ = hard_link_or_copy(fs, &target, &backup)?;
        // A link changes the file's ctime, and nothing else.
        let before = *self.file.left();
        self.file.accept()?;
        let now = *self.file.left();
        if (before.id, before.len, before.mtime) != (now.id, now.len, now.mtime) {
            let changed = super::Changed { path: self.file.path().to_path_buf(), how: "was written to" };
            return Err(self.refuse(Refusal::Changed(changed)).into());
        }
        Ok(name)
    }

    fn rewrite_refused(&mut self, error: WriteError) -> RewriteError {
        let blocked = match error {
            WriteError::Blocked(blocked) => blocked,
            other => {
                let text = other.to_string();
                if !matches!(other, WriteError::NotWritten { .. } | WriteError::Unreadable { .. }) {
                    self.refuse(Refusal::failed(other));
                }
                return RewriteError::Events { source: text.into() };
            }
        };
        match self.blocked(blocked) {
            Ok(refusal) => refusal.into(),
            Err(blocked) => RewriteError::Events { source: Box::new(blocked) },
        }
    }
}

/// Writes the lines of a log.
pub(crate) fn write_log(log: &Log, out: &mut dyn std::io::Write) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::with_capacity(256 << 10, out);
    let mut line = Vec::new();
    for message in log {
        line.clear();
        write_line(message, Style::Gptme, &mut line);
        out.write_all(&line)?;
    }
    out.flush()
}

/// Whether a message is the command that asks for an undo.
fn is_undo_command(message: &Message) -> bool {
    message.content().split_whitespace().next() == Some("/undo") && message.content().starts_with("/undo")
}
