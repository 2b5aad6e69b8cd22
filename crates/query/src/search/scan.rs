//! Searching one conversation: first its bytes, then, where they promise something, its messages.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::ControlFlow;

use convlog_codec::jsonl::Skimmed;
use convlog_message::{Message, Role};
use convlog_store::{Conversation, ConversationId, ReadError, Transcript};

use super::blocks::Blocks;
use super::{Depth, Found, Hit, Query, SearchOptions, Speakers};
use crate::in_order::Sink;
use crate::{LogsDir, SkippedEntry};

/// Searches one conversation.
pub(super) fn conversation(
    logs: &LogsDir,
    id: &ConversationId,
    query: &Query,
    options: &SearchOptions,
    buffer: &mut Vec<u8>,
    sink: &Sink<Found>,
) -> ControlFlow<()> {
    let conversation = match logs.open(id) {
        Ok(conversation) => conversation,
        Err(source) => {
            let path = logs.path().join(id.as_str());
            return sink.send(Found::Skipped(SkippedEntry::Open { path, source }));
        }
    };
    let transcripts = transcripts(&conversation, options.depth);
    let seen = (transcripts.len() > 1).then(HashMap::new);
    let mut search = Search { conversation: &conversation, id, query, options, buffer, sink, seen, told: 0 };
    for transcript in transcripts {
        match search.transcript(&transcript) {
            Ok(flow) => flow?,
            Err(source) => sink.send(Found::Skipped(SkippedEntry::Read(source)))?,
        }
    }
    ControlFlow::Continue(())
}

/// The logs of a conversation, main first.
fn transcripts(conversation: &Conversation, depth: Depth) -> Vec<Transcript> {
    let mut all = vec![Transcript::Main];
    if conversation.stat(&Transcript::Lossless).is_ok() {
        all.push(Transcript::Lossless);
    }
    if depth == Depth::Branches {
        all.extend(conversation.branches().unwrap_or_default().into_iter().map(Transcript::Branch));
    }
    all
}

struct Search<'a> {
    conversation: &'a Conversation,
    id: &'a ConversationId,
    query: &'a Query,
    options: &'a SearchOptions,
    buffer: &'a mut Vec<u8>,
    sink: &'a Sink<Found>,
    /// What was told of which log, when it may stand in another one too.
    seen: Option<HashMap<u64, Transcript>>,
    told: usize,
}

impl Search<'_> {
    fn transcript(&mut self, transcript: &Transcript) -> Result<ControlFlow<()>, ReadError> {
        if self.told >= self.options.most || !self.promises(transcript)? {
            return Ok(ControlFlow::Continue(()));
        }
        let mut skimmer = self.conversation.skim(transcript)?;
        let mut index = 0_u64;
        loop {
            let mut flow = ControlFlow::Continue(());
            let more = skimmer.next_line(|message| {
                if flow.is_continue() {
                    flow = self.message(transcript, index, message);
                }
                index = index.saturating_add(1);
            });
            skimmer.report_mut().drain();
            let more = more.map_err(|source| self.stream_error(transcript, source))?;
            if !more || flow.is_break() || self.told >= self.options.most {
                return Ok(flow);
            }
        }
    }

    /// Whether the bytes of a log can hold what is looked for.
    fn promises(&mut self, transcript: &Transcript) -> Result<bool, ReadError> {
        let file = self.conversation.open_file(transcript)?;
        if !self.query.has_candidates() {
            return Ok(true);
        }
        let mut blocks = Blocks::new(file, self.buffer);
        let path = || self.conversation.layout().transcript(transcript);
        while let Some(lines) = blocks.next_block().map_err(|source| ReadError::Stream { path: path(), source })? {
            if self.query.may_be_in(lines) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn message(&mut self, transcript: &Transcript, index: u64, skimmed: Skimmed<'_>) -> ControlFlow<()> {
        let message = match skimmed {
            Skimmed::Plain(skim) if !self.is_asked(skim.role()) || !self.query.may_be_in(skim.line()) => None,
            Skimmed::Plain(skim) => skim.message(),
            Skimmed::Odd(entry) => Some(entry.message).filter(|message| self.is_asked(message.role())),
        };
        let Some(message) = message.filter(|message| self.is_recent(message)) else {
            return ControlFlow::Continue(());
        };
        let matches = self.query.find(message.content());
        if matches.is_empty() || self.told >= self.options.most || !self.is_news(&message, transcript) {
            return ControlFlow::Continue(());
        }
        self.told = self.told.saturating_add(1);
        let hit = Hit { id: self.id.clone(), transcript: transcript.clone(), index, message, matches };
        self.sink.send(Found::Hit(Box::new(hit)))
    }

    fn is_asked(&self, role: &Role) -> bool {
        match &self.options.speakers {
            Speakers::All => true,
            Speakers::NotSystem => *role != Role::System,
            Speakers::Only(only) => role == only,
        }
    }

    fn is_recent(&self, message: &Message) -> bool {
        self.options.since.is_none_or(|since| {
            let time = message.timestamp().to_utc(self.options.zone);
            time.unix_timestamp_nanos() as f64 / 1e9 >= since
        })
    }

    /// Whether no other log of the conversation has had this message.
    fn is_news(&mut self, message: &Message, transcript: &Transcript) -> bool {
        self.seen.as_mut().is_none_or(|seen| {
            let mut hasher = DefaultHasher::new();
            (message.role(), message.content(), message.timestamp().to_string()).hash(&mut hasher);
            seen.entry(hasher.finish()).or_insert_with(|| transcript.clone()) == transcript
        })
    }

    fn stream_error(&self, transcript: &Transcript, source: std::io::Error) -> ReadError {
        ReadError::Stream { path: self.conversation.layout().transcript(transcript), source }
    }
}
