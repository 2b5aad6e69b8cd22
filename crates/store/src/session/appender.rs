//! [`Appender`]: a conversation opened for appending, of which nothing else is read.

use std::path::PathBuf;
use std::sync::Arc;

use convlog_eventlog::{EventLog, FileFigures, read_closed};
use convlog_fs::{Durability, Error, FileSystem};
use convlog_message::{Log, Message, Timestamp};

use super::draft;
use super::journal::{Journal, OpenTranscript};
use super::lock::SessionLock;
use super::transcript::TranscriptFile;
use super::{
    AppendError, Appended, CloseError, DraftError, OpenSessionError, Refusal, Session, SessionOptions, SyncError,
};
use crate::{Conversation, Layout, RecoveryReport, Transcript};

/// A conversation opened for appending.
///
/// Where convlog closed it last and nothing was changed since, none of its messages is read: what opening costs does
/// not depend on their number. Otherwise it is opened as [`Session::open`] does, recovery included. All else is as
/// with a session.
///
/// ```
/// use std::sync::Arc;
/// use convlog_fs::RealFs;
/// use convlog_message::{Message, Role, Timestamp};
/// use convlog_store::{Appender, Session, SessionOptions};
///
/// let logs = tempfile::tempdir()?;
/// let home = logs.path().join("talk");
/// let hello = Message::new(Role::System, "You are brief.", Timestamp::now());
/// Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [hello])?.close()?;
///
/// let mut appender = Appender::open(Arc::new(RealFs), &home, SessionOptions::default())?;
/// let question = Message::new(Role::User, "What is 6 × 7?", appender.now());
/// assert_eq!(appender.append(question)?.index(), 1);
/// appender.close()?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Appender(Session);

impl Appender {
    /// Opens a conversation for appending.
    ///
    /// # Errors
    ///
    /// As [`Session::open`].
    pub fn open(
        fs: Arc<dyn FileSystem>,
        home: impl Into<PathBuf>,
        options: SessionOptions,
    ) -> Result<Self, OpenSessionError> {
        let conversation = Conversation::open(Arc::clone(&fs), home)?;
        let lock = SessionLock::acquire(&*fs, conversation.layout().home())?;
        let quick = quick(&fs, &conversation, &options).map_err(|source| OpenSessionError::Recovery { source })?;
        let layout = conversation.layout();
        let Some(journal) = quick else { return Session::open_locked(fs, &conversation, options, lock).map(Self) };
        Ok(Self(Session::with(fs, layout.clone(), options, lock, journal, RecoveryReport::default())))
    }

    /// Appends a message; see [`Session::append`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn append(&mut self, message: Message) -> Result<Appended, AppendError> {
        self.0.append(message)
    }

    /// Appends a message at a level of its own; see [`Session::append_at`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn append_at(&mut self, message: Message, durability: Durability) -> Result<Appended, AppendError> {
        self.0.append_at(message, durability)
    }

    /// Appends messages with one sync at most; see [`Session::append_batch`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn append_batch(&mut self, messages: &[Message], durability: Durability) -> Result<Appended, AppendError> {
        self.0.append_batch(messages, durability)
    }

    /// Makes all that was appended durable; see [`Session::sync`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn sync(&mut self) -> Result<(), SyncError> {
        self.0.sync()
    }

    /// Closes the conversation; see [`Session::close`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn close(self) -> Result<(), CloseError> {
        self.0.close()
    }

    /// The session, once the messages are read that were not.
    ///
    /// # Errors
    ///
    /// When they cannot be read, or another program changed them.
    pub fn into_session(mut self) -> Result<Session, Refusal> {
        self.0.load()?;
        Ok(self.0)
    }

    /// The message that was interrupted while it was streamed; see [`Session::interrupted`].
    #[must_use]
    pub fn interrupted(&self) -> Option<&Message> {
        self.0.interrupted()
    }

    /// The log that the interrupted message was streamed to.
    #[must_use]
    pub fn interrupted_in(&self) -> Option<&Transcript> {
        self.0.interrupted_in()
    }

    /// Appends what there is of the interrupted message; see [`Session::keep_interrupted`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn keep_interrupted(&mut self) -> Result<Option<Appended>, DraftError> {
        self.0.keep_interrupted()
    }

    /// Removes the interrupted message; see [`Session::drop_interrupted`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn drop_interrupted(&mut self) -> Result<Option<Message>, DraftError> {
        self.0.drop_interrupted()
    }

    /// How many messages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.journal.active().len()
    }

    /// Whether there is no message.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What opening did to heal what a crash or another program left.
    #[must_use]
    pub fn recovery(&self) -> &RecoveryReport {
        self.0.recovery()
    }

    /// Where the files lie.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        self.0.layout()
    }

    /// The time for a message that is made now; see [`Session::now`]. Looks at the last messages where none was
    /// read.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let active = self.0.journal.active();
        let known = active.log.iter().any(Message::has_recorded_timestamp);
        if active.unread == 0 || known {
            return self.0.now();
        }
        /// How many messages without a time of their own are passed over.
        const LOOK_BACK: usize = 16;
        let conversation = Conversation::at(Arc::clone(&self.0.fs), self.0.layout.clone());
        let tail = conversation.tail(&active.which).into_iter().flatten().take(LOOK_BACK);
        let last = tail.filter_map(Result::ok).find(|entry| entry.message.has_recorded_timestamp());
        if last.is_some_and(|entry| !entry.message.timestamp().is_naive()) {
            Timestamp::now_utc()
        } else {
            Timestamp::now()
        }
    }
}

