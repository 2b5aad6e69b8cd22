//! Seeing what another program appends: [`Follower`].

use std::io::{BufReader, Seek as _, SeekFrom};
use std::time::SystemTime;

use convlog_codec::Finding;
use convlog_codec::jsonl::{Position, Skimmed, Skimmer};
use convlog_fs::FileId;
use convlog_message::Message;
use convlog_store::{Conversation, ReadError, Transcript};

/// How much is read at a time.
const BUFFER: usize = 64 << 10;

/// Sees what other programs append to a log. Takes no lock and writes nothing.
#[derive(Debug)]
pub struct Follower {
    conversation: Conversation,
    transcript: Transcript,
    file: FileId,
    position: Position,
    /// How many messages there are.
    messages: u64,
}

/// What has come since one looked last.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Followed {
    /// Messages with their index.
    pub messages: Vec<(u64, Message)>,
    /// What was odd about the new lines.
    pub findings: Vec<Finding>,
    /// Whether the log was written anew, as by undo or edit: what was seen before may not stand there now.
    pub is_rewritten: bool,
}

impl Follower {
    /// Follows a log from its present end.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn new(conversation: Conversation, transcript: Transcript) -> Result<Self, ReadError> {
        let file = conversation.stat(&transcript)?.id;
        let mut follower = Self { conversation, transcript, file, position: Position::default(), messages: 0 };
        follower.read(|_, _| {})?;
        Ok(follower)
    }

    /// What has come since; a line without its newline has not come yet. When the log was written anew, the
    /// messages beyond the number seen so far count as new.
    ///
    /// # Errors
    ///
    /// When it cannot be read.
    pub fn poll(&mut self) -> Result<Followed, ReadError> {
        let stat = self.conversation.stat(&self.transcript)?;
        let mut followed = Followed::default();
        if stat.id == self.file && stat.len == self.position.offset {
            return Ok(followed);
        }
        let mut known = 0;
        if stat.id != self.file || stat.len < self.position.offset {
            followed.is_rewritten = true;
            known = self.messages;
            (self.file, self.position, self.messages) = (stat.id, Position::default(), 0);
        }
        let messages = &mut followed.messages;
        followed.findings = self.read(|index, message| {
            if index >= known {
                messages.extend(message().map(|message| (index, message)));
            }
        })?;
        followed.messages.retain(|(index, _)| *index < self.messages);
        Ok(followed)
    }

    /// Reads on to the last newline, and hands over what stands there, and what after it as well.
    fn read(&mut self, mut each: impl FnMut(u64, &dyn Fn() -> Option<Message>)) -> Result<Vec<Finding>, ReadError> {
        let path = self.conversation.layout().transcript(&self.transcript);
        let stream = |source| ReadError::Stream { path: path.clone(), source };
        let mut file = self.conversation.open_file(&self.transcript)?;
        let stat = file.stat()?;
        file.seek(SeekFrom::Start(self.position.offset)).map_err(stream)?;
        let fallback: convlog_message::Timestamp = SystemTime::from(stat.mtime).into();
        let mut skimmer = Skimmer::resume(BufReader::with_capacity(BUFFER, file), fallback, self.position);
        let (mut index, mut findings) = (self.messages, Vec::new());
        loop {
            let more = skimmer.next_line(|skimmed| {
                each(index, &|| match &skimmed {
                    Skimmed::Plain(skim) => skim.message(),
                    Skimmed::Odd(entry) => Some(entry.message.clone()),
                });
                index = index.saturating_add(1);
            });
            let Some(position) = skimmer.position().filter(|_| matches!(more, Ok(true))) else {
                return more.map(|_| findings).map_err(stream);
            };
            findings.extend(skimmer.report_mut().drain());
            (self.position, self.messages) = (position, index);
        }
    }
}
