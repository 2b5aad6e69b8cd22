//! `zeph-session`: an event log of JSON lines, synced at each append.

use std::path::Path;

use anyhow::Result;
use tokio::runtime::{Builder, Runtime};
use zeph_session::{SessionEvent, SessionEventLog};

/// A log open for writing, and the runtime that it needs.
pub struct Zeph {
    runtime: Runtime,
    log: SessionEventLog,
}

impl Zeph {
    pub fn open(dir: &Path) -> Result<Self> {
        let runtime = Builder::new_current_thread().build()?;
        let log = runtime.block_on(SessionEventLog::open_exclusive(dir))?;
        Ok(Self { runtime, log })
    }

    pub fn append(&self, content: &str) -> Result<()> {
        let event = SessionEvent::UserMessage { text: content.to_owned(), image_refs: Vec::new() };
        self.runtime.block_on(self.log.append(None, None, event))?;
        Ok(())
    }
}

/// Opens a log and reads all its messages.
pub fn read(dir: &Path) -> Result<Vec<String>> {
    let runtime = Builder::new_current_thread().build()?;
    let events = runtime.block_on(async { SessionEventLog::open(dir).await?.read_all().await })?;
    let texts = events.into_iter().filter_map(|envelope| match envelope.kind {
        SessionEvent::UserMessage { text, .. } => Some(text),
        _ => None,
    });
    Ok(texts.collect())
}
