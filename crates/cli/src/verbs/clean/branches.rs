//! Backup branches beyond the newest few of each kind.

use std::path::{Path, PathBuf};

use anyhow::Result;
use convlog_store::{Backup, Conversation, ConversationId, SessionOptions};
use serde_json::json;

use super::Action;
use crate::app::{App, Outcome};
use crate::measure::print_rows;
use crate::output::size;
use crate::telling::told;

/// What was found in all conversations so far.
struct Cleaning<'a> {
    app: &'a App,
    keep: usize,
    action: Action,
    branches: u64,
    bytes: u64,
    failed: bool,
    locked: bool,
}

/// Lists or removes the backup branches beyond the newest `keep` of each kind.
pub(super) fn run(app: &App, ids: &[String], keep: usize, action: Action) -> Result<Outcome> {
    let mut cleaning = Cleaning { app, keep, action, branches: 0, bytes: 0, failed: false, locked: false };
    let homes: Vec<Result<PathBuf>> = if ids.is_empty() {
        let home = |id: ConversationId| app.logs.path().join(id.as_str());
        app.logs.list()?.map(|id| id.map(home).map_err(Into::into)).collect()
    } else {
        ids.iter().map(|id| home(app, id, action)).collect()
    };
    for home in homes {
        if let Err(error) = home.and_then(|home| cleaning.conversation(&home)) {
            let locked = crate::is_locked(&error);
            (cleaning.locked, cleaning.failed) = (cleaning.locked || locked, cleaning.failed || !locked);
            app.warn(format_args!("passed over: {}", told(&error)));
        }
    }
    cleaning.total()
}

/// The home of a conversation that is named; to remove something from it, its whole id is wanted.
fn home(app: &App, id: &str, action: Action) -> Result<PathBuf> {
    match action {
        Action::List => Ok(app.logs.find(id)?.layout().home().to_path_buf()),
        Action::Delete => Ok(app.logs.home_of(id)?),
    }
}

impl Cleaning<'_> {
    fn conversation(&mut self, home: &Path) -> Result<()> {
        let conversation = Conversation::open(self.app.fs(), home)?;
        let found = conversation.backups_beyond(self.keep)?;
        if found.is_empty() {
            return Ok(());
        }
        if self.action == Action::List {
            return found.iter().try_for_each(|backup| self.tell(home, backup));
        }
        let mut session = self.app.open_at(home, SessionOptions::default())?;
        // Only now nobody else changes them, and opening may have made one.
        for backup in conversation.backups_beyond(self.keep)? {
            session.delete_branch(&backup.branch)?;
            self.tell(home, &backup)?;
        }
        Ok(session.close()?)
    }

    fn tell(&mut self, home: &Path, backup: &Backup) -> Result<()> {
        self.branches = self.branches.saturating_add(1);
        self.bytes = self.bytes.saturating_add(backup.bytes);
        let (id, branch) = (home.file_name().unwrap_or_default().to_string_lossy(), backup.branch.as_str());
        let row = (
            json!({"id": id, "branch": branch, "bytes": backup.bytes, "deleted": self.action == Action::Delete}),
            vec![id.into_owned(), branch.to_owned(), size(backup.bytes)],
        );
        print_rows(self.app, &[row])
    }

    fn total(&self) -> Result<Outcome> {
        let deleted = self.action == Action::Delete;
        let many = if self.branches == 1 {
            "1 backup branch".to_owned()
        } else {
            format!("{} backup branches", self.branches)
        };
        let end = match self.action {
            _ if self.branches == 0 => "",
            Action::Delete => " removed",
            Action::List => "; `--delete` removes them",
        };
        self.app.answer(
            &json!({"branches": self.branches, "bytes": self.bytes, "deleted": deleted}),
            format_args!("{many}, {}{end}", size(self.bytes)),
        )?;
        Ok(match (self.failed, self.locked) {
            (true, _) => Outcome::Failed,
            (false, true) => Outcome::Locked,
            (false, false) => Outcome::Done,
        })
    }
}
