//! The shape of the command line.

use std::path::PathBuf;

use clap::{CommandFactory as _, Parser, Subcommand, ValueEnum};

use crate::completion;
use crate::verbs::{
    append, backtrack, branch, clean, codeblocks, compact, completions, context, delete, diff, edit, events, export,
    follow, fork, import, list, man, mark, marks, next, recover, rename, restore, search, show, stats, undo, verify,
    view,
};

/// Keeps the conversations between people and AI agents.
///
/// Works on the directories of gptme. Nothing is changed by looking; what an undo or an edit replaces is kept
/// in a backup branch.
#[derive(Debug, Parser)]
#[command(name = "convlog", version, max_term_width = 100, after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The directory of all conversations [default: $GPTME_LOGS_HOME, $XDG_DATA_HOME/gptme/logs, ~/.local/share/gptme/logs]
    #[arg(long, global = true, value_name = "DIR", help_heading = GLOBAL)]
    pub(crate) logs: Option<PathBuf>,

    /// What is printed: text for people, one JSON object a line for programs, or nothing but errors
    #[arg(long, global = true, value_enum, default_value_t = Format::Text, help_heading = GLOBAL)]
    pub(crate) format: Format,

    /// Short for `--format json`
    #[arg(long, global = true, conflicts_with = "format", help_heading = GLOBAL)]
    pub(crate) json: bool,

    /// Whether to colour the text
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "COLOR", help_heading = GLOBAL)]
    pub(crate) color: Color,

    /// Say more: also what is odd but harmless
    #[arg(short, long, global = true, help_heading = GLOBAL)]
    pub(crate) verbose: bool,

    #[command(subcommand)]
    pub(crate) verb: Verb,
}

/// Stands in each verb's help behind the options of its own.
const GLOBAL: &str = "Options of every verb";

const EXAMPLES: &str = "\
Examples:
  convlog list -n 5                     the five conversations that were active last
  convlog show 2026-01-12 --last 3      how a conversation ended (the beginning of an id is enough)
  convlog --json show ID | jq .content  for programs: one object a line
  convlog verify --all                  read everything and say what does not fit

Exit codes: 0 done; 1 failed, not found, or `verify` found something; 2 wrong usage; 3 locked by another process.";

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    List(list::Options),
    Show(show::Options),
    Search(search::Options),
    Stats(stats::Options),
    Follow(follow::Options),
    Append(append::Options),
    Undo(undo::Options),
    Edit(edit::Options),
    Export(export::Options),
    Import(import::Options),
    Codeblocks(codeblocks::Options),
    Branch(branch::Options),
    Diff(diff::Options),
    Restore(restore::Options),
    View(view::Options),
    Mark(mark::Options),
    Marks(marks::Options),
    Backtrack(backtrack::Options),
    Fork(fork::Options),
    Context(context::Options),
    Next(next::Options),
    Verify(verify::Options),
    Recover(recover::Options),
    Events(events::Options),
    Compact(compact::Options),
    Rename(rename::Options),
    Delete(delete::Options),
    Clean(clean::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// What is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people; may change from version to version
    Text,
    /// For programs: one object a line
    Json,
    /// Nothing but errors
    Quiet,
}

/// Whether to colour the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// When it goes to a terminal, and $NO_COLOR is not set
    Auto,
    Always,
    Never,
}

impl Args {
    /// The whole command line, with all that a help, a page of the manual or a shell can say about it.
    pub(crate) fn shape() -> clap::Command {
        completion::attach(Self::command())
    }

    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format() == Format::Json
    }
}

/// A count of things: digits, as many as one likes; what is beyond all counting means all.
pub(crate) fn count(text: &str) -> Result<u64, String> {
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err("a whole number, 0 or more, is wanted".to_owned());
    }
    Ok(text.parse().unwrap_or(u64::MAX))
}

/// Ends the program as wrong arguments do.
pub(crate) fn usage(message: &dyn std::fmt::Display) -> ! {
    Args::command().error(clap::error::ErrorKind::ValueValidation, message).exit()
}
