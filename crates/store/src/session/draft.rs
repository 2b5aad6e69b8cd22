//! [`Draft`]: a message while it streams, kept beside the transcript until it is whole.

use std::sync::Arc;

use convlog_codec::json::{Style, parse, write_string, write_value};
use convlog_codec::jsonl::{self, write_message};
use convlog_fs::{Error, File, FileSystem, Open, append_whole};
use convlog_message::json::{Object, Value};
use convlog_message::{Log, Message, Timestamp};

use super::{Appended, DraftError, Session};
use crate::{BranchName, Conversation, Layout, Transcript};

/// A message under way: pieces of its content are written as they come, and [`finish`](Self::finish) makes one
/// ordinary message of them.
///
/// Each piece costs one write of that piece; nothing is synced, and gptme sees nothing of it. When the process dies,
/// the next opening hands back what was written as [`Session::interrupted`]. A draft that is dropped without
/// finishing is interrupted too.
///
/// ```
/// use std::sync::Arc;
/// use convlog_fs::RealFs;
/// use convlog_message::{Message, Role, Timestamp};
/// use convlog_store::{Session, SessionOptions};
///
/// let logs = tempfile::tempdir()?;
/// let mut session = Session::create(Arc::new(RealFs), logs.path().join("talk"), SessionOptions::default(), [])?;
/// let mut draft = session.begin_draft(Message::new(Role::Assistant, "", Timestamp::now()))?;
/// draft.push("Forty-")?;
/// draft.push("two")?;
/// assert_eq!(draft.finish()?.index(), 0);
/// assert_eq!(session.log().last().unwrap().content(), "Forty-two");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "a draft that is not finished is handed back as interrupted"]
pub struct Draft<'a> {
    session: &'a mut Session,
    file: Box<dyn File>,
    message: Message,
    content: String,
}

/// A message that was being streamed when its process died.
#[derive(Clone, Debug)]
pub(super) struct Interrupted {
    message: Message,
    /// The log that it was to stand in.
    which: Transcript,
}

/// The branch that a log belongs to; views and the lossless log belong to main.
fn branch(which: &Transcript) -> Option<&BranchName> {
    match which {
        Transcript::Branch(name) => Some(name),
        Transcript::Main | Transcript::View(_) | Transcript::Lossless => None,
    }
}

impl Session {
    /// Begins a message whose content comes in pieces; what it has is its beginning.
    ///
    /// # Errors
    ///
    /// When an interrupted draft is neither kept nor dropped yet, or the file cannot be written.
    pub fn begin_draft(&mut self, message: Message) -> Result<Draft<'_>, DraftError> {
        self.check_refusal()?;
        if self.interrupted.is_some() {
            return Err(DraftError::Interrupted);
        }
        let active = self.journal.active();
        let mut object = Object::new();
        object.insert("log", &*active.name);
        object.insert("index", active.len() as u64);
        let mut line = Vec::new();
        write_message(&message, Style::Gptme, &mut line);
        // What was just written is JSON.
        object.insert("message", parse(&line).map_or(Value::Null, |parsed| parsed.value));
        line.clear();
        write_value(&Value::Object(object), Style::Gptme, &mut line);
        line.push(b'\n');
        let path = self.layout.draft();
        let mut file = self.fs.open(&path, Open::CREATE_NEW)?;
        append(&mut *file, &line)?;
        let content = message.content().to_owned();
        Ok(Draft { session: self, file, message, content })
    }

    /// The message that was being streamed when the process before this one died, as far as it came.
    #[must_use]
    pub fn interrupted(&self) -> Option<&Message> {
        self.interrupted.as_ref().map(|interrupted| &interrupted.message)
    }

    /// The log that the interrupted message was streamed to.
    #[must_use]
    pub fn interrupted_in(&self) -> Option<&Transcript> {
        self.interrupted.as_ref().map(|interrupted| &interrupted.which)
    }

    /// Appends what there is of the interrupted message; `None` when there is none.
    ///
    /// # Errors
    ///
    /// When it was streamed to another branch than the session is on; as [`append`](Self::append). The draft stays
    /// then.
    pub fn keep_interrupted(&mut self) -> Result<Option<Appended>, DraftError> {
        let Some(Interrupted { message, which }) = self.interrupted.clone() else { return Ok(None) };
        if branch(&which) != branch(&self.journal.base.which) {
            return Err(DraftError::Elsewhere { which });
        }
        let appended = self.append(message)?;
        self.drop_interrupted()?;
        Ok(Some(appended))
    }

    /// Removes the interrupted message, and gives it back one last time.
    ///
    /// # Errors
    ///
    /// When its file cannot be removed.
    pub fn drop_interrupted(&mut self) -> Result<Option<Message>, DraftError> {
        remove(&*self.fs, &self.layout)?;
        Ok(self.interrupted.take().map(|interrupted| interrupted.message))
    }
}

