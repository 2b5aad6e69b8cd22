//! Healing: backups first, then the transcripts, then the event log.

use std::path::Path;
use std::sync::Arc;

use convlog_eventlog::{EventLog, Options};
use convlog_fs::{
    Error, FILE_MODE, FileSystem, ReplaceMode, create_dirs_durable, create_durable, replace, resolve_target,
};
use convlog_message::Log;

use super::file::FilePlan;
use super::{Plan, RecoveryReport};
use crate::session::backup::{Reason, next_name};
use crate::session::journal::{Journal, OpenTranscript};
use crate::session::{TranscriptFile, write_log};
use crate::{BranchName, Conversation, Layout, OpenSessionError, Transcript, quarantine};

impl Plan {
    /// Does what is to be done, and opens the journal. Each step is durable before the next begins, and a recovery
    /// that is cut short is taken up by the next one.
    pub(crate) fn carry_out(
        self,
        fs: &Arc<dyn FileSystem>,
        layout: &Layout,
        options: Options,
    ) -> Result<(Journal, RecoveryReport), OpenSessionError> {
        let healing = |source| OpenSessionError::Recovery { source };
        let broken = |source: Box<dyn std::error::Error + Send + Sync>| OpenSessionError::Events { source };
        let mut report = self.report();
        let which = self.base.which.clone();
        for held in &self.beyond {
            if let Some(branch) = keep(fs, layout, &which, held).map_err(healing)? {
                report.backups.push((branch, held.len()));
            }
        }
        report.beyond.clear();
        let sync = self.checkpoint || self.events.is_none();
        for file in std::iter::once(&self.base).chain(&self.sides) {
            heal(&**fs, layout, file, sync).map_err(healing)?;
        }
        let directory = layout.events_dir(&which);
        let wrote = report.rewritten || report.checkpointed || report.log_started;
        let events = match self.events {
            None => {
                let _ = create_dirs_durable(&**fs, &directory).map_err(healing)?;
                EventLog::create(Arc::clone(fs), &directory, options, &self.base.log, &[])
                    .map_err(|e| broken(e.into()))?
            }
            Some(reading) => {
                let mut events = EventLog::resume(Arc::clone(fs), &directory, options, reading.resume())
                    .map_err(|e| broken(e.into()))?;
                if self.checkpoint {
                    events.checkpoint(&self.base.log, &[]).map_err(|e| broken(e.into()))?;
                }
                events
            }
        };
        let base = open(&**fs, layout, self.base).map_err(healing)?;
        let mut journal = Journal { base, view: None, lossless: None, events, wrote };
        for side in self.sides {
            if Some(&side.which) == self.active_view.as_ref() {
                journal.view = Some(open(&**fs, layout, side).map_err(healing)?);
            } else if side.which == Transcript::Lossless {
                let mut lossless = open(&**fs, layout, side).map_err(healing)?;
                // Nothing of it is needed but its length.
                (lossless.unread, lossless.log) = (lossless.log.len(), Log::new());
                journal.lossless = Some(lossless);
            }
        }
        Ok((journal, report))
    }
}

/// Writes a transcript anew where it is due, or else makes it durable where the event log will rely on it.
fn heal(fs: &dyn FileSystem, layout: &Layout, file: &FilePlan, sync: bool) -> Result<(), Error> {
    let path = layout.transcript(&file.which);
    if file.rewrite {
        let pieces: Vec<_> = file.unreadable.iter().map(|(_, piece)| piece.as_slice()).collect();
        quarantine::save_pieces(fs, &path, &pieces)?;
        replace(fs, &path, ReplaceMode::Keep, |out| write_log(&file.log, out))?;
    } else if sync {
        sync_file(fs, &path)?;
    }
    Ok(())
}

/// Opens a transcript that was healed.
fn open(fs: &dyn FileSystem, layout: &Layout, file: FilePlan) -> Result<OpenTranscript, Error> {
    let unreadable = if file.rewrite { Vec::new() } else { file.unreadable };
    Ok(OpenTranscript {
        name: layout.relative(&file.which).into(),
        file: TranscriptFile::open(fs, &layout.transcript(&file.which))?,
        which: file.which,
        unread: 0,
        log: file.log,
        unreadable: unreadable.into_iter().map(|(span, _)| span).collect(),
    })
}

/// Keeps a log in a backup branch, unless a branch or a view with the same messages exists.
fn keep(fs: &Arc<dyn FileSystem>, layout: &Layout, which: &Transcript, log: &Log) -> Result<Option<BranchName>, Error> {
    let Ok(conversation) = Conversation::open(Arc::clone(fs), layout.home()) else { return Ok(None) };
    let branches = conversation.branches()?.into_iter().map(Transcript::Branch);
    for kept in branches.chain(conversation.views()?.into_iter().map(Transcript::View)) {
        if conversation.read(&kept).is_ok_and(|reading| reading.log == *log) {
            // A recovery that was killed may have made it, and not yet durably.
            sync_file(&**fs, &layout.transcript(&kept))?;
            return Ok(None);
        }
    }
    let _ = create_dirs_durable(&**fs, &layout.branches())?;
    let (name, path) = next_name(&**fs, layout, which, Reason::Recover)?;
    create_durable(&**fs, &path, FILE_MODE, |out| write_log(log, out))?;
    Ok(Some(name))
}

/// Syncs a transcript and the directory that names it.
fn sync_file(fs: &dyn FileSystem, path: &Path) -> Result<(), Error> {
    let target = resolve_target(fs, path)?;
    fs.open(&target, convlog_fs::Open::Append(convlog_fs::Missing::Fail))?.sync_all()?;
    let directory = target.parent().unwrap_or(path);
    fs.sync_dir(directory).map(drop)
}
