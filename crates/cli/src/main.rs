//! The program `convlog`: reads the arguments, runs a verb, and says how it ended.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod app;
mod args;
mod completion;
mod excerpt;
mod measure;
mod messages_file;
mod on_branch;
mod opening;
mod output;
mod pager;
mod progress;
mod style;
mod telling;
mod verbs;
mod when;

use std::process::ExitCode;

use clap::Parser as _;
use convlog_query::DeleteError;
use convlog_store::{CreateError, LockError, OpenSessionError};

use crate::app::{App, Outcome};
use crate::args::{Args, Verb};

fn main() -> ExitCode {
    completion::answer_shell();
    let args = Args::parse();
    let app = match App::new(&args) {
        Ok(app) => app,
        Err(error) => return report(args.is_json(), &error),
    };
    let result = match &args.verb {
        Verb::List(options) => verbs::list::run(&app, options),
        Verb::Show(options) => verbs::show::run(&app, options),
        Verb::Search(options) => verbs::search::run(&app, options),
        Verb::Stats(options) => verbs::stats::run(&app, options),
        Verb::Follow(options) => verbs::follow::run(&app, options),
        Verb::Append(options) => verbs::append::run(&app, options),
        Verb::Undo(options) => verbs::undo::run(&app, options),
        Verb::Edit(options) => verbs::edit::run(&app, options),
        Verb::Export(options) => verbs::export::run(&app, options),
        Verb::Import(options) => verbs::import::run(&app, options),
        Verb::Codeblocks(options) => verbs::codeblocks::run(&app, options),
        Verb::Branch(options) => verbs::branch::run(&app, options),
        Verb::Diff(options) => verbs::diff::run(&app, options),
        Verb::Restore(options) => verbs::restore::run(&app, options),
        Verb::View(options) => verbs::view::run(&app, options),
        Verb::Mark(options) => verbs::mark::run(&app, options),
        Verb::Marks(options) => verbs::marks::run(&app, options),
        Verb::Backtrack(options) => verbs::backtrack::run(&app, options),
        Verb::Fork(options) => verbs::fork::run(&app, options),
        Verb::Context(options) => verbs::context::run(&app, options),
        Verb::Next(options) => verbs::next::run(&app, options),
        Verb::Verify(options) => verbs::verify::run(&app, options),
        Verb::Recover(options) => verbs::recover::run(&app, options),
        Verb::Events(options) => verbs::events::run(&app, options),
        Verb::Compact(options) => verbs::compact::run(&app, options),
        Verb::Rename(options) => verbs::rename::run(&app, options),
        Verb::Delete(options) => verbs::delete::run(&app, options),
        Verb::Clean(options) => verbs::clean::run(&app, options),
        Verb::Completions(options) => verbs::completions::run(options),
        Verb::Man(options) => verbs::man::run(options),
    };
    match result {
        Ok(outcome) => outcome.into(),
        // Whoever read our output has had enough.
        Err(error) if is_closed_pipe(&error) => Outcome::Done.into(),
        Err(error) => report(args.is_json(), &error),
    }
}

/// Prints an error to standard error.
fn report(json: bool, error: &anyhow::Error) -> ExitCode {
    let message = telling::told(error);
    if json {
        anstream::eprintln!("{}", serde_json::json!({"level": "error", "message": message}));
    } else {
        anstream::eprintln!("{}: {message}", style::problem("convlog"));
    }
    if is_locked(error) { Outcome::Locked.into() } else { Outcome::Failed.into() }
}

/// Whether another process holds the conversation, or this one.
pub(crate) fn is_locked(error: &anyhow::Error) -> bool {
    let opening = match error.downcast_ref() {
        Some(OpenSessionError::Lock(lock)) => Some(lock),
        _ => None,
    };
    let creating = match error.downcast_ref() {
        Some(CreateError::Lock(lock)) => Some(lock),
        _ => None,
    };
    let deleting = match error.downcast_ref() {
        Some(DeleteError::Lock(lock)) => Some(lock),
        _ => None,
    };
    matches!(opening.or(creating).or(deleting), Some(LockError::Held { .. } | LockError::HeldHere { .. }))
}

fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let kind =
        |cause: &(dyn std::error::Error + 'static)| cause.downcast_ref::<std::io::Error>().map(std::io::Error::kind);
    error.chain().any(|cause| kind(cause) == Some(std::io::ErrorKind::BrokenPipe))
}
