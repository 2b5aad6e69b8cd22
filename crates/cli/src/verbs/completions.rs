//! `convlog completions`: what makes a shell complete the command line.

use anyhow::{Context as _, Result};
use clap_complete::Shell;
use clap_complete::env::Shells;

use crate::app::Outcome;
use crate::completion::VARIABLE;

/// Print what makes a shell complete verbs, options, conversations, branches, views and bookmarks
///
/// The shell reads it when it starts. `convlog` itself answers the shell, so that what is offered is what there is.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The shell
    #[arg(value_name = "SHELL", value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  convlog completions bash >> ~/.bashrc
  convlog completions zsh >> ~/.zshrc
  convlog completions fish > ~/.config/fish/completions/convlog.fish";

pub(crate) fn run(options: &Options) -> Result<Outcome> {
    let name = options.shell.to_string();
    let shells = Shells::builtins();
    let shell = shells.completer(&name).with_context(|| format!("nothing is known of {name}"))?;
    shell.write_registration(VARIABLE, "convlog", "convlog", "convlog", &mut std::io::stdout().lock())?;
    Ok(Outcome::Done)
}
