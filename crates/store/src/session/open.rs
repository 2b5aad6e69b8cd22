//! Opening for writing: the lock, then recovery, then the files.

use std::path::PathBuf;
use std::sync::Arc;

use convlog_fs::{FileSystem, remove_temporaries};

use super::lock::SessionLock;
use super::transcript::TranscriptFile;
use super::{OpenSessionError, Session, SessionOptions};
use crate::recovery::Plan;
use crate::{Conversation, Transcript};

impl Session {
    /// Opens a conversation for writing, and heals what a crash or another program left: see
    /// [`Self::recovery`] for what was done.
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
    /// an edit, so that what was there is kept in a backup branch.
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
        let which = transcript(&options);
        let wanted = Plan::make(&conversation, &which)?.log_of_events();
        let mut session = Self::open_locked(fs, &conversation, options, lock)?;
        if let Some(wanted) = wanted
            && !crate::recovery::are_alike(&wanted, &session.log)
        {
            session.edit(wanted).map_err(|error| OpenSessionError::Events { source: Box::new(error) })?;
        }
        Ok(session)
    }

    fn open_locked(
        fs: Arc<dyn FileSystem>,
        conversation: &Conversation,
        options: SessionOptions,
        lock: SessionLock,
    ) -> Result<Self, OpenSessionError> {
        let layout = conversation.layout().clone();
        let which = transcript(&options);
        if which == Transcript::Main {
            refuse_views(conversation)?;
        }
        let healing = |source| OpenSessionError::Recovery { source };
        for directory in [layout.home().to_path_buf(), layout.branches()] {
            match remove_temporaries(&*fs, &directory) {
                Ok(_) => {}
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(healing(error)),
            }
        }
        let plan = Plan::make(conversation, &which)?;
        let healed = plan.carry_out(&fs, &layout, &which, options.for_events())?;
        let file = TranscriptFile::open(&*fs, &layout.transcript(&which)).map_err(healing)?;
        Ok(Self {
            fs,
            layout,
            options,
            lock,
            which,
            log: healed.log,
            file,
            events: healed.events,
            unreadable: healed.unreadable,
            wrote: healed.wrote,
            recovery: healed.report,
            observer: None,
            refusal: None,
            closed: false,
            temporary: None,
        })
    }
}

fn transcript(options: &SessionOptions) -> Transcript {
    options.branch.clone().map_or(Transcript::Main, Transcript::Branch)
}

/// An append on main alone would leave an active view, or the full history of a compacted conversation,
/// behind.
fn refuse_views(conversation: &Conversation) -> Result<(), OpenSessionError> {
    if let Some(view) = conversation.active_view().map_err(|source| OpenSessionError::Recovery { source })? {
        return Err(OpenSessionError::ViewActive { view });
    }
    let path = conversation.layout().transcript(&Transcript::Lossless);
    match conversation.file_system().lstat(&path) {
        Ok(_) => Err(OpenSessionError::Lossless { path }),
        Err(error) if error.is_not_found() => Ok(()),
        Err(source) => Err(OpenSessionError::Recovery { source }),
    }
}
