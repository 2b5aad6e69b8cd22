//! [`Journal`]: an event log opened for writing, and the transcripts that it stands for.

use std::iter;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use convlog_eventlog::{EventLog, FileFigures};
use convlog_fs::{AppendError, Error, FileSystem, resolve_target};
use convlog_message::Log;

use super::transcript::{CheckError, TranscriptFile};
use crate::Transcript;

/// A transcript opened for writing, and the messages in it.
#[derive(Debug)]
pub(crate) struct OpenTranscript {
    pub(crate) which: Transcript,
    /// The file as event logs name it.
    pub(crate) name: Arc<str>,
    pub(crate) file: TranscriptFile,
    /// How many messages stand before those of `log` and were not read; 0 unless nothing but appending is meant.
    pub(crate) unread: usize,
    pub(crate) log: Log,
    /// Where lines stand that cannot be read; a rewrite saves them first.
    pub(crate) unreadable: Vec<Range<u64>>,
}

impl OpenTranscript {
    /// How many messages there are.
    pub(crate) fn len(&self) -> usize {
        self.unread.saturating_add(self.log.len())
    }
}

/// An event log opened for writing, and the transcripts that it stands for: a branch's alone, or main with the
/// active view and the full history of a conversation that was compacted by hand.
#[derive(Debug)]
pub(crate) struct Journal {
    /// Main, or a branch.
    pub(crate) base: OpenTranscript,
    /// The active view, which main alone can have.
    pub(crate) view: Option<OpenTranscript>,
    /// `lossless.jsonl`, where it exists; appended to with main.
    pub(crate) lossless: Option<OpenTranscript>,
    pub(crate) events: EventLog,
    /// Whether anything was written since the log was last closed.
    pub(crate) wrote: bool,
}

/// Which transcript of a journal is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// Main or the branch itself.
    Base,
    /// The view where one is active, otherwise the base.
    Active,
}

impl Journal {
    /// The transcripts, in the order in which they are written.
    pub(super) fn transcripts(&self) -> impl Iterator<Item = &OpenTranscript> {
        iter::once(&self.base).chain(&self.view).chain(&self.lossless)
    }

    fn transcripts_mut(&mut self) -> impl Iterator<Item = &mut OpenTranscript> {
        iter::once(&mut self.base).chain(&mut self.view).chain(&mut self.lossless)
    }

    /// The transcript that a session acts on: the view where one is active.
    pub(super) fn active(&self) -> &OpenTranscript {
        self.view.as_ref().unwrap_or(&self.base)
    }

    pub(super) fn part(&self, part: Part) -> &OpenTranscript {
        match part {
            Part::Base => &self.base,
            Part::Active => self.active(),
        }
    }

    pub(super) fn part_mut(&mut self, part: Part) -> &mut OpenTranscript {
        match (part, &mut self.view) {
            (Part::Active, Some(view)) => view,
            _ => &mut self.base,
        }
    }

    /// Compares the transcripts with what this session left.
    pub(super) fn check(&self, fs: &dyn FileSystem) -> Result<(), CheckError> {
        self.transcripts().try_for_each(|transcript| transcript.file.check(fs))
    }

    /// Appends lines to every transcript: to all of them, or to none where the error says that they are restored.
    pub(super) fn append(&mut self, lines: &[u8]) -> Result<(), AppendError> {
        let failed = self.transcripts_mut().enumerate().find_map(|(at, transcript)| {
            let error = transcript.file.append(lines).err()?;
            Some((at, error))
        });
        let Some((at, error)) = failed else { return Ok(()) };
        for transcript in self.transcripts_mut().take(at) {
            if let Err(restore) = transcript.file.cut_back() {
                let start = transcript.file.left().len;
                let source = Error::new(error.cause().operation, &error.cause().path, error.cause().kind().into());
                return Err(AppendError::Torn { start, source, restore: restore.cause });
            }
        }
        Err(error)
    }

    /// Notes how the transcripts are left after an append.
    pub(super) fn look_again(&mut self) -> Result<(), CheckError> {
        self.transcripts_mut().try_for_each(|transcript| transcript.file.look_again())
    }

    /// Adds messages to the logs, once they stand in the files.
    pub(super) fn extend(&mut self, messages: &[convlog_message::Message]) {
        let Self { base, view, lossless, .. } = self;
        for transcript in iter::once(base).chain(view) {
            transcript.log.extend(messages.iter().cloned());
        }
        if let Some(lossless) = lossless {
            lossless.unread = lossless.unread.saturating_add(messages.len());
        }
    }

    /// Syncs the transcripts and the directories that name them.
    pub(super) fn sync_transcripts(&mut self, fs: &dyn FileSystem) -> Result<(), Error> {
        for transcript in self.transcripts_mut() {
            transcript.file.sync()?;
            let target = resolve_target(fs, transcript.file.path())?;
            let _ = fs.sync_dir(target.parent().unwrap_or(Path::new("/")))?;
        }
        Ok(())
    }

    /// How the transcripts are left.
    pub(super) fn figures(&self) -> Vec<FileFigures> {
        let figures = |transcript: &OpenTranscript| {
            FileFigures::new(Arc::clone(&transcript.name), transcript.file.left(), transcript.len() as u64)
        };
        self.transcripts().map(figures).collect()
    }
}
