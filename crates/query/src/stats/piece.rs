//! What one message adds to the counts: [`Piece`].

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use convlog_codec::jsonl::Entry;
use convlog_message::json::{Number, Object, Value};
use convlog_message::{Message, Role, Timestamp, Zone};
use convlog_store::ConversationId;
use time::PrimitiveDateTime;

use super::figures::BadNumber;
use super::{StatsOptions, ToolCalls};

/// So many numbers of a wrong type are named for each conversation; all are counted.
const NAMED: usize = 8;
const COUNTS: [&str; 5] =
    ["input_tokens", "output_tokens", "cache_read_tokens", "cache_creation_tokens", "reasoning_tokens"];

/// What one message adds to the counts.
#[derive(Debug)]
pub(super) struct Piece {
    /// Knows the message again in another conversation; `None` when it records no time, for then it could be
    /// any.
    pub(super) hash: Option<u64>,
    pub(super) role: String,
    /// On the clock of the zone asked for, and in seconds since 1970.
    pub(super) at: Option<(PrimitiveDateTime, f64)>,
    /// Whether there is metadata, and whose it is.
    pub(super) model: Option<String>,
    pub(super) cost: f64,
    pub(super) input: u64,
    pub(super) output: u64,
    pub(super) cache_read: u64,
    pub(super) cache_creation: u64,
    /// Tools it calls.
    pub(super) calls: Vec<String>,
    /// The tool it is the result of.
    pub(super) result_of: Option<String>,
    /// Milliseconds that tools took.
    pub(super) tool_ms: Vec<(String, f64)>,
}

/// Makes pieces of the messages of one conversation.
pub(super) struct Counter<'a> {
    id: &'a ConversationId,
    zone: Zone,
    since: Option<f64>,
    calls: Option<ToolCalls<'a>>,
    /// The model named last.
    model: Option<String>,
    bad: Vec<BadNumber>,
}

impl<'a> Counter<'a> {
    pub(super) fn new(id: &'a ConversationId, options: &StatsOptions<'a>) -> Self {
        let StatsOptions { zone, since, calls, .. } = *options;
        Self { id, zone, since, calls, model: None, bad: Vec::new() }
    }

    /// What a message adds; `None` when it is older than asked for.
    pub(super) fn piece(&mut self, entry: &Entry) -> Option<Piece> {
        let message = &entry.message;
        let metadata = message.metadata();
        if let Some(model) = metadata.model().filter(|model| !model.is_empty()) {
            self.model = Some(model.to_owned());
        }
        let seconds = message.timestamp().to_utc(self.zone).unix_timestamp_nanos() as f64 / 1e9;
        if self.since.is_some_and(|since| seconds < since) {
            return None;
        }
        self.note_bad(entry.line.number(), metadata.as_object());
        let is_recorded = message.has_recorded_timestamp();
        let usage = metadata.usage();
        let has_metadata = !metadata.is_empty();
        Some(Piece {
            hash: is_recorded.then(|| hash(message)),
            role: message.role().to_string(),
            at: is_recorded.then(|| (self.clock(message.timestamp()), seconds)),
            model: has_metadata.then(|| self.model.clone().unwrap_or_else(|| "unknown".to_owned())),
            cost: metadata.cost().unwrap_or_default(),
            input: usage.total_input(),
            output: usage.output_tokens.unwrap_or_default(),
            cache_read: usage.cache_read_tokens.unwrap_or_default(),
            cache_creation: usage.cache_creation_tokens.unwrap_or_default(),
            calls: match self.calls {
                Some(calls) if *message.role() == Role::Assistant => calls(message),
                _ => Vec::new(),
            },
            result_of: metadata.tool().map(str::to_owned),
            tool_ms: metadata.timings().tool_ms_by_name,
        })
    }

    pub(super) fn into_bad(self) -> Vec<BadNumber> {
        self.bad
    }

    fn clock(&self, time: &Timestamp) -> PrimitiveDateTime {
        if time.is_naive() && self.zone == Zone::Local {
            return time.local();
        }
        let time = time.in_zone(self.zone);
        PrimitiveDateTime::new(time.date(), time.time())
    }

    /// Notes members that should be numbers and are not; a `null` counts as missing.
    fn note_bad(&mut self, line: u64, metadata: &Object) {
        let counts = match metadata.get("usage") {
            Some(Value::Object(usage)) => usage,
            Some(Value::Null) | None => metadata,
            Some(_) => return self.note(line, "usage"),
        };
        let is_bad = |value: &Value| *value != Value::Null && value.as_number().and_then(Number::as_f64).is_none();
        if metadata.get("cost").is_some_and(is_bad) {
            self.note(line, "cost");
        }
        for key in COUNTS {
            let is_count =
                |value: &Value| *value == Value::Null || value.as_number().and_then(Number::as_u64).is_some();
            if counts.get(key).is_some_and(|value| !is_count(value)) {
                self.note(line, key);
            }
        }
    }

    fn note(&mut self, line: u64, member: &'static str) {
        if self.bad.len() < NAMED {
            self.bad.push(BadNumber { id: self.id.clone(), line, member });
        }
    }
}

fn hash(message: &Message) -> u64 {
    let mut hasher = DefaultHasher::new();
    message.hash(&mut hasher);
    message.timestamp().to_string().hash(&mut hasher);
    // Two that differ in what they cost are not the same, however alike.
    format!("{:?}", message.metadata()).hash(&mut hasher);
    hasher.finish()
}
