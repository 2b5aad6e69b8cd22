//! `convlog man`: the manual, from the same source as the help.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap_mangen::Man;

use crate::app::Outcome;
use crate::args::{Args, usage};

/// Print a page of the manual, or write all of them
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The page of this verb; without one, the page of `convlog`
    #[arg(value_name = "VERB", conflicts_with = "output")]
    verb: Option<String>,

    /// Write all pages into this directory, which must exist
    #[arg(long, value_name = "DIR")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  convlog man | man -l -
  convlog man append | man -l -
  convlog man --output ~/.local/share/man/man1";

pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let mut command = Args::shape().disable_help_subcommand(true);
    if let Some(directory) = &options.output {
        clap_mangen::generate_to(command, directory)
            .with_context(|| format!("cannot write the manual to {}", directory.display()))?;
        return Ok(Outcome::Done);
    }
    command.build();
    let page = match &options.verb {
        None => command,
        Some(verb) => command
            .find_subcommand(verb)
            .cloned()
            .unwrap_or_else(|| usage(&format_args!("there is no verb {verb:?}; `convlog help` lists them"))),
    };
    let mut text = Vec::new();
    Man::new(page).render(&mut text)?;
    std::io::stdout().lock().write_all(&text)?;
    Ok(Outcome::Done)
}
