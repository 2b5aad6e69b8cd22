//! All that a list needs of a conversation's files: [`Record`], which an index can keep.

use std::io::BufReader;
use std::path::PathBuf;

use convlog_codec::Finding;
use convlog_codec::jsonl::{Position, Skimmer};
use convlog_fs::{File, FileSystem, FileTime, Stat};
use convlog_message::{Timestamp, Zone};
use convlog_store::{ChatConfig, Conversation, Layout, ReadError, Transcript, WrittenConfig};
use serde::{Deserialize, Serialize};

use crate::ConversationMeta;
use crate::agent::Agents;
use crate::summary::{Spoken, Summary};

/// What the files of a conversation say; what the disk says of other places is asked each time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) summary: Summary,
    pub(crate) config: Config,
    /// The number of branches, main included.
    pub(crate) branches: u64,
}

/// What `config.toml` says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Config {
    /// It cannot be read.
    Unreadable,
    /// It says this; all of it is missing where there is no file.
    Read { exists: bool, name: Option<String>, workspace: Option<String>, agent: Option<String> },
}

impl Config {
    pub(crate) fn read(fs: &dyn FileSystem, layout: &Layout) -> Self {
        match WrittenConfig::read(fs, layout) {
            Ok(WrittenConfig { exists, name, workspace, agent, .. }) => Self::Read { exists, name, workspace, agent },
            Err(_) => Self::Unreadable,
        }
    }

    fn resolve(&self, fs: &dyn FileSystem, layout: &Layout) -> ChatConfig {
        match self.clone() {
            Self::Read { exists, name, workspace, agent } => {
                let mut written = WrittenConfig::default();
                (written.exists, written.name) = (exists, name);
                (written.workspace, written.agent) = (workspace, agent);
                written.resolve(fs, layout)
            }
            Self::Unreadable => {
                let mut config = ChatConfig::default();
                config.workspace = layout.home().to_path_buf();
                config
            }
        }
    }
}

/// The number of branches of a conversation, main included.
pub(crate) fn count_branches(conversation: &Conversation) -> u64 {
    conversation.branches().map_or(1, |branches| (branches.len() as u64).saturating_add(1))
}

/// A transcript that was read, and how far.
pub(crate) struct Scanned {
    pub(crate) summary: Summary,
    pub(crate) stat: Stat,
    pub(crate) position: Option<Position>,
}

/// Reads main through, in constant memory, and hands each oddity to `report`.
pub(crate) fn scan(conversation: &Conversation, report: impl FnMut(Finding)) -> Result<Scanned, ReadError> {
    go_on(conversation, Summary::default(), conversation.skim(&Transcript::Main)?, report)
}

/// Adds what `skimmer` has yet to read to a summary of what came before.
pub(crate) fn go_on(
    conversation: &Conversation,
    mut summary: Summary,
    mut skimmer: Skimmer<BufReader<Box<dyn File>>>,
    report: impl FnMut(Finding),
) -> Result<Scanned, ReadError> {
    let stat = skimmer.input().get_ref().stat()?;
    let stream = |source| ReadError::Stream { path: conversation.layout().transcript(&Transcript::Main), source };
    summary.read(&mut skimmer, report).map_err(stream)?;
    let position = skimmer.position();
    let (input, _) = skimmer.into_parts();
    summary.look_up_spoken(&**input.get_ref())?;
    Ok(Scanned { summary, stat, position })
}

impl Record {
    /// The entry of a list that this makes.
    pub(crate) fn describe(
        self,
        fs: &dyn FileSystem,
        layout: &Layout,
        stat: &Stat,
        agents: &Agents,
        zone: Zone,
    ) -> ConversationMeta {
        let Self { summary, config, branches } = self;
        let config = config.resolve(fs, layout);
        let agent = config.agent.as_deref().map(|home| agents.read(fs, home)).unwrap_or_default();
        let home = layout.home();
        let id = home.file_name().map_or_else(|| home.to_string_lossy(), |name| name.to_string_lossy()).into_owned();
        let modified = seconds(stat.mtime);
        let at = |text: &Option<String>| text.as_deref().and_then(|text| instant(text, zone));
        let (last_message_role, last_message_preview) = match summary.spoken {
            Spoken::Text { role, preview } => (Some(role), Some(preview)),
            Spoken::Nothing | Spoken::At(_) => (None, None),
        };
        ConversationMeta {
            name: config.name.unwrap_or_else(|| id.clone()),
            id,
            path: text(layout.transcript(&Transcript::Main)),
            created: at(&summary.first).unwrap_or(modified),
            modified,
            last_message_at: at(&summary.last),
            messages: summary.messages,
            branches,
            workspace: text(config.workspace),
            agent_name: agent.name.clone(),
            agent_path: config.agent.map(text),
            agent_avatar: agent.avatar.clone(),
            agent_urls: agent.urls.clone(),
            model: summary.totals.model,
            total_cost: summary.totals.all.cost,
            total_input_tokens: summary.totals.all.input_tokens,
            total_output_tokens: summary.totals.all.output_tokens,
            total_cache_read_tokens: summary.totals.all.cache_read_tokens,
            models_usage: summary.totals.by_model,
            last_message_role,
            last_message_preview,
        }
    }
}

fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap_or_else(|path| path.to_string_lossy().into_owned())
}

/// A time as it stands in a file, in seconds since 1970.
pub(crate) fn instant(text: &str, zone: Zone) -> Option<f64> {
    let time: Timestamp = text.parse().ok()?;
    let micros = time.to_utc(zone).unix_timestamp_nanos().checked_div(1_000)?;
    // Exact to the microsecond until the year 2255: 53 bits.
    Some((micros as f64) / 1e6)
}

pub(crate) fn seconds(time: FileTime) -> f64 {
    (time.secs as f64) + f64::from(time.nanos) / 1e9
}
