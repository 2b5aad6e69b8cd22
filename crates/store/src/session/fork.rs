//! Forking: a copy of a conversation under another id.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_eventlog::{EVENTS_FILE, EventLog, LOCK_FILE};
use convlog_fs::{
    DIR_MODE, DirEntry, Error, FILE_MODE, FileSystem, Kind, Operation, copy_durable, create_dirs_durable,
    create_durable, is_temporary,
};
use convlog_message::Log;

use super::lock::SessionLock;
use super::{ForkError, Session, write_log};
use crate::remove::remove_tree;
use crate::{Conversation, Layout, Transcript, quarantine};

/// What stays behind: locks, whatever they hold now is nothing to the copy; and what is made anew.
const LEFT: [&str; 5] = [".lock", ".config.lock", LOCK_FILE, EVENTS_FILE, ".convlog-draft.jsonl"];

/// What a fork did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forked {
    /// What could not be copied: pipes, sockets and devices.
    pub left: Vec<PathBuf>,
}

impl Session {
    /// Copies the conversation, with all that is in its directory, to another one that does not exist yet. The session
    /// stays where it is; [`Self::move_to`] goes on in the copy.
    ///
    /// With `at` the log that the session acts on ends there in the copy; where that is a view, main loses the same
    /// messages. Event logs are begun anew, with a checkpoint. The copy appears whole or not at all, and is durable
    /// when this returns.
    ///
    /// # Errors
    ///
    /// When there is something at the target already, or it cannot be made; then nothing of it stays.
    pub fn fork(&self, target: impl Into<PathBuf>, at: Option<usize>) -> Result<Forked, ForkError> {
        self.check_refusal()?;
        let target = target.into();
        let fs = &self.fs;
        if target.starts_with(self.layout.home()) {
            return Err(ForkError::Inside { path: target });
        }
        match fs.lstat(&target) {
            Ok(_) => return Err(ForkError::Exists { path: target }),
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error.into()),
        }
        let changed = self.cut_logs(at)?;
        let parent = match target.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let _ = create_dirs_durable(&**fs, parent)?;
        remove_abandoned(&**fs, parent)?;
        let under_way = make_directory(&**fs, parent)?;
        let mut copy = Copy { fs, from: &self.layout, to: Layout::new(&under_way), forked: Forked::default() };
        let made = SessionLock::acquire(&**fs, &under_way).map_err(ForkError::from).and_then(|lock| {
            copy.all(self, &changed)?;
            fs.remove_file(lock.path())?;
            let _ = fs.sync_dir(&under_way)?;
            fs.rename(&under_way, &target)?;
            fs.sync_dir(parent).map(drop).map_err(|error| {
                let _ = remove_tree(&**fs, &target);
                error.into()
            })
        });
        match made {
            Ok(()) => Ok(copy.forked),
            Err(error) => {
                let _ = remove_tree(&**fs, &under_way);
                Err(error)
            }
        }
    }

    /// Forks the conversation and goes on in the copy, on the same log; the one that is left is closed.
    ///
    /// # Errors
    ///
    /// As [`Self::fork`]; and when the copy cannot be opened or the session not be closed.
    pub fn move_to(self, target: impl Into<PathBuf>, at: Option<usize>) -> Result<Self, ForkError> {
        let target = target.into();
        let _ = self.fork(&target, at)?;
        let (fs, options) = (Arc::clone(&self.fs), self.options.clone());
        self.close()?;
        Ok(Self::open(fs, target, options)?)
    }

    /// The logs that are shorter in the copy.
    fn cut_logs(&self, at: Option<usize>) -> Result<Vec<(Transcript, Log)>, ForkError> {
        let (log, main) = (self.log(), &self.journal.base.log);
        let Some(at) = at.filter(|at| *at != log.len()) else { return Ok(Vec::new()) };
        if at > log.len() {
            return Err(ForkError::Beyond { at, there: log.len() });
        }
        let mut changed = vec![(self.transcript().clone(), log.truncate(at))];
        if let Transcript::View(view) = self.transcript() {
            let removed = log.len().saturating_sub(at);
            let kept = main.len().checked_sub(removed);
            let is_shared = |kept: usize| log.iter().skip(at).eq(main.iter().skip(kept));
            let Some(kept) = kept.filter(|kept| is_shared(*kept)) else {
                return Err(ForkError::WithinView { view: view.clone(), at });
            };
            changed.push((Transcript::Main, main.truncate(kept)));
        }
        Ok(changed)
    }
}

/// A copy under way.
struct Copy<'a> {
    fs: &'a Arc<dyn FileSystem>,
    from: &'a Layout,
    to: Layout,
    forked: Forked,
}

