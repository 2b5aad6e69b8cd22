//! `convlog context`: the messages as a model would get them.

use std::io::Write as _;

use anyhow::Result;
use convlog_codec::json::{Style, write_object};
use convlog_context::{ModelMessage, Options as Context, count_tokens, prepare};
use convlog_message::Message;
use convlog_message::json::Object;

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::on_branch::OnBranch;
use crate::output::{counted, printable};
use crate::pager::Output;
use crate::style;

/// Show the messages as a model would get them
///
/// Left out are messages for the person only, prompts that a newer one replaces, and ephemeral messages
/// whose time is over; neighbours of one role are joined. The conversation itself is not touched. With an
/// active view, the view is taken. Tokens are estimated.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  convlog context ID --limit 100000\n  convlog --json context ID | jq -r .role")]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Keep to so many tokens: pinned messages and the first prompts, then the newest that fit
    #[arg(long, value_name = "TOKENS", value_parser = count)]
    limit: Option<u64>,

    /// Leave nothing out
    #[arg(long, conflicts_with = "limit")]
    full: bool,

    #[command(flatten)]
    on: OnBranch,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let which = app.log_of(&conversation, &options.on)?;
    let reading = conversation.read(&which)?;
    app.report(&conversation.layout().transcript(&which), &reading.report);
    let messages: Vec<Message> = if options.full {
        reading.log.iter().cloned().collect()
    } else {
        let mut context = Context::new();
        if let Some(limit) = options.limit {
            context = context.with_limit(usize::try_from(limit).unwrap_or(usize::MAX));
        }
        prepare(&reading.log, &context).messages
    };
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            for message in &messages {
                let mut line = Vec::new();
                write_object(&Object::from(ModelMessage::from(message)), Style::Utf8, &mut line);
                line.push(b'\n');
                out.write_all(&line)?;
            }
            out.flush()?;
        }
        Format::Text => print(&messages, reading.log.len())?,
    }
    Ok(Outcome::Done)
}

fn print(messages: &[Message], of: usize) -> Result<()> {
    let mut out = std::io::BufWriter::new(Output::new());
    for message in messages {
        write!(out, "{}", style::role(message.role(), printable(message.role().as_str())))?;
        if let Some(call_id) = message.call_id() {
            write!(out, "  {}", style::faint(format!("answers {}", printable(call_id))))?;
        }
        for file in message.files() {
            write!(out, "  {}", style::faint(printable(file.as_str())))?;
        }
        writeln!(out, "\n{}\n", printable(message.content().trim_end_matches('\n')))?;
    }
    let tokens = count_tokens(messages, &convlog_context::Estimate);
    let sums =
        format!("{} of {}, about {}", counted(messages.len() as u64, "message"), of, counted(tokens as u64, "token"));
    writeln!(out, "{}", style::faint(sums))?;
    Ok(out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?)
}
