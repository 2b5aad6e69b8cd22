//! Reading one conversation for a list, from the index where that knows it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::{Kind, Open, Stat, is_temporary};
use convlog_store::{Conversation, ConversationId, Layout, ReadError, Transcript};

use super::{Detail, ListOptions, Listed, Tests};
use crate::agent::Agents;
use crate::index::{Entry, FileKey, Keys};
use crate::record::{self, Config, Record};
use crate::{ListError, LogsDir, SkippedEntry, is_test};

/// A directory that a conversation may lie in.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    pub(crate) id: ConversationId,
    pub(crate) home: PathBuf,
}

impl LogsDir {
    /// The directories whose names can be ids; whether a conversation lies there is not asked yet, unless
    /// there is something to say of the name.
    pub(crate) fn places(
        &self,
        tests: Tests,
    ) -> Result<impl Iterator<Item = Result<Place, SkippedEntry>> + use<>, ListError> {
        let logs = self.clone();
        Ok(self.entries()?.filter_map(move |entry| {
            // A conversation that is being deleted is one no more.
            if !matches!(entry.kind, Kind::Dir | Kind::Symlink) || is_temporary(&entry.name) {
                return None;
            }
            if tests == Tests::Without && entry.name.to_str().is_some_and(is_test) {
                return None;
            }
            let home = logs.path().join(&entry.name);
            match entry.name.to_str().map(str::parse) {
                Some(Ok(id)) => Some(Ok(Place { id, home })),
                _ => logs.check(&entry.name).and_then(Result::err).map(Err),
            }
        }))
    }
}

/// What is the same for all conversations of a list.
pub(super) struct Visit<'a> {
    logs: &'a LogsDir,
    options: &'a ListOptions,
    known: Option<&'a HashMap<String, Entry>>,
    agents: Agents,
}

/// A conversation that was looked at, and what the index learns from it.
pub(super) struct Visited {
    pub(super) listed: Listed,
    pub(super) learned: Option<(String, Entry)>,
}

impl<'a> Visit<'a> {
    pub(super) fn new(logs: &'a LogsDir, options: &'a ListOptions, known: Option<&'a HashMap<String, Entry>>) -> Self {
        Self { logs, options, known, agents: Agents::default() }
    }

    /// What there is to know of a conversation; `None` when there is none. `buffer` is used again and again.
    pub(super) fn read(&self, place: &Place, buffer: &mut Vec<u8>) -> Result<Option<Visited>, SkippedEntry> {
        let fs = &**self.logs.fs();
        let layout = Layout::new(place.home.clone());
        let transcript = layout.transcript(&Transcript::Main);
        let stat = fs.stat(&transcript).ok().filter(|stat| stat.kind == Kind::File);
        let Some(stat) = stat else { return self.explain(place) };
        if self.options.detail == Detail::Fast {
            return self.glance(&layout).map(Some);
        }
        let known = self.known.map(|known| {
            let transcript = FileKey::of(&stat);
            let keys = Keys { transcript, config: self.key(&layout.config()), branches: self.key(&layout.branches()) };
            (keys, known.get(place.id.as_str()))
        });
        let entry = known.and_then(|(_, entry)| entry);
        if let Some(entry) = entry.filter(|entry| known.is_some_and(|(keys, _)| entry.keys == keys)) {
            return Ok(Some(self.visited(&layout, &stat, entry.record.clone(), None)));
        }
        let conversation = Conversation::at(Arc::clone(self.logs.fs()), layout.clone());
        let scanned = match entry.map(|entry| entry.go_on(&conversation)) {
            Some(Ok(Some(scanned))) => scanned,
            _ => fs
                .open(&transcript, Open::Read)
                .map_err(ReadError::from)
                .and_then(|file| record::scan(&conversation, file, buffer, drop))
                .map_err(SkippedEntry::Read)?,
        };
        let stat = scanned.stat;
        let record = Record {
            summary: scanned.summary,
            config: Config::read(fs, &layout),
            branches: record::count_branches(&conversation),
        };
        let learned = known.and_then(|(keys, _)| {
            let keys = Keys { transcript: FileKey::of(&stat), ..keys };
            let entry = Entry::new(&conversation, keys, scanned.position, record.clone())?;
            Some((place.id.as_str().to_owned(), entry))
        });
        Ok(Some(self.visited(&layout, &stat, record, learned)))
    }

    fn visited(&self, layout: &Layout, stat: &Stat, record: Record, learned: Option<(String, Entry)>) -> Visited {
        let unreadable = record.summary.unreadable;
        let meta = record.describe(&**self.logs.fs(), layout, stat, &self.agents, self.options.zone);
        Visited { listed: Listed { meta, unreadable }, learned }
    }

    fn glance(&self, layout: &Layout) -> Result<Visited, SkippedEntry> {
        let conversation = Conversation::at(Arc::clone(self.logs.fs()), layout.clone());
        let (summary, stat) = super::glance::glance(&conversation).map_err(SkippedEntry::Read)?;
        let record = Record { summary, config: Config::read(&**self.logs.fs(), layout), branches: 1 };
        Ok(self.visited(layout, &stat, record, None))
    }

    /// Why there is no transcript to read: no conversation at all, or something in its place.
    fn explain(&self, place: &Place) -> Result<Option<Visited>, SkippedEntry> {
        match self.logs.check(place.id.as_str().as_ref()) {
            None => return Ok(None),
            Some(Err(skipped)) => return Err(skipped),
            Some(Ok(_)) => {}
        }
        let conversation =
            self.logs.open(&place.id).map_err(|source| SkippedEntry::Open { path: place.home.clone(), source })?;
        match conversation.stat(&Transcript::Main) {
            Err(source) => Err(SkippedEntry::Read(source)),
            // It has come meanwhile; the next list has it.
            Ok(_) => {
                let path = conversation.layout().transcript(&Transcript::Main);
                Err(SkippedEntry::Read(ReadError::NotFound { which: Transcript::Main, path }))
            }
        }
    }

    fn key(&self, path: &Path) -> Option<FileKey> {
        self.logs.fs().stat(path).ok().map(|stat| FileKey::of(&stat))
    }
}
