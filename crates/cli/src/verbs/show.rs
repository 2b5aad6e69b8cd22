//! `convlog show`: the messages of a conversation.

pub(crate) mod print;
mod select;

use anyhow::Result;
use convlog_store::{BranchName, Transcript, ViewName};

use crate::app::{App, Outcome};
use crate::args::{Format, count};
use crate::on_branch::transcript;
use crate::pager::Output;
use print::Selected;

/// Show the messages of a conversation
///
/// Hidden messages are left out of the text and counted; programs get all of them.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// Show a branch
    #[arg(long, value_name = "BRANCH", conflicts_with_all = ["view", "lossless"])]
    branch: Option<BranchName>,

    /// Show a view
    #[arg(long, value_name = "VIEW", conflicts_with = "lossless")]
    view: Option<ViewName>,

    /// Show the full history, kept when main was compacted by hand
    #[arg(long)]
    lossless: bool,

    /// Begin with the message of this index (the first is 0)
    #[arg(long, value_name = "N", value_parser = count, default_value = "0")]
    start: u64,

    /// Show at most N messages
    #[arg(short = 'n', value_name = "N", value_parser = count)]
    number: Option<u64>,

    /// Show the last N messages, without reading the others
    #[arg(long, value_name = "N", value_parser = count, conflicts_with_all = ["start", "number"])]
    last: Option<u64>,

    /// Show only messages of this role
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,

    /// Show hidden messages too
    #[arg(long)]
    hidden: bool,

    /// Show long messages in full
    #[arg(long)]
    full: bool,
}

const EXAMPLES: &str = "\
Examples:
  convlog show 2026-01-12                    the beginning of an id is enough
  convlog show ID --last 5 --full            the end, in full
  convlog show ID --branch dev --role user   what the person said on a branch
  convlog --json show ID | jq -r .content";

impl Options {
    fn transcript(&self) -> Transcript {
        match (&self.branch, &self.view, self.lossless) {
            (None, Some(view), _) => Transcript::View(view.clone()),
            (None, None, true) => Transcript::Lossless,
            (branch, _, _) => transcript(branch.as_ref()),
        }
    }
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let which = options.transcript();
    let path = conversation.layout().transcript(&which);
    let wanted = select::Wanted::new(options, app.format == Format::Text);
    match app.format {
        Format::Quiet => {
            let mut nothing = |_: Selected| Ok(());
            let seen = wanted.each(&conversation, &which, &mut nothing)?;
            app.report(&path, &seen.report);
        }
        Format::Json => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            let mut print = |selected: Selected| print::json(&mut out, selected);
            let seen = wanted.each(&conversation, &which, &mut print)?;
            std::io::Write::flush(&mut out)?;
            app.report(&path, &seen.report);
        }
        Format::Text => {
            let mut out = std::io::BufWriter::new(Output::new());
            let text = print::text(app.zone, options.full);
            let mut print = |selected: Selected| print::message(&mut out, &text, &selected);
            let seen = wanted.each(&conversation, &which, &mut print)?;
            print::hidden(&mut out, &text, seen.hidden)?;
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?;
            app.report(&path, &seen.report);
        }
    }
    Ok(Outcome::Done)
}
