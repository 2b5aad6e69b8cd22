//! Opening for writing: the lock, then recovery, then the files.

use std::path::PathBuf;
use std::sync::Arc;

use convlog_fs::{FileSystem, remove_temporaries};

use super::journal::{Journal, Part};
use super::lock::SessionLock;
use super::rewrite::Change;
use super::{OpenSessionError, Session, SessionOptions, draft};
use crate::recovery::Plan;
use crate::{Conversation, Layout, RecoveryReport, Transcript};

impl Session {
    /// Opens a conversation for writing, and heals what a crash or another program left: see
    /// [`Self::recovery`] for what was done.
    ///
    /// Acts on main, or on the view that is active, or on the branch that the options name.
    ///
    /// # Errors
    ///
    /// When there is none, another process holds it, or the file system refuses.
    pub fn open(
        fs: Arc<dyn FileSystem>,
        home: impl Into<PathBuf>,
        options: SessionOptions,
    ) -> Result<Self, OpenSessionError> {
        let conversation = Conversation::open(Arc::clone(&fs), home)?;
        let lock = SessionLock::acquire(&*fs, conversation.layout().home())?;
        Self::open_locked(fs, &conversation, options, lock)
    }

    /// Opens a conversation and makes its messages what the event log says, whatever the transcript holds:
    /// an edit, so that what was there is kept in a backup branch. A view that is active stays as it is.
    ///
    /// # Errors
    ///
    /// As [`Self::open`].
    pub fn open_from_events(
        fs: Arc<dyn FileSystem>,
        home: impl Into<PathBuf>,
        options: SessionOptions,
    ) -> Result<Self, OpenSessionError> {
        let conversation = Conversation::open(Arc::clone(&fs), home)?;
        let lock = SessionLock::acquire(&*fs, conversation.layout().home())?;
        let wanted = Plan::make(&conversation, &options.transcript())?.log_of_events();
        let mut session = Self::open_locked(fs, &conversation, options, lock)?;
        if let Some(wanted) = wanted
            && !crate::recovery::are_alike(&wanted, &session.journal.base.log)
        {
            let edited = session.rewrite(Part::Base, wanted, &Change::Edit);
            edited.map_err(|error| OpenSessionError::Events { source: Box::new(error) })?;
        }
        Ok(session)
    }

    pub(super) fn open_locked(
        fs: Arc<dyn FileSystem>,
        conversation: &Conversation,
        options: SessionOptions,
        lock: SessionLock,
    ) -> Result<Self, OpenSessionError> {
        let layout = conversation.layout().clone();
        let which = options.transcript();
        tidy(&*fs, &layout, &which).map_err(|source| OpenSessionError::Recovery { source })?;
        let plan = Plan::make(conversation, &which)?;
        let (journal, recovery) = plan.carry_out(&fs, &layout, options.for_events())?;
        let interrupted = draft::interrupted(&fs, &layout).map_err(|source| OpenSessionError::Recovery { source })?;
        let mut session = Self::with(fs, layout, options, lock, journal, recovery);
        session.interrupted = interrupted;
        Ok(session)
    }

    /// A session that begins.
    pub(super) fn with(
        fs: Arc<dyn FileSystem>,
        layout: Layout,
        options: SessionOptions,
        lock: SessionLock,
        journal: Journal,
        recovery: RecoveryReport,
    ) -> Self {
        Self {
            fs,
            layout,
            options,
            lock,
            journal,
            recovery,
            uncaptured: Vec::new(),
            interrupted: None,
            observer: None,
            refusal: None,
            closed: false,
            temporary: None,
        }
    }
}

/// Removes the temporary files that a crash left.
pub(super) fn tidy(fs: &dyn FileSystem, layout: &Layout, which: &Transcript) -> Result<(), convlog_fs::Error> {
    let home = layout.home().to_path_buf();
    let mut directories = vec![home, layout.branches(), layout.views(), layout.files()];
    if matches!(which, Transcript::Branch(_)) {
        directories.push(layout.events_dir(which));
    }
    for directory in directories {
        match remove_temporaries(fs, &directory) {
            Ok(_) => {}
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
