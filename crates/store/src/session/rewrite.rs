//! Undo and edit: the transcript replaced as a whole, the old one kept in a backup branch.

use std::io::Write as _;
use std::sync::Arc;

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_eventlog::{Seq, WriteError};
use convlog_fs::{Durability, FileSystem, ReplaceMode, Replacement, create_dirs_durable, hard_link_or_copy};
use convlog_message::json::Value;
use convlog_message::{Log, Message};

use super::backup::{self, Reason, next_name};
use super::journal::{Journal, Part};
use super::transcript::TranscriptFile;
use super::{Refusal, RestoreError, RewriteError, Session, view};
use crate::attachment::Capture;
use crate::{BranchName, Conversation, Transcript, Uncaptured, quarantine};

/// What an undo did.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undone {
    /// How many messages were removed; a command `/undo` at the end counts too.
    pub removed: usize,
    /// The branch that keeps what was there before, maybe with more behind it; `None` when nothing was removed.
    pub backup: Option<BranchName>,
}

/// What an edit did.
#[derive(Debug)]
#[non_exhaustive]
pub struct Edited {
    /// The branch that keeps what was there before.
    pub backup: BranchName,
    /// The files of new messages whose content could not be stored.
    pub uncaptured: Vec<Uncaptured>,
}

/// What happens to a transcript as a whole.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    /// So many messages are removed from the end.
    Undo(u64),
    /// The messages are replaced by others.
    Edit,
}

impl Change {
    const fn reason(self) -> Reason {
        match self {
            Self::Undo(_) => Reason::Undo,
            Self::Edit => Reason::Edit,
        }
    }

    /// What the event says when it happens to a view.
    fn on_view(self, which: &Transcript, log: &Log) -> Value {
        let mut object = match self {
            Self::Undo(_) => view::event("undo", which),
            Self::Edit => view::event("edit", which),
        };
        if let Self::Undo(removed) = self {
            object.insert("n", removed);
        }
        object.insert("messages", log.len() as u64);
        Value::Object(object)
    }
}

impl Session {
    /// Removes the last messages, as many as are asked for or as there are; and, before them, a command
    /// `/undo` at the very end, which is counted too. Removing 0 does nothing.
    ///
    /// Acts on the view where one is active; main stays whole then. Durable when this returns. What was there before
    /// is kept in a branch `<log>-undo-<n>`, unless the newest of these begins with all of it.
    ///
    /// # Errors
    ///
    /// When it is not done; the error says whether a power loss could still undo what was done.
    pub fn undo(&mut self, count: usize) -> Result<Undone, RewriteError> {
        self.check_refusal()?;
        let log = self.log();
        let command = log.last().is_some_and(is_undo_command);
        let wanted = if count == 0 { 0 } else { count.saturating_add(usize::from(command)) };
        let removed = wanted.min(log.len());
        if removed == 0 {
            return Ok(Undone { removed, backup: None });
        }
        let log = log.truncate(log.len().saturating_sub(removed));
        let backup = self.rewrite(Part::Active, log, &Change::Undo(removed as u64))?;
        Ok(Undone { removed, backup: Some(backup) })
    }

    /// Replaces all messages by others, and returns the branch that keeps those from before.
    ///
    /// Acts on the view where one is active. Durable when this returns. Messages that were read and are given back
    /// unchanged keep their bytes; the files of others are stored, as for an append.
    ///
    /// # Errors
    ///
    /// As [`Self::undo`].
    pub fn edit(&mut self, log: Log) -> Result<Edited, RewriteError> {
        self.check_refusal()?;
        let (log, uncaptured) = self.capture_edited(log)?;
        let backup = self.rewrite(Part::Active, log, &Change::Edit)?;
        Ok(Edited { backup, uncaptured })
    }

    /// Makes main (or the branch that the session is on) hold what another branch holds: an edit, which can be
    /// undone. A view that is active stays as it is.
    ///
    /// # Errors
    ///
    /// When the branch cannot be read; and as [`Self::undo`].
    pub fn restore(&mut self, branch: &BranchName) -> Result<BranchName, RestoreError> {
        self.check_refusal().map_err(RewriteError::from)?;
        let conversation = Conversation::at(Arc::clone(&self.fs), self.layout.clone());
        let log = conversation.read(&Transcript::Branch(branch.clone()))?.log;
        Ok(self.rewrite(Part::Base, log, &Change::Edit)?)
    }

