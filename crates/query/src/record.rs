//! All that a list needs of a conversation's files: [`Record`], which an index can keep.

use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::time::SystemTime;

use convlog_codec::Finding;
use convlog_codec::jsonl::{Position, Skimmer};
use convlog_fs::{File, FileSystem, FileTime, Stat, read_full_at};
use convlog_message::{Timestamp, Zone};
use convlog_store::{ChatConfig, Conversation, Layout, ReadError, Transcript, WrittenConfig};
use serde::{Deserialize, Serialize};

use crate::ConversationMeta;
use crate::agent::Agents;
use crate::summary::{Spoken, Summary};

/// A transcript of up to so many bytes is read at once.
const AT_ONCE: usize = 4 << 20;
/// How much of a longer one is read at a time.
const BUFFER: usize = 128 << 10;

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

/// Reads main, which is open, through and hands each oddity to `report`: a short one at once, into a buffer that is best used again, and
/// a long one piece by piece, in constant memory.
pub(crate) fn scan(
    conversation: &Conversation,
    file: Box<dyn File>,
    buffer: &mut Vec<u8>,
    report: impl FnMut(Finding),
) -> Result<Scanned, ReadError> {
    let stat = file.stat()?;
    let fallback = SystemTime::from(stat.mtime).into();
    let Some(length) = usize::try_from(stat.len).ok().filter(|length| *length <= AT_ONCE) else {
        let mut skimmer = Skimmer::new(BufReader::with_capacity(BUFFER, file), fallback);
        let mut scanned = go_on(conversation, Summary::default(), stat, &mut skimmer, report)?;
        scanned.summary.look_up_spoken(&**skimmer.input().get_ref())?;
        return Ok(scanned);
    };
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
    let bytes = buffer.get_mut(..length).unwrap_or_default();
    let read = read_full_at(&*file, bytes, 0)?;
    let bytes = bytes.get(..read).unwrap_or_default();
    let mut scanned = go_on(conversation, Summary::default(), stat, &mut Skimmer::new(bytes, fallback), report)?;
    scanned.summary.decode_spoken(|span| Ok::<_, ReadError>(bytes.get(span).unwrap_or_default().into()))?;
    Ok(scanned)
}

/// Adds what `skimmer` has yet to read to a summary of what came before; what was said last is not decoded yet.
pub(crate) fn go_on<R: BufRead>(
    conversation: &Conversation,
    mut summary: Summary,
    stat: Stat,
    skimmer: &mut Skimmer<R>,
    report: impl FnMut(Finding),
) -> Result<Scanned, ReadError> {
    let stream = |source| ReadError::Stream { path: conversation.layout().transcript(&Transcript::Main), source };
    summary.read(skimmer, report).map_err(stream)?;
    Ok(Scanned { summary, stat, position: skimmer.position() })
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
