//! `convlog search`: finds text in all conversations.

use std::io::Write;
use std::ops::{ControlFlow, Range};

use anyhow::{Context as _, Result};
use convlog_message::Role;
use convlog_query::{Case, Depth, Found, Hit, Query, SearchOptions, SnippetLine, Speakers};
use convlog_store::{ConversationId, Transcript};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::{Format, count, usage};
use crate::output::{local_time, printable};
use crate::pager::Output;
use crate::progress::Progress;
use crate::style;
use crate::when::When;

/// Search the text of all conversations, the last changed first
///
/// The full history is searched, not a view of it. A text is found whatever its case, and whether its letters
/// are composed or not (`STRASSE` finds `straße`).
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog search 'deadlock'\n  convlog search --regex 'fix(es|ed) #[0-9]+' --role user\n  convlog --json search deadlock -n 1 | jq .index"
)]
pub(crate) struct Options {
    /// What to look for
    #[arg(value_name = "QUERY", allow_hyphen_values = true)]
    query: String,

    /// Only in these conversations: their ids, the beginnings of them
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Show at most N conversations
    #[arg(short = 'n', value_name = "N", value_parser = count)]
    number: Option<u64>,

    /// Show at most N messages of a conversation
    #[arg(short = 'm', value_name = "N", value_parser = count, default_value = "3")]
    most: u64,

    /// Show N lines before and after each
    #[arg(short = 'C', value_name = "N", value_parser = count, default_value = "0")]
    context: u64,

    /// Take QUERY for a regular expression
    #[arg(long)]
    regex: bool,

    /// Tell upper from lower case
    #[arg(long)]
    case_sensitive: bool,

    /// Only what this role says
    #[arg(long, value_name = "ROLE", conflicts_with = "system")]
    role: Option<String>,

    /// Search what the system says, too
    #[arg(long)]
    system: bool,

    /// Only messages since then: a day (2026-01-31), a time (2026-01-31T12:00), or so long ago (7d, 12h)
    #[arg(long, value_name = "WHEN", value_parser = When::parse)]
    since: Option<When>,

    /// Search the branches, too
    #[arg(long)]
    branches: bool,
}

impl Options {
    fn for_query(&self, app: &App) -> Result<SearchOptions> {
        let mut options = SearchOptions::default();
        options.zone = app.zone;
        options.threads = app.threads();
        options.depth = if self.branches { Depth::Branches } else { Depth::History };
        options.since = self.since.map(|when| when.seconds(app.zone));
        options.most = usize::try_from(self.most).unwrap_or(usize::MAX);
        options.speakers = match &self.role {
            Some(role) => Speakers::Only(Role::from(role.as_str())),
            None if self.system => Speakers::All,
            None => Speakers::NotSystem,
        };
        options.ids = self.ids.iter().map(|id| one_of(app, id)).collect::<Result<_>>()?;
        Ok(options)
    }
}

/// The conversation that is meant.
fn one_of(app: &App, text: &str) -> Result<ConversationId> {
    let found = app.logs.find(text)?;
    let name = found.layout().home().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    name.parse().with_context(|| format!("{text} cannot be searched"))
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let case = if options.case_sensitive { Case::Exact } else { Case::Fold };
    let query = if options.regex { Query::regex(&options.query, case) } else { Query::literal(&options.query, case) };
    let query = query.unwrap_or_else(|error| usage(&error));
    let number = options.number.unwrap_or(u64::MAX);
    if number == 0 || options.most == 0 {
        return Ok(Outcome::Done);
    }
    let for_query = options.for_query(app)?;
    let mut out = Output::of(app.format);
    let progress = Progress::new(app, "searched");
    let (mut last, mut shown, mut failed) = (None, 0_u64, None);
    app.logs.search(&query, &for_query, |found| {
        match found {
            Found::Skipped(skipped) => progress.suspend(|| app.warn(skipped)),
            Found::Searched(_) => progress.step(),
            Found::Hit(hit) => {
                let is_new = last.as_ref() != Some(&hit.id);
                if is_new && shown == number {
                    return ControlFlow::Break(());
                }
                shown = shown.saturating_add(is_new.into());
                if out.is_paged() {
                    progress.finish();
                }
                let printed = progress.suspend(|| match app.format {
                    Format::Quiet => Ok(()),
                    Format::Json => writeln!(out, "{}", as_json(&hit)),
                    Format::Text => print(app, &mut out, &hit, options.context, is_new),
                });
                last = Some(hit.id.clone());
                if let Err(error) = printed {
                    failed = Some(error);
                    return ControlFlow::Break(());
                }
            }
        }
        ControlFlow::Continue(())
    })?;
    progress.finish();
    match failed {
        Some(error) => Err(error.into()),
        None if shown == 0 && app.format == Format::Text => {
            writeln!(out, "nothing found")?;
            out.finish()?;
            Ok(Outcome::Failed)
        }
        None => {
            out.finish()?;
            Ok(if shown == 0 { Outcome::Failed } else { Outcome::Done })
        }
    }
}

