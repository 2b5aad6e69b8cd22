//! What a list shows of a conversation: [`ConversationMeta`].

use std::collections::BTreeMap;

use convlog_codec::Report;
use convlog_fs::FileTime;
use convlog_message::{Role, Timestamp, Zone};
use convlog_store::{ChatConfig, Conversation, ReadError, Transcript};
use serde::Serialize;

use crate::agent::Agent;
use crate::preview::preview;
use crate::totals::{ModelUsage, Totals};

/// All that a list shows of a conversation, as gptme's type of that name has it, and the time of the last
/// message besides. Times are seconds since 1970-01-01 UTC.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ConversationMeta {
    /// The name of its directory.
    pub id: String,
    /// The name it was given, or else the id.
    pub name: String,
    /// Its transcript.
    pub path: String,
    /// The time of the first message, or else of the file's last change.
    pub created: f64,
    /// The file's last change.
    pub modified: f64,
    /// The time of the last message, when it has one.
    pub last_message_at: Option<f64>,
    /// The number of messages that can be read.
    pub messages: u64,
    /// The number of branches, main included.
    pub branches: u64,
    /// The directory that the agent works in.
    pub workspace: String,
    /// The agent's name, from its own settings.
    pub agent_name: Option<String>,
    /// The agent's directory.
    pub agent_path: Option<String>,
    /// The agent's picture.
    pub agent_avatar: Option<String>,
    /// The agent's pages, by name.
    pub agent_urls: Option<BTreeMap<String, String>>,
    /// The model used last.
    pub model: Option<String>,
    /// US dollars.
    pub total_cost: f64,
    /// All input, that from and to the cache included.
    pub total_input_tokens: u64,
    /// All output.
    pub total_output_tokens: u64,
    /// The part of the input that came from the cache.
    pub total_cache_read_tokens: u64,
    /// The same by model.
    pub models_usage: BTreeMap<String, ModelUsage>,
    /// Who spoke last, when there is a preview.
    pub last_message_role: Option<String>,
    /// The beginning of what was said last, by person or model.
    pub last_message_preview: Option<String>,
}

impl ConversationMeta {
    /// Reads a conversation through, in constant memory, and sums it up; with what was odd in it.
    ///
    /// Times without an offset are understood by `zone`. Settings that cannot be read count as missing.
    ///
    /// # Errors
    ///
    /// When main cannot be read.
    pub fn read(conversation: &Conversation, zone: Zone) -> Result<(Self, Report), ReadError> {
        let stat = conversation.stat(&Transcript::Main)?;
        let path = conversation.layout().transcript(&Transcript::Main);
        let mut reader = conversation.stream(&Transcript::Main)?;
        let mut scan = Scan::default();
        for entry in &mut reader {
            let entry = entry.map_err(|source| ReadError::Stream { path: path.clone(), source })?;
            scan.add(&entry.message);
        }
        let config = conversation.config().unwrap_or_else(|_| {
            let mut config = ChatConfig::default();
            config.workspace = conversation.layout().home().to_path_buf();
            config
        });
        let agent = config.agent.as_deref().map(|home| Agent::read(conversation.file_system(), home));
        let agent = agent.unwrap_or_default();
        let home = conversation.layout().home();
        let id = home.file_name().map_or_else(|| home.to_string_lossy(), |name| name.to_string_lossy()).into_owned();
        let modified = seconds(stat.mtime);
        let meta = Self {
            name: config.name.unwrap_or_else(|| id.clone()),
            id,
            path: path.to_string_lossy().into_owned(),
            created: scan.first.map_or(modified, |time| instant(&time, zone)),
            modified,
            last_message_at: scan.last.map(|time| instant(&time, zone)),
            messages: scan.messages,
            branches: conversation.branches().map_or(1, |branches| (branches.len() as u64).saturating_add(1)),
            workspace: config.workspace.to_string_lossy().into_owned(),
            agent_name: agent.name,
            agent_path: config.agent.map(|path| path.to_string_lossy().into_owned()),
            agent_avatar: agent.avatar,
            agent_urls: agent.urls,
            model: scan.totals.model,
            total_cost: scan.totals.all.cost,
            total_input_tokens: scan.totals.all.input_tokens,
            total_output_tokens: scan.totals.all.output_tokens,
            total_cache_read_tokens: scan.totals.all.cache_read_tokens,
            models_usage: scan.totals.by_model,
            last_message_role: scan.preview.as_ref().map(|(role, _)| role.to_string()),
            last_message_preview: scan.preview.map(|(_, text)| text),
        };
        Ok((meta, reader.into_report()))
    }

    /// When it was last active: the time of the last message, or else of the file's last change.
    #[must_use]
    pub fn active(&self) -> f64 {
        self.last_message_at.unwrap_or(self.modified)
    }
}

/// What is gathered message by message.
#[derive(Default)]
struct Scan {
    messages: u64,
    first: Option<Timestamp>,
    last: Option<Timestamp>,
    totals: Totals,
    preview: Option<(Role, String)>,
}

impl Scan {
    fn add(&mut self, message: &convlog_message::Message) {
        if self.messages == 0 {
            self.first = Some(message.timestamp().clone());
        }
        self.messages = self.messages.saturating_add(1);
        if message.has_recorded_timestamp() {
            self.last = Some(message.timestamp().clone());
        }
        self.totals.add(message.metadata());
        if matches!(message.role(), Role::User | Role::Assistant) {
            self.preview = preview(message.content()).map(|text| (message.role().clone(), text));
        }
    }
}

fn instant(time: &Timestamp, zone: Zone) -> f64 {
    let micros = time.to_utc(zone).unix_timestamp_nanos().checked_div(1_000).unwrap_or_default();
    // Exact to the microsecond until the year 2255: 53 bits.
    (micros as f64) / 1e6
}

fn seconds(time: FileTime) -> f64 {
    (time.secs as f64) + f64::from(time.nanos) / 1e9
}