impl Copy<'_> {
    fn all(&mut self, session: &Session, changed: &[(Transcript, Log)]) -> Result<(), ForkError> {
        let conversation = Conversation::at(Arc::clone(self.fs), self.from.clone());
        let relative = |which: &Transcript| self.from.relative(which);
        let cut: Vec<_> = changed.iter().map(|(which, log)| (relative(which), log)).collect();
        let main = self.from.relative(&Transcript::Main);
        self.directory(Path::new(""), &cut)?;
        // Each branch that had an event log gets a new one.
        for branch in conversation.branches()?.into_iter().map(Transcript::Branch) {
            let had = self.fs.lstat(&self.from.events_dir(&branch).join(EVENTS_FILE)).is_ok();
            if had || branch == *session.transcript() {
                self.begin_events(session, &branch)?;
            }
        }
        // Main last: until it is there, nothing takes the directory for a conversation.
        self.transcript(Path::new(&main), &cut)?;
        self.begin_events(session, &Transcript::Main)
    }

    /// Copies a directory with all that is in it, but for main's transcript and what is left behind.
    fn directory(&mut self, relative: &Path, cut: &[(String, &Log)]) -> Result<(), ForkError> {
        let fs = Arc::clone(self.fs);
        let from = self.from.home().join(relative);
        for entry in fs.list(&from)? {
            let path = relative.join(&entry.name);
            if !self.is_left(relative, &entry) {
                self.entry(&path, &entry, cut)?;
            }
        }
        fs.sync_dir(&self.to.home().join(relative)).map(drop)?;
        Ok(())
    }

    /// Whether something is not copied. Only in the directories that are the conversation's own does a name mean
    /// anything.
    fn is_left(&self, relative: &Path, entry: &DirEntry) -> bool {
        let is_own = relative.as_os_str().is_empty() || relative.starts_with("branches");
        let is_main = relative.as_os_str().is_empty() && *entry.name == *self.from.relative(&Transcript::Main);
        is_main || is_temporary(&entry.name) || (is_own && LEFT.iter().any(|left| entry.name == *left))
    }

    fn entry(&mut self, path: &Path, entry: &DirEntry, cut: &[(String, &Log)]) -> Result<(), ForkError> {
        let (from, to) = (self.from.home().join(path), self.to.home().join(path));
        let is_log = path.to_str().is_some_and(|path| Transcript::from_relative(path).is_some());
        match entry.kind {
            // A transcript may lie on another disk; its copy must not be the same file.
            Kind::File | Kind::Symlink if is_log && self.fs.stat(&from).is_ok_and(|stat| stat.kind == Kind::File) => {
                self.transcript(path, cut)
            }
            Kind::File => Ok(copy_durable(&**self.fs, &from, &to).map(drop)?),
            Kind::Symlink => Ok(self.fs.symlink(&self.fs.read_link(&from)?, &to)?),
            Kind::Dir => {
                self.fs.create_dir(&to)?;
                self.fs.set_mode(&to, self.fs.stat(&from)?.mode)?;
                self.directory(path, cut)
            }
            _ => {
                self.forked.left.push(from);
                Ok(())
            }
        }
    }

    /// Copies a transcript byte by byte, or writes the shorter log that it is to be.
    fn transcript(&self, path: &Path, cut: &[(String, &Log)]) -> Result<(), ForkError> {
        let (from, to) = (self.from.home().join(path), self.to.home().join(path));
        let Some((_, log)) = cut.iter().find(|(name, _)| Path::new(name) == path) else {
            let _ = copy_durable(&**self.fs, &convlog_fs::resolve_target(&**self.fs, &from)?, &to)?;
            return Ok(());
        };
        create_durable(&**self.fs, &to, FILE_MODE, |out| write_log(log, out)).map_err(Error::from)?;
        let bytes = convlog_fs::read_all(&**self.fs, &from)?;
        let reading = convlog_codec::jsonl::read(&bytes, &convlog_message::Timestamp::now_utc());
        let at = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX);
        let piece = |finding: &convlog_codec::Finding| {
            bytes.get(at(finding.span.start)..at(finding.span.end)).unwrap_or_default().to_vec()
        };
        let pieces: Vec<_> = reading.report.skipped().map(piece).collect();
        Ok(quarantine::save_pieces(&**self.fs, &to, &pieces)?)
    }

    /// Begins the event log of a log in the copy.
    fn begin_events(&self, session: &Session, which: &Transcript) -> Result<(), ForkError> {
        let copied = Conversation::at(Arc::clone(self.fs), self.to.clone());
        let log = copied.read(which)?.log;
        let directory = self.to.events_dir(which);
        let _ = create_dirs_durable(&**self.fs, &directory)?;
        let created = EventLog::create(Arc::clone(self.fs), &directory, session.options.for_events(), &log, &[]);
        created.map(drop).map_err(|error| ForkError::Events { source: Box::new(error) })
    }
}

/// Removes the copies that were under way when their process died: nobody holds their lock any more.
fn remove_abandoned(fs: &dyn FileSystem, parent: &Path) -> Result<(), Error> {
    for entry in fs.list(parent)? {
        let is_copy = entry.name.as_encoded_bytes().starts_with(b".convlog-fork-") && is_temporary(&entry.name);
        let path = parent.join(&entry.name);
        if is_copy && entry.kind == Kind::Dir && SessionLock::acquire(fs, &path).is_ok() {
            remove_tree(fs, &path)?;
        }
    }
    Ok(())
}

/// Makes a directory of convlog's own temporary names.
fn make_directory(fs: &dyn FileSystem, parent: &Path) -> Result<PathBuf, Error> {
    const TRIES: u32 = 10_000;
    for number in 0..TRIES {
        let path = parent.join(format!(".convlog-fork-{}-{number}.tmp", std::process::id()));
        match fs.create_dir(&path) {
            Ok(()) => {
                fs.set_mode(&path, DIR_MODE)?;
                return Ok(path);
            }
            Err(error) if error.is_already_exists() => {}
            Err(error) => return Err(error),
        }
    }
    let cause = std::io::Error::new(std::io::ErrorKind::AlreadyExists, "too many directories .convlog-fork-*.tmp");
    Err(Error::new(Operation::CreateDir, parent, cause))
}
