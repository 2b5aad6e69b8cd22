//! `convlog list`: the conversations, the last active first.

use std::cmp::Ordering;
use std::io::Write as _;

use anyhow::Result;
use clap::ValueEnum;
use convlog_query::ConversationMeta;
use unicode_width::UnicodeWidthStr as _;

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::output::{counted, cut, local_seconds, pad, printable, terminal_width};
use crate::style;

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

impl Sort {
    fn compare(self, reverse: bool, a: &ConversationMeta, b: &ConversationMeta) -> Ordering {
        let order = match self {
            Self::Active => b.active().total_cmp(&a.active()),
            Self::Modified => b.modified.total_cmp(&a.modified),
            Self::Created => b.created.total_cmp(&a.created),
            Self::Messages => b.messages.cmp(&a.messages),
            Self::Cost => b.total_cost.total_cmp(&a.total_cost),
            Self::Name => a.name.cmp(&b.name),
        };
        let order = if reverse { order.reverse() } else { order };
        order.then_with(|| a.id.cmp(&b.id))
    }
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut found = Vec::new();
    for id in app.logs.list()? {
        let id = match id {
            Ok(id) => id,
            Err(skipped) => {
                app.warn(skipped);
                continue;
            }
        };
        let read = app.logs.open(&id).map_err(anyhow::Error::from);
        match read.and_then(|conversation| Ok(ConversationMeta::read(&conversation, app.zone)?)) {
            Ok((meta, report)) => {
                app.report(meta.path.as_ref(), &report);
                found.push(meta);
            }
            Err(error) => app.warn(format_args!("{id} is passed over: {error:#}")),
        }
    }
    let total = found.len();
    found.sort_by(|a, b| options.sort.compare(options.reverse, a, b));
    if !options.all {
        found.truncate(usize::try_from(options.number).unwrap_or(usize::MAX));
    }
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let mut out = std::io::stdout().lock();
            for meta in &found {
                serde_json::to_writer(&mut out, meta).map_err(std::io::Error::from)?;
                writeln!(out)?;
            }
        }
        Format::Text => print(app, &found, total)?,
    }
    Ok(Outcome::Done)
}

/// One line a conversation: when, id, how much, and what was said last as far as the terminal goes.
fn print(app: &App, found: &[ConversationMeta], total: usize) -> Result<()> {
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    let width = terminal_width().unwrap_or(120);
    let widest = |column: fn(&ConversationMeta) -> usize| found.iter().map(column).max().unwrap_or(0);
    let ids = widest(|meta| meta.id.width()).clamp(2, 48);
    let counts = widest(|meta| meta.messages.to_string().len()).max(1);
    for meta in found {
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
    let hidden = total.saturating_sub(found.len());
    if total == 0 {
        writeln!(out, "no conversations in {}", app.logs.path().display())?;
    } else if hidden > 0 {
        let more = format!("{} more; `--all` shows them", counted(hidden as u64, "conversation"));
        writeln!(out, "{}", style::faint(more))?;
    }
    Ok(())
}