/// A session that goes on with appends alone.
impl From<Session> for Appender {
    fn from(session: Session) -> Self {
        Self(session)
    }
}

/// Opens a journal as convlog closed it; `None` where anything is not as it was left then, or a draft is to be handed
/// back.
fn quick(
    fs: &Arc<dyn FileSystem>,
    conversation: &Conversation,
    options: &SessionOptions,
) -> Result<Option<Journal>, Error> {
    let (layout, which) = (conversation.layout(), options.transcript());
    let directory = layout.events_dir(&which);
    let Some(closed) = read_closed(&**fs, &directory)? else { return Ok(None) };
    if draft::is_there(&**fs, layout)? {
        return Ok(None);
    }
    let open = |which: &Transcript| open_as_left(&**fs, layout, which, &closed.figures);
    let (mut view, mut lossless) = (None, None);
    let Some(base) = open(&which)? else { return Ok(None) };
    if which == Transcript::Main {
        if let Some(name) = conversation.active_view()? {
            view = open(&Transcript::View(name))?;
            if view.is_none() {
                return Ok(None);
            }
        }
        match fs.lstat(&layout.transcript(&Transcript::Lossless)) {
            Ok(_) => {
                lossless = open(&Transcript::Lossless)?;
                if lossless.is_none() {
                    return Ok(None);
                }
            }
            Err(error) if error.is_not_found() => {}
            Err(error) => return Err(error),
        }
    }
    let events = EventLog::resume(Arc::clone(fs), &directory, options.for_events(), closed.resume);
    // What is wrong with it, a full opening tells.
    Ok(events.ok().map(|events| Journal { base, view, lossless, events, wrote: false }))
}

/// Opens a transcript, when it is as these figures say.
fn open_as_left(
    fs: &dyn FileSystem,
    layout: &Layout,
    which: &Transcript,
    figures: &[FileFigures],
) -> Result<Option<OpenTranscript>, Error> {
    let name = layout.relative(which);
    let Some(figures) = figures.iter().find(|figures| *figures.file == *name) else { return Ok(None) };
    let file = match TranscriptFile::open(fs, &layout.transcript(which)) {
        Ok(file) => file,
        Err(error) if error.is_not_found() => return Ok(None),
        Err(error) => return Err(error),
    };
    if !figures.fits(file.left()) || file.left().links > 1 {
        return Ok(None);
    }
    let unread = usize::try_from(figures.messages).unwrap_or(usize::MAX);
    let name = name.into();
    Ok(Some(OpenTranscript { which: which.clone(), name, file, unread, log: Log::new(), unreadable: Vec::new() }))
}
