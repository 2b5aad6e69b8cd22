//! `convlog branch`: lists, makes and removes branches.

use anyhow::{Result, bail};
use convlog_store::{BranchName, Transcript};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::count;
use crate::measure::{Length, print_rows};
use crate::on_branch::{OnBranch, transcript};
use crate::output::{counted, size};

/// List the branches; make one, or remove one
///
/// Without a name, lists them, main first; those that an undo, an edit or a recovery left are marked as backups. With a
/// name, makes a branch of the messages that there are, or of the first N; the conversation stays on main. Where a
/// view is active, the branch is made of the view.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path; for listing, the beginning of an id is enough
    #[arg(value_name = "ID")]
    id: String,

    /// The branch to make, or to remove
    #[arg(value_name = "BRANCH")]
    name: Option<BranchName>,

    /// Make it of another branch than main
    #[arg(long, value_name = "BRANCH", requires = "name")]
    from: Option<BranchName>,

    /// Make it of the first N messages
    #[arg(long, value_name = "N", value_parser = count, requires = "name")]
    at: Option<u64>,

    /// Remove the branch, with its event log
    #[arg(long, requires = "name", conflicts_with_all = ["from", "at"])]
    delete: bool,
}

const EXAMPLES: &str = "\
Examples:
  convlog branch ID                       what there is
  convlog branch ID idea --at 6           try another way after the first six messages
  convlog append ID --branch idea \"...\"   go on there
  convlog branch ID idea --delete";

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    match &options.name {
        None => list(app, options),
        Some(name) if options.delete => delete(app, options, name),
        Some(name) => create(app, options, name),
    }
}

fn list(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let backups: Vec<_> = conversation.backups()?.into_iter().map(|backup| backup.branch).collect();
    let branches = conversation.branches()?.into_iter().map(Transcript::Branch);
    let mut rows = Vec::new();
    for which in std::iter::once(Transcript::Main).chain(branches) {
        let Some(Length { messages, bytes }) = Length::measure(app, &conversation, &which) else { continue };
        let (name, is_backup) = match &which {
            Transcript::Branch(name) => (name.as_str(), backups.contains(name)),
            _ => ("main", false),
        };
        let mark = if is_backup { "backup" } else { "" };
        rows.push((
            json!({"name": name, "messages": messages, "bytes": bytes, "backup": is_backup}),
            vec![name.to_owned(), counted(messages, "message"), size(bytes), mark.to_owned()],
        ));
    }
    print_rows(app, &rows)?;
    Ok(Outcome::Done)
}

fn create(app: &App, options: &Options, name: &BranchName) -> Result<Outcome> {
    let from = OnBranch::from(options.from.clone());
    let mut session = app.open_active(&options.id, &from)?;
    session.create_branch(name, options.at.map(|at| usize::try_from(at).unwrap_or(usize::MAX)))?;
    let from = session.transcript().to_string();
    let messages = options.at.unwrap_or(session.log().len() as u64);
    session.close()?;
    let made = BranchName::for_new(name.as_str())?;
    app.answer(
        &json!({"name": made.as_str(), "messages": messages, "from": from}),
        format_args!("branch {made} begins with {} of {from}", counted(messages, "message")),
    )?;
    Ok(Outcome::Done)
}

fn delete(app: &App, options: &Options, name: &BranchName) -> Result<Outcome> {
    if transcript(Some(name)) == Transcript::Main {
        bail!("main is the conversation itself, not a branch that can be removed");
    }
    let mut session = app.open(&options.id, &OnBranch::default())?;
    session.delete_branch(name)?;
    session.close()?;
    app.answer(&json!({"name": name.as_str(), "deleted": true}), format_args!("branch {name} is removed"))?;
    Ok(Outcome::Done)
}
