//! Creating a conversation: the initial messages are on the disk when it returns.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_eventlog::{EventLog, Place};
use convlog_fs::{FILE_MODE, FileSystem, ReplaceError, create_dirs_durable, create_durable};
use convlog_message::{Log, Message};

use super::journal::{Journal, OpenTranscript};
use super::lines::Lines;
use super::lock::SessionLock;
use super::transcript::TranscriptFile;
use super::{CreateError, Refusal, Session, SessionOptions};
use crate::attachment::Capture;
use crate::{Layout, RecoveryReport, Transcript, Uncaptured};

impl Session {
    /// Creates a conversation in a directory, which is made when it is missing, and opens it.
    ///
    /// The initial messages survive power loss when this returns, and so does the content of their files; see
    /// [`Self::uncaptured`] for those that could not be stored.
    ///
    /// # Errors
    ///
    /// When there is a conversation already, or the file system refuses.
    pub fn create(
        fs: Arc<dyn FileSystem>,
        home: impl Into<PathBuf>,
        options: SessionOptions,
        initial: impl IntoIterator<Item = Message>,
    ) -> Result<Self, CreateError> {
        if options.branch.is_some() {
            return Err(CreateError::OnBranch);
        }
        let layout = Layout::new(home);
        let _ = create_dirs_durable(&*fs, layout.home())?;
        let lock = SessionLock::acquire(&*fs, layout.home())?;
        let path = layout.transcript(&Transcript::Main);
        for file in [&path, &layout.home().join(convlog_eventlog::EVENTS_FILE)] {
            match fs.lstat(file) {
                Ok(_) => return Err(CreateError::Exists { path: layout.home().to_path_buf() }),
                Err(error) if error.is_not_found() => {}
                Err(error) => return Err(error.into()),
            }
        }
        if let Err(error) = create_durable(&*fs, &path, FILE_MODE, |_| Ok(())) {
            if matches!(error, ReplaceError::NotDurable { .. }) {
                let _ = fs.remove_file(&path);
            }
            return Err(convlog_fs::Error::from(error).into());
        }
        let initial: Vec<_> = initial.into_iter().collect();
        let made = Self::fill(&fs, &layout, &options, &initial);
        let (journal, uncaptured) = made.inspect_err(|_| {
            // Nothing of a conversation that was not created stays behind.
            let _ = fs.remove_file(&path);
        })?;
        let mut session = Self::with(fs, layout, options, lock, journal, RecoveryReport::default());
        session.uncaptured = uncaptured;
        if session.journal.events.refusal().is_some() {
            session.refuse(Refusal::Closed);
        }
        Ok(session)
    }

    /// Creates a conversation that goes with the session: its directory is made below `parent`, and
    /// removed when the session is dropped.
    ///
    /// # Errors
    ///
    /// As [`Self::create`].
    pub fn temporary(
        fs: &Arc<dyn FileSystem>,
        parent: &Path,
        options: SessionOptions,
        initial: impl IntoIterator<Item = Message>,
    ) -> Result<Self, CreateError> {
        let mut number = 0_u32;
        let home = loop {
            let home = parent.join(format!("convlog-{}-{number}", std::process::id()));
            match fs.create_dir(&home) {
                Ok(()) => break home,
                Err(error) if error.is_already_exists() => number = number.saturating_add(1),
                Err(error) => return Err(error.into()),
            }
        };
        match Self::create(Arc::clone(fs), &home, options, initial) {
            Ok(mut session) => {
                session.temporary = Some(home);
                Ok(session)
            }
            Err(error) => {
                let _ = crate::remove::remove_tree(&**fs, &home);
                Err(error)
            }
        }
    }

    /// The attached files; the event log, whose first checkpoint names where the initial messages are about to
    /// stand; then their lines.
    fn fill(
        fs: &Arc<dyn FileSystem>,
        layout: &Layout,
        options: &SessionOptions,
        initial: &[Message],
    ) -> Result<(Journal, Vec<Uncaptured>), CreateError> {
        let capture = Capture { fs: &**fs, layout, limit: options.attachment_limit };
        let (initial, uncaptured) = capture.messages(initial, 0)?;
        let mut file = TranscriptFile::open(&**fs, &layout.transcript(&Transcript::Main))?;
        let lines = Lines::new(&initial).bytes;
        let name: Arc<str> = layout.relative(&Transcript::Main).into();
        let place = Place { file: Arc::clone(&name), id: file.left().id, range: 0..lines.len() as u64 };
        let log: Log = initial.iter().cloned().collect();
        let places = if log.is_empty() { Vec::new() } else { vec![place] };
        let created = EventLog::create(Arc::clone(fs), layout.home(), options.for_events(), &log, &places);
        let events = created.map_err(|error| CreateError::Events { source: Box::new(error) })?;
        if !lines.is_empty() {
            let appended = file.append(&lines);
            appended.map_err(|error| CreateError::Events { source: error.cause().to_string().into() })?;
            file.accept()?;
        }
        let base = OpenTranscript { which: Transcript::Main, name, file, unread: 0, log, unreadable: Vec::new() };
        Ok((Journal { base, view: None, lossless: None, events, wrote: true }, uncaptured))
    }
}
