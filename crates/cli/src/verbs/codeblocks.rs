//! `convlog codeblocks`: the code blocks of a conversation.

use anyhow::{Result, bail};
use convlog_codeblock::{Codeblock, codeblocks};
use convlog_store::{ReadError, Transcript};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::output::printable;
use crate::pager::Output;
use crate::style;

/// Print the code blocks of a conversation
///
/// A block that is not closed is not among them. For programs, one object a block: the index of its message,
/// its language, the file that it is meant for, the line it starts on in its message (the first is 0, from
/// where thinking ends), and its content.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Only those of the message of this index (the first is 0)
    #[arg(long, value_name = "N", value_parser = count)]
    message: Option<u64>,

    /// Only those of this language: what stands behind the fence, or its first word
    #[arg(long, value_name = "L")]
    lang: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  convlog codeblocks ID --lang shell
  convlog --json codeblocks ID --message 3 | jq -r .content";

impl Options {
    fn is_wanted(&self, block: &Codeblock) -> bool {
        let first = block.lang().split_whitespace().next().unwrap_or_default();
        self.lang.as_deref().is_none_or(|lang| lang == block.lang() || lang == first)
    }
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let path = conversation.layout().transcript(&Transcript::Main);
    let mut reader = conversation.stream(&Transcript::Main)?;
    let mut out = std::io::BufWriter::new(Output::of(app.format));
    let (mut messages, mut is_there) = (0_u64, options.message.is_none());
    for (entry, index) in (&mut reader).zip(0_u64..) {
        let message = entry.map_err(|source| ReadError::Stream { path: path.clone(), source })?.message;
        messages = index.saturating_add(1);
        if options.message.is_some_and(|wanted| wanted != index) {
            continue;
        }
        is_there = true;
        for block in codeblocks(message.content()).filter(|block| options.is_wanted(block)) {
            print(app, &mut out, index, &block)?;
        }
        if options.message.is_some() {
            break;
        }
    }
    out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?;
    app.report(&path, &reader.into_report());
    if let Some(wanted) = options.message.filter(|_| !is_there) {
        bail!("there is no message {wanted} in {}; it has {messages}, the first is 0", options.id);
    }
    Ok(Outcome::Done)
}

fn print(app: &App, out: &mut impl std::io::Write, index: u64, block: &Codeblock) -> Result<()> {
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let (lang, path, start, content) = (block.lang(), block.path(), block.start(), block.content());
            let object = json!({"index": index, "lang": lang, "path": path, "start": start, "content": content});
            writeln!(out, "{object}")?;
        }
        Format::Text => {
            let place = format!("{index:>3} line {}", block.start().unwrap_or_default());
            writeln!(out, "{}  {}", style::faint(place), style::good(printable(block.lang())))?;
            for line in printable(block.content()).split('\n') {
                writeln!(out, "{}{line}", if line.is_empty() { "" } else { "  " })?;
            }
            writeln!(out)?;
        }
    }
    Ok(())
}
