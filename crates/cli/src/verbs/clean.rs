//! `convlog clean`: lists what could go, and removes it when told to.

mod branches;
mod small;
mod trash;

use anyhow::Result;
use convlog_store::ConversationId;

use crate::app::{App, Outcome};
use crate::args::count;

/// List what could go, and its size; move it to the trash with `--delete`
///
/// Without `--branches`: conversations that hold next to nothing. One with branches, with a line that cannot be read, or
/// with an event log that knows more than the transcript is never among them.
///
/// They go to `.convlog-trash` within the logs, whose `log.jsonl` says what came and went. `--trash` lists what lies
/// there, `--trash --restore ID` puts a conversation back, `--trash --delete` removes all of it for good.
///
/// With `--branches`: the backup branches beyond the newest N of each kind (`main-undo`, `main-edit`, …), in all
/// conversations or in those that are named; they are removed for good. Removing takes each conversation's lock; one that is locked is told of
/// and passed over.
///
/// Exit code 1 when something could not be read or removed; otherwise 3 when a conversation was locked.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog clean\n  convlog clean --max-messages 2 --delete\n  convlog clean --trash\n  convlog clean --trash --restore OLD\n  convlog clean --branches --keep 3\n  convlog clean --branches --keep 3 --delete"
)]
pub(crate) struct Options {
    /// With `--branches`: conversations; for removing, whole ids or paths [default: all]
    #[arg(value_name = "ID", requires = "branches")]
    ids: Vec<String>,

    /// At most so many messages; 1 is the system's, as a rule
    #[arg(long, value_name = "N", value_parser = count, default_value = "1", conflicts_with = "branches")]
    max_messages: u64,

    /// Look at conversations that tests make, too
    #[arg(long, conflicts_with = "branches")]
    with_test: bool,

    /// Backup branches
    #[arg(long, requires = "keep")]
    branches: bool,

    /// Keep the newest N of each kind
    #[arg(long, value_name = "N", value_parser = count, requires = "branches")]
    keep: Option<u64>,

    /// What was cleaned away before
    #[arg(long, conflicts_with_all = ["branches", "max_messages", "with_test"])]
    trash: bool,

    /// With `--trash`: put this one back
    #[arg(long, value_name = "ID", requires = "trash", conflicts_with = "delete")]
    restore: Option<ConversationId>,

    /// Move what is listed to the trash; branches, and what lies in the trash, go for good
    #[arg(long)]
    delete: bool,

    /// With `--delete`: only say what would go
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    if options.trash {
        return trash::run(app, options);
    }
    if !options.branches {
        return small::run(app, options);
    }
    let keep = options.keep.map_or(usize::MAX, |keep| usize::try_from(keep).unwrap_or(usize::MAX));
    branches::run(app, &options.ids, keep, options.action())
}

/// What happens to what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    List,
    Delete,
}

impl Options {
    fn action(&self) -> Action {
        if self.delete && !self.dry_run { Action::Delete } else { Action::List }
    }
}
