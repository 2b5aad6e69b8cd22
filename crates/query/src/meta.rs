//! What a list shows of a conversation: [`ConversationMeta`].

use std::collections::BTreeMap;

use convlog_codec::Report;
use convlog_message::Zone;
use convlog_store::{Conversation, ReadError, Transcript};
use serde::Serialize;

use crate::agent::Agents;
use crate::record::{self, Config, Record};
use crate::totals::ModelUsage;

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
        let file = conversation.open_file(&Transcript::Main)?;
        let mut report = Report::default();
        let scanned = record::scan(conversation, file, &mut Vec::new(), |finding| report.push(finding))?;
        let (fs, layout) = (conversation.file_system(), conversation.layout());
        let record = Record {
            summary: scanned.summary,
            config: Config::read(fs, layout),
            branches: record::count_branches(conversation),
        };
        Ok((record.describe(fs, layout, &scanned.stat, &Agents::default(), zone), report))
    }

    /// When it was last active: the time of the last message, or else of the file's last change.
    #[must_use]
    pub fn active(&self) -> f64 {
        self.last_message_at.unwrap_or(self.modified)
    }
}