fn as_json(hit: &Hit) -> serde_json::Value {
    let (kind, name) = match &hit.transcript {
        Transcript::Branch(name) => ("branch", Some(name.as_str())),
        Transcript::Lossless => ("lossless", None),
        _ => ("main", None),
    };
    let lines: Vec<_> = hit.lines(0).iter().map(|line| json!({"line": line.number, "text": line.text})).collect();
    json!({
        "id": hit.id.as_str(),
        "log": kind,
        "branch": name,
        "index": hit.index,
        "role": hit.message.role().as_str(),
        "timestamp": hit.message.has_recorded_timestamp().then(|| hit.message.timestamp().to_string()),
        "matches": hit.matches.len(),
        "lines": lines,
    })
}

/// The conversation, when it is a new one; the message; and its lines with what was found on them.
fn print(app: &App, out: &mut impl Write, hit: &Hit, context: u64, is_new: bool) -> std::io::Result<()> {
    if is_new {
        writeln!(out, "{}", style::good(&hit.id))?;
    }
    let role = hit.message.role();
    let time = local_time(hit.message.timestamp(), app.zone);
    let log = if hit.transcript == Transcript::Main { String::new() } else { format!("  {}", hit.transcript) };
    let place = format!("{}{log}  {time}", hit.index);
    writeln!(out, "  {} {}", style::role(role, role), style::faint(place))?;
    for line in hit.lines(usize::try_from(context).unwrap_or(usize::MAX)) {
        let mark = if line.matches.is_empty() { '-' } else { ':' };
        write!(out, "    {}", style::faint(format_args!("{}{mark}", line.number)))?;
        write_line(out, &line)?;
    }
    Ok(())
}

/// A line with what was found in colour. Of a long one, what stands around it.
fn write_line(out: &mut impl Write, line: &SnippetLine<'_>) -> std::io::Result<()> {
    /// Characters before the first match, and all that are shown.
    const BEFORE: usize = 60;
    const SHOWN: usize = 400;
    let first = line.matches.first().map_or(0, |found| found.start);
    let head = line.text.get(..first).unwrap_or_default();
    let start = head.char_indices().rev().nth(BEFORE).map_or(0, |(at, _)| at);
    let rest = line.text.get(start..).unwrap_or_default();
    let end = rest.char_indices().nth(SHOWN).map_or(line.text.len(), |(at, _)| start.saturating_add(at));
    let part = |range: Range<usize>| printable(line.text.get(range).unwrap_or_default());
    let mut at = start;
    let before = match (start, line.text.is_empty()) {
        (0, true) => "",
        (0, false) => " ",
        _ => " …",
    };
    write!(out, "{before}")?;
    for found in line.matches.iter().take_while(|found| found.end <= end) {
        if found.start < at {
            continue;
        }
        write!(out, "{}{}", part(at..found.start), style::problem(part(found.clone())))?;
        at = found.end;
    }
    writeln!(out, "{}{}", part(at..end), if end < line.text.len() { "…" } else { "" })
}
