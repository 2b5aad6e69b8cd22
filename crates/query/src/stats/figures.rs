//! The sums over many messages: [`Stats`].

use std::collections::BTreeMap;

use convlog_store::ConversationId;
use serde::Serialize;

use super::piece::Piece;

/// The sums over many messages. Times are seconds since 1970; days and hours are those of the zone asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// Conversations that were read.
    pub conversations: u64,
    /// Messages, each once.
    pub messages: u64,
    /// Messages left out since another conversation has them too: one is a fork of the other.
    pub shared: u64,
    /// Lines, or parts of lines, that cannot be read.
    pub unreadable: u64,
    /// The earliest time that a message records.
    pub first: Option<f64>,
    /// The latest.
    pub last: Option<f64>,
    /// US dollars.
    pub cost: f64,
    /// All input, that from and to the cache included.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// The part of the input that came from the cache.
    pub cache_read_tokens: u64,
    /// The part of the input that was written to the cache.
    pub cache_creation_tokens: u64,
    /// Messages by role.
    pub by_role: BTreeMap<String, u64>,
    /// By model.
    pub by_model: BTreeMap<String, ModelTally>,
    /// By day, as `2026-01-31`.
    pub by_day: BTreeMap<String, DayTally>,
    /// Messages by hour of the day.
    pub by_hour: [u64; 24],
    /// By tool.
    pub by_tool: BTreeMap<String, ToolTally>,
    /// Some of the numbers that are none, and were left out.
    pub bad_numbers: Vec<BadNumber>,
}

/// What one model took.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ModelTally {
    /// Messages with metadata.
    pub messages: u64,
    /// US dollars.
    pub cost: f64,
    /// All input, that from and to the cache included.
    pub input_tokens: u64,
    /// All output.
    pub output_tokens: u64,
    /// The part of the input that came from the cache.
    pub cache_read_tokens: u64,
}

/// What was said on one day.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct DayTally {
    /// Messages.
    pub messages: u64,
    /// US dollars.
    pub cost: f64,
}

/// What one tool did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ToolTally {
    /// How often it was called, when calls were counted.
    pub calls: u64,
    /// Messages that say they are its results.
    pub results: u64,
    /// How long it took, where that was measured.
    pub milliseconds: f64,
}

/// A member that should be a number and is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct BadNumber {
    /// The conversation.
    #[serde(serialize_with = "as_text")]
    pub id: ConversationId,
    /// The line of its transcript.
    pub line: u64,
    /// The member.
    pub member: &'static str,
}

fn as_text<S: serde::Serializer>(id: &ConversationId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(id.as_str())
}

impl Stats {
    /// How long it went on, in seconds.
    #[must_use]
    pub fn duration(&self) -> f64 {
        match (self.first, self.last) {
            (Some(first), Some(last)) => (last - first).max(0.0),
            _ => 0.0,
        }
    }

    pub(super) fn add(&mut self, piece: Piece) {
        self.messages = self.messages.saturating_add(1);
        more(self.by_role.entry(piece.role).or_default(), 1);
        self.cost += piece.cost;
        more(&mut self.input_tokens, piece.input);
        more(&mut self.output_tokens, piece.output);
        more(&mut self.cache_read_tokens, piece.cache_read);
        more(&mut self.cache_creation_tokens, piece.cache_creation);
        if let Some(model) = piece.model {
            let tally = self.by_model.entry(model).or_default();
            more(&mut tally.messages, 1);
            tally.cost += piece.cost;
            more(&mut tally.input_tokens, piece.input);
            more(&mut tally.output_tokens, piece.output);
            more(&mut tally.cache_read_tokens, piece.cache_read);
        }
        if let Some((clock, seconds)) = piece.at {
            let tally = self.by_day.entry(clock.date().to_string()).or_default();
            more(&mut tally.messages, 1);
            tally.cost += piece.cost;
            if let Some(hour) = self.by_hour.get_mut(usize::from(clock.hour())) {
                more(hour, 1);
            }
            self.first = Some(self.first.map_or(seconds, |first| first.min(seconds)));
            self.last = Some(self.last.map_or(seconds, |last| last.max(seconds)));
        }
        for tool in piece.calls {
            more(&mut self.by_tool.entry(tool).or_default().calls, 1);
        }
        if let Some(tool) = piece.result_of {
            more(&mut self.by_tool.entry(tool).or_default().results, 1);
        }
        for (tool, milliseconds) in piece.tool_ms {
            self.by_tool.entry(tool).or_default().milliseconds += milliseconds;
        }
    }

    /// A conversation has come to its end.
    pub(super) fn end(&mut self, unreadable: u64, bad: Vec<BadNumber>) {
        more(&mut self.conversations, 1);
        more(&mut self.unreadable, unreadable);
        self.bad_numbers.extend(bad);
    }
}

fn more(count: &mut u64, by: u64) {
    *count = count.saturating_add(by);
}