    /// Stores the files of the messages that are new.
    fn capture_edited(&self, log: Log) -> Result<(Log, Vec<Uncaptured>), RewriteError> {
        let (mut log, mut uncaptured) = (log, Vec::new());
        let capture = Capture { fs: &*self.fs, layout: &self.layout, limit: self.options.attachment_limit };
        let with_files = log.iter().enumerate().filter(|(_, message)| !message.files().is_empty());
        let is_old = |message: &Message| self.log().iter().any(|old| old.is_identical(message));
        let new: Vec<_> = with_files.filter(|(_, message)| !is_old(message)).map(|(at, m)| (at, m.clone())).collect();
        for (index, message) in new {
            let (captured, missed) = capture.messages(std::slice::from_ref(&message), index)?;
            uncaptured.extend(missed);
            log = captured.first().and_then(|message| log.with(index, message.clone())).unwrap_or(log);
        }
        Ok((log, uncaptured))
    }

    /// New file, backup durable, event, rename, directory sync; acknowledged after that.
    pub(super) fn rewrite(&mut self, part: Part, log: Log, change: &Change) -> Result<BranchName, RewriteError> {
        let fs = Arc::clone(&self.fs);
        if !self.lock.still_holds(&*fs)? {
            let path = self.lock.path().to_path_buf();
            return Err(self.refuse(Refusal::LockLost { path }).into());
        }
        self.check_transcripts()?;
        self.journal.wrote = true;
        let transcript = self.journal.part(part);
        let path = transcript.file.path().to_path_buf();
        quarantine::save(&*fs, &path, &transcript.unreadable)?;
        let mut replacement = Replacement::begin(&*fs, &path, ReplaceMode::Keep)?;
        replacement.write(|out| write_log(&log, out))?;
        let prepared = replacement.finish()?;
        let backup = self.back_up(&*fs, part, change.reason())?;
        self.record(part, &log, change).map_err(|error| self.rewrite_refused(error))?;
        let committed = match prepared.commit() {
            Ok(committed) => committed,
            Err(source) => {
                // The old messages stand; the event must not say otherwise.
                if self.journal.events.take_back().is_err() {
                    self.refuse(Refusal::failed(convlog_fs::Error::new(
                        convlog_fs::Operation::Rename,
                        &path,
                        source.kind().into(),
                    )));
                }
                return Err(source.into());
            }
        };
        let settled = committed.sync_dir().and_then(|_| TranscriptFile::open(&*fs, &path));
        let transcript = self.journal.part_mut(part);
        (transcript.log, transcript.unread) = (log, 0);
        transcript.unreadable.clear();
        match settled {
            Ok(file) => transcript.file = file,
            Err(source) => {
                let told = convlog_fs::Error::new(source.operation, &path, source.kind().into());
                self.refuse(Refusal::failed(told));
                return Err(RewriteError::NotDurable { source });
            }
        }
        self.checkpoint_when_due();
        Ok(backup)
    }

    /// Writes the event of a change. What happens to a view alone is one of its own kind, and it makes durable what
    /// main's log holds: the view's new file is, and must not be ahead of main.
    fn record(&mut self, part: Part, log: &Log, change: &Change) -> Result<Seq, WriteError> {
        let alone = self.journal.transcripts().count() == 1;
        let durability = if alone { Durability::Written } else { Durability::Synced };
        let Journal { view, events, .. } = &mut self.journal;
        match (part, view, change) {
            (Part::Active, Some(view), _) => events.view(&change.on_view(&view.which, log), durability),
            (_, _, Change::Undo(removed)) => events.undo(*removed, durability),
            (_, _, Change::Edit) => events.edit(log, durability),
        }
    }

    /// Keeps a transcript, as it is now, under a backup's name.
    fn back_up(&mut self, fs: &dyn FileSystem, part: Part, reason: Reason) -> Result<BranchName, RewriteError> {
        let _ = create_dirs_durable(fs, &self.layout.branches())?;
        let transcript = self.journal.part_mut(part);
        if reason == Reason::Undo
            && let Some(branch) = backup::that_holds(fs, &self.layout, &transcript.which, reason)?
        {
            return Ok(branch);
        }
        let (name, backup) = next_name(fs, &self.layout, &transcript.which, reason)?;
        let target = convlog_fs::resolve_target(fs, transcript.file.path())?;
        let _ = hard_link_or_copy(fs, &target, &backup)?;
        // A link changes the file's ctime, and nothing else.
        let before = *transcript.file.left();
        transcript.file.accept()?;
        let now = *transcript.file.left();
        if (before.id, before.len, before.mtime) != (now.id, now.len, now.mtime) {
            let changed = super::Changed { path: transcript.file.path().to_path_buf(), how: "was written to" };
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