impl Draft<'_> {
    /// Adds a piece; it survives the death of the process when this returns.
    ///
    /// # Errors
    ///
    /// When it cannot be written; what came before stays.
    pub fn push(&mut self, piece: &str) -> Result<(), DraftError> {
        let mut line = Vec::with_capacity(piece.len().saturating_add(3));
        write_string(piece, Style::Gptme, &mut line);
        line.push(b'\n');
        append(&mut *self.file, &line)?;
        self.content.push_str(piece);
        Ok(())
    }

    /// The content so far.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// Makes an ordinary message of it.
    ///
    /// # Errors
    ///
    /// As [`Session::append`]; the draft stays then, as interrupted.
    pub fn finish(self) -> Result<Appended, DraftError> {
        self.finish_with(|message| message)
    }

    /// The same for a message of which more is known at the end than at the beginning: its usage, say. The content
    /// and the time must stay.
    ///
    /// # Errors
    ///
    /// As [`Self::finish`].
    pub fn finish_with(mut self, complete: impl FnOnce(Message) -> Message) -> Result<Appended, DraftError> {
        let message = complete(self.message.clone().with_content(std::mem::take(&mut self.content)));
        let appended = self.session.append(message)?;
        remove(&*self.session.fs, &self.session.layout)?;
        Ok(appended)
    }

    /// Drops it, on the disk too.
    ///
    /// # Errors
    ///
    /// When its file cannot be removed.
    pub fn discard(self) -> Result<(), DraftError> {
        Ok(remove(&*self.session.fs, &self.session.layout)?)
    }
}

/// Whether there is the file of a draft.
pub(super) fn is_there(fs: &dyn FileSystem, layout: &Layout) -> Result<bool, Error> {
    match fs.lstat(&layout.draft()) {
        Ok(_) => Ok(true),
        Err(error) if error.is_not_found() => Ok(false),
        Err(error) => Err(error),
    }
}

/// The draft that a session left, once one that was finished is removed: its message stands where it was to.
pub(super) fn interrupted(fs: &Arc<dyn FileSystem>, layout: &Layout) -> Result<Option<Interrupted>, Error> {
    if !is_there(&**fs, layout)? {
        return Ok(None);
    }
    let bytes = convlog_fs::read_all(&**fs, &layout.draft())?;
    let time = Timestamp::now_utc();
    let Some((name, index, message)) = read(&bytes, &time) else {
        remove(&**fs, layout)?;
        return Ok(None);
    };
    let conversation = Conversation::at(Arc::clone(fs), layout.clone());
    let which = Transcript::from_relative(&name).unwrap_or_default();
    let log = conversation.read(&which).map(|reading| reading.log).unwrap_or_default();
    if is_finished(&log, index, &message) {
        remove(&**fs, layout)?;
        return Ok(None);
    }
    Ok(Some(Interrupted { message, which }))
}

fn is_finished(log: &Log, index: usize, message: &Message) -> bool {
    log.iter().skip(index).any(|stands| stands == message && stands.timestamp() == message.timestamp())
}

/// The message of a draft's file, with the pieces that are whole, and where it was to stand. `None` where not even the
/// first line is.
fn read(bytes: &[u8], time: &Timestamp) -> Option<(String, usize, Message)> {
    let mut lines = bytes.split_inclusive(|byte| *byte == b'\n').filter_map(|line| line.strip_suffix(b"\n"));
    let head = parse(lines.next()?).ok()?.value;
    let head = head.as_object()?;
    let Value::Number(index) = head.get("index")? else { return None };
    let mut message = Vec::new();
    write_value(head.get("message")?, Style::Gptme, &mut message);
    let reading = jsonl::read(&message, time);
    let message = reading.log.first()?;
    let mut content = message.content().to_owned();
    for piece in lines.map_while(|line| parse(line).ok()) {
        content.push_str(piece.value.as_str()?);
    }
    let index = usize::try_from(index.as_i64()?).ok()?;
    Some((head.get("log")?.as_str()?.to_owned(), index, message.clone().with_content(content)))
}

fn remove(fs: &dyn FileSystem, layout: &Layout) -> Result<(), Error> {
    match fs.remove_file(&layout.draft()) {
        Err(error) if !error.is_not_found() => Err(error),
        _ => Ok(()),
    }
}

fn append(file: &mut dyn File, line: &[u8]) -> Result<(), Error> {
    append_whole(file, line).map(drop).map_err(|error| {
        let cause = error.cause();
        Error::new(cause.operation, &cause.path, cause.kind().into())
    })
}
