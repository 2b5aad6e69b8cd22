//! `convlog stats`: counts messages, tokens and cost.

mod chart;

use std::io::Write;

use anyhow::Result;
use convlog_context::tool_calls;
use convlog_message::Message;
use convlog_query::{Stats, StatsOptions, Tests};
use convlog_store::{ConversationId, Layout};
use serde_json::{Value, json};

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::{counted, local_seconds, pad, printable};
use crate::progress::Progress;
use crate::style;
use crate::when::When;
use chart::{bar, sparkline, tokens};

/// So many rows of a table are shown.
const ROWS: usize = 12;

/// Count messages, tokens and cost, of all conversations or of one
///
/// A message that stands in several conversations, since one is a fork of the other, counts once. The
/// conversations of tests are left out.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog stats --since 30d\n  convlog stats 2026-01-12\n  convlog --json stats | jq .cost"
)]
pub(crate) struct Options {
    /// One conversation: its id, the beginning of it, or a path; its tool calls are counted, too
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// Only messages since then: a day (2026-01-31), a time (2026-01-31T12:00), or so long ago (7d, 12h)
    #[arg(long, value_name = "WHEN", value_parser = When::parse)]
    since: Option<When>,

    /// Count conversations that tests make, too
    #[arg(long)]
    with_test: bool,
}

/// Tools that gptme has; a code block of another language is no call.
const TOOLS: [&str; 12] =
    ["append", "browser", "chats", "computer", "gh", "ipython", "morph", "patch", "rag", "save", "shell", "tmux"];

fn calls(message: &Message) -> Vec<String> {
    let is_call = |call: &convlog_context::ToolCall| {
        call.form != convlog_context::CallForm::Block || TOOLS.contains(&call.tool.as_str())
    };
    tool_calls(message.content()).into_iter().filter(is_call).map(|call| call.tool).collect()
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let mut how = StatsOptions::default();
    how.zone = app.zone;
    how.threads = app.threads();
    how.since = options.since.map(|when| when.seconds(app.zone));
    how.tests = if options.with_test { Tests::With } else { Tests::Without };
    let mut logs = app.logs.clone();
    if let Some(text) = &options.id {
        let found = app.logs.find(text)?;
        let home = found.layout().home();
        // A path may lead out of the directory of all conversations.
        if let Some(parent) = home.parent() {
            logs = convlog_query::LogsDir::new(app.fs(), parent);
        }
        how.ids = vec![name_of(found.layout())?];
        how.calls = Some(&calls);
    }
    let progress = Progress::new(app, "counted");
    let (stats, skipped) = logs.stats(&how, || progress.step())?;
    progress.finish();
    for skipped in &skipped {
        app.warn(skipped);
    }
    for bad in &stats.bad_numbers {
        app.warn(format_args!("{}, line {}: `{}` is no number and left out", bad.id, bad.line, bad.member));
    }
    if stats.unreadable > 0 {
        let lines = counted(stats.unreadable, "line");
        app.warn(format_args!("{lines} cannot be read; `convlog verify --all` names them"));
    }
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", as_json(&stats, how.ids.first())?)?,
        Format::Text => print(app, &mut out, &stats)?,
    }
    Ok(if skipped.is_empty() || how.ids.is_empty() { Outcome::Done } else { Outcome::Failed })
}

fn name_of(layout: &Layout) -> Result<ConversationId> {
    let name = layout.home().file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Ok(name.parse()?)
}

fn as_json(stats: &Stats, id: Option<&ConversationId>) -> Result<Value> {
    let mut value = serde_json::to_value(stats)?;
    if let (Some(id), Some(object)) = (id, value.as_object_mut()) {
        object.insert("id".to_owned(), json!(id.as_str()));
        object.insert("duration_seconds".to_owned(), json!(stats.duration()));
    }
    Ok(value)
}

fn print(app: &App, out: &mut impl Write, stats: &Stats) -> Result<()> {
    let row = |out: &mut dyn Write, name: &str, value: String| writeln!(out, "{}  {value}", pad(name, 14));
    row(out, "conversations", stats.conversations.to_string())?;
    row(out, "messages", stats.messages.to_string())?;
    if stats.shared > 0 {
        row(out, "", format!("{} more are shared by forks and count once", stats.shared))?;
    }
    if let (Some(first), Some(last)) = (stats.first, stats.last) {
        row(out, "time", format!("{} to {}", local_seconds(first, app.zone), local_seconds(last, app.zone)))?;
    }
    row(out, "input", format!("{} ({} from the cache)", tokens(stats.input_tokens), tokens(stats.cache_read_tokens)))?;
    row(out, "output", tokens(stats.output_tokens))?;
    row(out, "cost", format!("${:.4}", stats.cost))?;

    let most = stats.by_role.values().copied().max().unwrap_or_default();
    heading(out, "by role")?;
    for (role, count) in &stats.by_role {
        writeln!(out, "  {} {count:>8}  {}", pad(&printable(role), 28), bar(*count, most))?;
    }
    let mut models: Vec<_> = stats.by_model.iter().collect();
    models.sort_by(|(a, one), (b, other)| other.cost.total_cmp(&one.cost).then_with(|| a.cmp(b)));
    if !models.is_empty() {
        heading(out, "by model")?;
    }
    for (model, tally) in models.iter().take(ROWS) {
        let (input, cached) = (tokens(tally.input_tokens), tokens(tally.cache_read_tokens));
        let figures =
            format!("{input:>7} in ({cached} cached) {:>7} out  ${:.4}", tokens(tally.output_tokens), tally.cost);
        writeln!(out, "  {} {:>8}  {figures}", pad(&printable(model), 28), tally.messages)?;
    }
    if !stats.by_tool.is_empty() {
        heading(out, "by tool")?;
    }
    for (tool, tally) in stats.by_tool.iter().take(ROWS) {
        let counts = [(tally.calls, "call"), (tally.results, "result")];
        let mut parts: Vec<_> =
            counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, thing)| counted(count, thing)).collect();
        if tally.milliseconds > 0.0 {
            parts.push(format!("{:.1} s", tally.milliseconds / 1e3));
        }
        writeln!(out, "  {}  {}", pad(&printable(tool), 28), parts.join(", "))?;
    }
    let most = stats.by_day.values().map(|tally| tally.messages).max().unwrap_or_default();
    if !stats.by_day.is_empty() {
        heading(out, "by day")?;
    }
    for (day, tally) in stats.by_day.iter().rev().take(ROWS.saturating_add(2)) {
        writeln!(out, "  {} {:>8}  {}", pad(day, 28), tally.messages, bar(tally.messages, most))?;
    }
    if stats.by_hour.iter().any(|count| *count > 0) {
        heading(out, "by hour, 0 to 23")?;
        writeln!(out, "  {}", sparkline(&stats.by_hour).trim_end())?;
    }
    Ok(())
}

fn heading(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    writeln!(out, "\n{}", style::faint(text))
}
