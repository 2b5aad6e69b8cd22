//! `convlog list`: the conversations, the last active first.

use std::io::Write as _;
use std::time::SystemTime;

use anyhow::Result;
use clap::ValueEnum;
use convlog_query::{ConversationMeta, Detail, Direction, Index, ListOptions, Listing, Tests};
use unicode_width::UnicodeWidthStr as _;

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::output::{counted, cut, local_seconds, pad, printable, terminal_width};
use crate::pager::Output;
use crate::progress::waiting;
use crate::style;
use crate::when::When;

/// List the conversations, the last active first
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog list -n 5\n  convlog list --sort cost\n  convlog --json list | jq -r .id")]
pub(crate) struct Options {
    /// Show at most N conversations
    #[arg(short = 'n', value_name = "N", value_parser = count, default_value = "20", conflicts_with = "all")]
    number: u64,

    /// Show all conversations
    #[arg(long)]
    all: bool,

    /// What comes first
    #[arg(long, value_enum, default_value_t = Sort::Active, value_name = "BY")]
    sort: Sort,

    /// Turn the order round
    #[arg(long)]
    reverse: bool,

    /// Leave out costs, tokens and branches, and count messages by the looks of their lines
    #[arg(long)]
    fast: bool,

    /// Leave out conversations that tests make: `test-…`, `tmp…`, `…gptme-evals-…`
    #[arg(long)]
    no_test: bool,

    /// Only what was active since then: a day (2026-01-31), a time (2026-01-31T12:00), or so long ago (7d, 12h)
    #[arg(long, value_name = "WHEN", value_parser = When::parse)]
    since: Option<When>,

    /// Read every transcript, whatever is remembered of it
    #[arg(long)]
    no_index: bool,
}

/// What comes first. Ties go by id.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sort {
    /// The one whose last message is newest
    Active,
    /// The one whose file was changed last
    Modified,
    /// The one that was begun last
    Created,
    /// The longest
    Messages,
    /// The dearest
    Cost,
    /// By name
    Name,
}

impl From<Sort> for convlog_query::Sort {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Active => Self::Active,
            Sort::Modified => Self::Modified,
            Sort::Created => Self::Created,
            Sort::Messages => Self::Messages,
            Sort::Cost => Self::Cost,
            Sort::Name => Self::Name,
        }
    }
}

impl Options {
    fn for_query(&self, app: &App) -> ListOptions {
        let mut options = ListOptions::default();
        options.zone = app.zone;
        options.threads = app.threads();
        options.sort = self.sort.into();
        options.direction = if self.reverse { Direction::Reverse } else { Direction::Forward };
        options.detail = if self.fast { Detail::Fast } else { Detail::Full };
        options.tests = if self.no_test { Tests::Without } else { Tests::With };
        options.since = self.since.map(|when| when.seconds(app.zone));
        options.limit = if self.all { usize::MAX } else { usize::try_from(self.number).unwrap_or(usize::MAX) };
        options
    }
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let caches = app.caches.as_deref().filter(|_| !options.no_index);
    let mut index = caches.map(|caches| Index::open(&*app.fs(), caches, app.logs.path(), SystemTime::now()));
    let list = || app.logs.listing(&options.for_query(app), index.as_mut());
    let listing = waiting(app, "reading conversations", list)?;
    for skipped in &listing.skipped {
        app.warn(skipped);
    }
    for listed in listing.conversations.iter().filter(|listed| listed.unreadable > 0) {
        let lines = counted(listed.unreadable, "line");
        let id = &listed.meta.id;
        app.warn(format_args!("{id}: {lines} cannot be read; `convlog verify {id}` names them"));
    }
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            for listed in &listing.conversations {
                serde_json::to_writer(&mut out, &listed.meta).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
            out.flush()?;
        }
        Format::Text => print(app, &listing)?,
    }
    // What was found out is worth keeping, and not worth failing for.
    if let Some(Err(error)) = index.map(|index| index.save(&*app.fs()))
        && app.verbose
    {
        app.warn(error);
    }
    Ok(Outcome::Done)
}

/// One line a conversation: when, id, how much, and what was said last as far as the terminal goes.
fn print(app: &App, listing: &Listing) -> Result<()> {
    let found: Vec<&ConversationMeta> = listing.conversations.iter().map(|listed| &listed.meta).collect();
    let mut out = std::io::BufWriter::new(Output::new());
    let width = terminal_width().unwrap_or(120);
    let widest = |column: fn(&ConversationMeta) -> usize| found.iter().map(|meta| column(meta)).max().unwrap_or(0);
    let ids = widest(|meta| meta.id.width()).clamp(2, 48);
    let counts = widest(|meta| meta.messages.to_string().len()).max(1);
    for meta in &found {
        let time = local_seconds(meta.active(), app.zone);
        let id = pad(&cut(&meta.id, ids), ids);
        let messages = format!("{:>counts$}", meta.messages);
        let name = if meta.name == meta.id { String::new() } else { format!("{}  ", printable(&meta.name)) };
        let taken = [time.width(), ids, counts, 6].into_iter().fold(0, usize::saturating_add);
        let room = width.saturating_sub(taken);
        let name = cut(&name, room);
        let last = meta.last_message_preview.as_deref().map(printable).unwrap_or_default();
        let last = cut(&last, room.saturating_sub(name.width()));
        write!(out, "{}  {id}  {messages}", style::faint(time))?;
        if !(name.is_empty() && last.is_empty()) {
            write!(out, "  {name}{}", style::faint(last))?;
        }
        writeln!(out)?;
    }
    if found.is_empty() && listing.more == 0 {
        writeln!(out, "no conversations in {}", app.logs.path().display())?;
    } else if listing.more > 0 {
        let more = format!("{} more; `--all` shows them", counted(listing.more as u64, "conversation"));
        writeln!(out, "{}", style::faint(more))?;
    }
    Ok(out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?)
}
