//! `convlog diff`: what two branches have after their common beginning.

use std::io::Write;

use anyhow::Result;
use convlog_message::Message;
use convlog_render::Text;
use convlog_store::{BranchName, Diff};

use super::show::print::{self, Place, Selected};
use crate::app::{App, Outcome};
use crate::args::Format;
use crate::on_branch::transcript;
use crate::output::counted;
use crate::pager::Output;
use crate::style;

/// Show what each of two branches has after their common beginning
///
/// Messages are alike when they are in every stored field. Programs get the messages of A, then those of B, each as
/// `show` gives it, with the branch that has it.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  convlog diff ID main idea\n  convlog --json diff ID main-undo-0 main | jq .branch"
)]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// A branch, or `main`
    #[arg(value_name = "A")]
    left: BranchName,

    /// Another
    #[arg(value_name = "B")]
    right: BranchName,

    /// Show long messages in full
    #[arg(long)]
    full: bool,
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let diff = conversation.diff(&transcript(Some(&options.left)), &transcript(Some(&options.right)))?;
    match app.format {
        Format::Quiet => {}
        Format::Json => {
            let mut out = std::io::BufWriter::new(std::io::stdout().lock());
            for (branch, messages) in [(&options.left, &diff.left), (&options.right, &diff.right)] {
                for selected in placed(&diff, messages) {
                    let mut extra = selected.message.extra().clone();
                    extra.insert("branch", branch.as_str());
                    print::json(&mut out, Selected { message: selected.message.with_extra(extra), ..selected })?;
                }
            }
            out.flush()?;
        }
        Format::Text => {
            let mut out = std::io::BufWriter::new(Output::new());
            text(&mut out, &diff, &print::text(app.zone, options.full))?;
            out.into_inner().map_err(std::io::IntoInnerError::into_error)?.finish()?;
        }
    }
    Ok(Outcome::Done)
}

/// Messages with their places in the log that has them.
fn placed(diff: &Diff, messages: &[Message]) -> impl Iterator<Item = Selected> {
    let places = (diff.common as u64..).map(Place::Index);
    messages.iter().cloned().zip(places).map(|(message, place)| Selected { message, place })
}

fn text(out: &mut impl Write, diff: &Diff, text: &Text) -> Result<()> {
    let common = counted(diff.common as u64, "message");
    if diff.is_empty() {
        return Ok(writeln!(out, "both have the same {common}")?);
    }
    writeln!(out, "{}\n", style::faint(format!("both begin with {common}")))?;
    for selected in placed(diff, &diff.left) {
        marked(out, &style::problem("-").to_string(), text, &selected)?;
    }
    for selected in placed(diff, &diff.right) {
        marked(out, &style::good("+").to_string(), text, &selected)?;
    }
    Ok(())
}

/// Prints a message as `show` does, with a mark before each line.
fn marked(out: &mut impl Write, mark: &str, text: &Text, selected: &Selected) -> Result<()> {
    let mut lines = Vec::new();
    print::message(&mut lines, text, selected)?;
    for line in lines.strip_suffix(b"\n").unwrap_or(&lines).split_inclusive(|byte| *byte == b'\n') {
        out.write_all(mark.as_bytes())?;
        if line != b"\n" {
            out.write_all(b" ")?;
        }
        out.write_all(line)?;
    }
    Ok(writeln!(out)?)
}
