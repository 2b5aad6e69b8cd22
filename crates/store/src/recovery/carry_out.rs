//! Healing: backups first, then the transcript, then the event log.

use std::ops::Range;
use std::sync::Arc;

use convlog_eventlog::{EventLog, Options};
use convlog_fs::{
    Error, FILE_MODE, FileSystem, ReplaceError, ReplaceMode, create_dirs_durable, create_durable, replace,
    resolve_target,
};
use convlog_message::Log;

use super::{Plan, RecoveryReport};
use crate::session::backup::{Reason, next_name};
use crate::session::write_log;
use crate::{BranchName, Conversation, Layout, OpenSessionError, Transcript, quarantine};

/// What an opening session goes on with.
pub(crate) struct Healed {
    pub(crate) log: Log,
    /// Where lines stand in the transcript that cannot be read.
    pub(crate) unreadable: Vec<Range<u64>>,
    pub(crate) events: EventLog,
    pub(crate) report: RecoveryReport,
    /// Whether anything was written.
    pub(crate) wrote: bool,
}

impl Plan {
    /// Does what is to be done. Each step is durable before the next begins, and a recovery that is cut
    /// short is taken up by the next one.
    pub(crate) fn carry_out(
        self,
        fs: &Arc<dyn FileSystem>,
        layout: &Layout,
        which: &Transcript,
        options: Options,
    ) -> Result<Healed, OpenSessionError> {
        let healing = |source| OpenSessionError::Recovery { source };
        let broken = |source: Box<dyn std::error::Error + Send + Sync>| OpenSessionError::Events { source };
        let mut report = self.report();
        for held in &self.beyond {
            if let Some(branch) = keep(fs, layout, which, held).map_err(healing)? {
                report.backups.push((branch, held.len()));
            }
        }
        report.beyond.clear();
        let path = layout.transcript(which);
        let mut unreadable: Vec<_> = self.unreadable.iter().map(|(span, _)| span.clone()).collect();
        if self.rewrite {
            unreadable.clear();
            let pieces: Vec<_> = self.unreadable.into_iter().map(|(_, piece)| piece).collect();
            quarantine::save_pieces(&**fs, &path, &pieces).map_err(healing)?;
            replace(&**fs, &path, ReplaceMode::Keep, |out| write_log(&self.log, out))
                .map_err(|error| healing(whole(error, &path)))?;
        } else if self.checkpoint || self.events.is_none() {
            sync(&**fs, &path).map_err(healing)?;
        }
        let directory = layout.events_dir(which);
        let wrote = report.rewritten || report.checkpointed || report.log_started;
        let events = match self.events {
            None => {
                let _ = create_dirs_durable(&**fs, &directory).map_err(healing)?;
                EventLog::create(Arc::clone(fs), &directory, options, &self.log, &[]).map_err(|e| broken(e.into()))?
            }
            Some(reading) => {
                let mut events = EventLog::resume(Arc::clone(fs), &directory, options, reading.resume())
                    .map_err(|e| broken(e.into()))?;
                if self.checkpoint {
                    events.checkpoint(&self.log, &[]).map_err(|e| broken(e.into()))?;
                }
                events
            }
        };
        Ok(Healed { log: self.log, unreadable, events, report, wrote })
    }
}

/// Keeps a log in a backup branch, unless a branch with the same messages exists.
fn keep(fs: &Arc<dyn FileSystem>, layout: &Layout, which: &Transcript, log: &Log) -> Result<Option<BranchName>, Error> {
    let Ok(conversation) = Conversation::open(Arc::clone(fs), layout.home()) else { return Ok(None) };
    for branch in conversation.branches()?.into_iter().map(Transcript::Branch) {
        let kept = conversation.read(&branch);
        if kept.is_ok_and(|kept| kept.log == *log) {
            // A recovery that was killed may have made it, and not yet durably.
            sync(&**fs, &layout.transcript(&branch))?;
            return Ok(None);
        }
    }
    let _ = create_dirs_durable(&**fs, &layout.branches())?;
    let (name, path) = next_name(&**fs, layout, which, Reason::Recover)?;
    create_durable(&**fs, &path, FILE_MODE, |out| write_log(log, out)).map_err(|error| whole(error, &path))?;
    Ok(Some(name))
}

/// Syncs a transcript and the directory that names it.
fn sync(fs: &dyn FileSystem, path: &std::path::Path) -> Result<(), Error> {
    let target = resolve_target(fs, path)?;
    fs.open(&target, convlog_fs::Open::Append(convlog_fs::Missing::Fail))?.sync_all()?;
    let directory = target.parent().unwrap_or(path);
    fs.sync_dir(directory).map(drop)
}

fn whole(error: ReplaceError, path: &std::path::Path) -> Error {
    match error {
        ReplaceError::Unchanged { source } | ReplaceError::NotDurable { source, .. } => source,
        other => Error::new(convlog_fs::Operation::Rename, path, other.cause().kind().into()),
    }
}
