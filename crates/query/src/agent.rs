//! What an agent's own settings (`gptme.toml`) say of it.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use convlog_fs::FileSystem;
use toml_edit::DocumentMut;

/// The `[agent]` table of a `gptme.toml`.
#[derive(Debug, Default)]
pub(crate) struct Agent {
    pub(crate) name: Option<String>,
    pub(crate) avatar: Option<String>,
    pub(crate) urls: Option<BTreeMap<String, String>>,
}

/// The agents met so far: one is often behind many conversations.
#[derive(Debug, Default)]
pub(crate) struct Agents(Mutex<HashMap<PathBuf, Arc<Agent>>>);

impl Agents {
    /// The settings in an agent's directory, read once.
    pub(crate) fn read(&self, fs: &dyn FileSystem, home: &Path) -> Arc<Agent> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(agent) = known.get(home) {
            return Arc::clone(agent);
        }
        let agent = Arc::new(Agent::read(fs, home));
        known.insert(home.to_path_buf(), Arc::clone(&agent));
        agent
    }
}

impl Agent {
    /// Reads the settings in an agent's directory; what is missing or cannot be read is left out, since
    /// a list is no place to complain of somebody else's file.
    fn read(fs: &dyn FileSystem, home: &Path) -> Self {
        let candidates = [home.join("gptme.toml"), home.join(".github/gptme.toml")];
        let read = |path: &std::path::PathBuf| convlog_fs::read_all(fs, path).ok();
        let text = candidates.iter().find_map(read).and_then(|bytes| String::from_utf8(bytes).ok());
        let Some(document) = text.and_then(|text| text.parse::<DocumentMut>().ok()) else { return Self::default() };
        let Some(agent) = document.get("agent").and_then(|agent| agent.as_table_like()) else {
            return Self::default();
        };
        let text = |key| agent.get(key).and_then(|item| item.as_str()).map(str::to_owned);
        let urls = agent.get("urls").and_then(|urls| urls.as_table_like()).map(|urls| {
            urls.iter().filter_map(|(name, url)| Some((name.to_owned(), url.as_str()?.to_owned()))).collect()
        });
        Self { name: text("name"), avatar: text("avatar"), urls }
    }
}
