//! What a shell is told when somebody presses the tabulator: [`attach`] says how each argument is completed.
//!
//! The shell asks the program itself, with [`VARIABLE`] set, so that conversations, branches, views and bookmarks are
//! completed by what there is. Whatever goes wrong meanwhile, nothing is offered and nothing is said.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter};
use clap_complete::env::CompleteEnv;
use convlog_message::Role;
use convlog_query::LogsDir;
use convlog_store::Conversation;

use crate::app::logs_dir;
use crate::args::Args;

/// Set by the scripts of `convlog completions`.
pub(crate) const VARIABLE: &str = "CONVLOG_COMPLETE";

/// Answers a shell, and ends the program; returns when no shell is asking.
pub(crate) fn answer_shell() {
    CompleteEnv::with_factory(Args::shape).var(VARIABLE).complete();
}

/// Says how every argument is completed: its name in the help tells what it is.
pub(crate) fn attach(command: Command) -> Command {
    command.mut_args(attach_to).mut_subcommands(attach)
}

fn attach_to(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first()).map(|name| name.as_str().to_owned());
    let completer = match name.as_deref() {
        Some("ID") => ArgValueCompleter::new(ids),
        Some("BRANCH" | "A" | "B") => ArgValueCompleter::new(branches),
        Some("VIEW") => ArgValueCompleter::new(views),
        Some("LABEL|N") => ArgValueCompleter::new(labels),
        Some("ROLE") => ArgValueCompleter::new(roles),
        Some("DIR") => ArgValueCompleter::new(PathCompleter::dir()),
        Some("FILE" | "PATH") => ArgValueCompleter::new(PathCompleter::file().stdio()),
        _ => return argument,
    };
    argument.add(completer)
}

fn ids(begun: &OsStr) -> Vec<CompletionCandidate> {
    let ids = logs(typed().as_ref()).and_then(|logs| Some(logs.list().ok()?.flatten()));
    that_begin(begun, ids.into_iter().flatten().map(|id| id.to_string()))
}

fn branches(begun: &OsStr) -> Vec<CompletionCandidate> {
    let branches = conversation().and_then(|conversation| conversation.branches().ok()).unwrap_or_default();
    let main = std::iter::once("main".to_owned());
    that_begin(begun, main.chain(branches.iter().map(ToString::to_string)))
}

fn views(begun: &OsStr) -> Vec<CompletionCandidate> {
    let views = conversation().and_then(|conversation| conversation.views().ok()).unwrap_or_default();
    that_begin(begun, views.iter().map(ToString::to_string))
}

fn labels(begun: &OsStr) -> Vec<CompletionCandidate> {
    let found = conversation().and_then(|conversation| conversation.bookmarks().ok());
    let labels = found.into_iter().flat_map(|found| found.list).map(|bookmark| bookmark.label);
    that_begin(begun, labels)
}

fn roles(begun: &OsStr) -> Vec<CompletionCandidate> {
    that_begin(begun, [Role::User, Role::Assistant, Role::System].iter().map(|role| role.as_str().to_owned()))
}

fn that_begin(begun: &OsStr, names: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    let begun = begun.to_string_lossy();
    names.filter(|name| name.starts_with(&*begun)).map(CompletionCandidate::new).collect()
}

/// What stands on the command line so far, as far as it makes sense.
fn typed() -> Option<ArgMatches> {
    // Ours is called as `convlog -- convlog show …`.
    let words = std::env::args_os().skip_while(|word| word != "--").skip(1);
    Args::shape().ignore_errors(true).try_get_matches_from(words).ok()
}

fn logs(typed: Option<&ArgMatches>) -> Option<LogsDir> {
    let given = typed.and_then(|typed| typed.try_get_one::<PathBuf>("logs").ok().flatten());
    logs_dir(given.map(PathBuf::as_path)).ok()
}

/// The conversation that is named on the command line.
fn conversation() -> Option<Conversation> {
    let typed = typed()?;
    let (_, of_verb) = typed.subcommand()?;
    let id = of_verb.try_get_raw("id").ok()??.next()?;
    logs(Some(&typed))?.find(id.to_str()?).ok()
}
