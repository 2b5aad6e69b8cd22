//! `convlog view`: lists, makes, changes and removes views of main.

use std::path::{Path, PathBuf};

use anyhow::Result;
use convlog_store::{Conversation, Transcript, ViewName};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::measure::{Length, print_rows};
use crate::messages_file;
use crate::on_branch::OnBranch;
use crate::output::{counted, size};

/// List the views; make one, make one active, go back to main, or remove one
///
/// A view is a shorter telling of main, which stays whole. While one is active, `append` writes it and main; `undo`,
/// `edit`, `backtrack`, `context` and `next` act on the view; `show` shows main.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = clap::ArgGroup::new("action").args(["from", "delete", "switch", "main"]))]
pub(crate) struct Options {
    /// A conversation: its whole id, or a path; for listing, the beginning of an id is enough
    #[arg(value_name = "ID")]
    id: String,

    /// The view to make, or to remove; a new one without a name gets the next `compacted-NNN`
    #[arg(value_name = "VIEW", requires = "action", conflicts_with_all = ["switch", "main"])]
    name: Option<ViewName>,

    /// Make it of the messages of a file, TOML or JSON lines; `-` reads standard input
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,

    /// Remove it
    #[arg(long, requires = "name")]
    delete: bool,

    /// Make a view active
    #[arg(long, value_name = "VIEW")]
    switch: Option<ViewName>,

    /// Go back to main, the full history
    #[arg(long)]
    main: bool,
}

const EXAMPLES: &str = "\
Examples:
  convlog view ID                                     what there is
  summarise ID | convlog view ID short --from -       make one
  convlog view ID --switch short                      go on with it
  convlog view ID --main                              back to the full history";

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    if let Some(file) = &options.from {
        create(app, options, file)
    } else if let Some(name) = &options.switch {
        switch(app, options, name)
    } else if options.main {
        leave(app, options)
    } else if let Some(name) = &options.name {
        delete(app, options, name)
    } else {
        list(app, &app.logs.find(&options.id)?)
    }
}

fn list(app: &App, conversation: &Conversation) -> Result<Outcome> {
    let active = match app.log_of(conversation, &OnBranch::default()) {
        Ok(Transcript::View(name)) => Some(name),
        Ok(_) => None,
        Err(dangling) => {
            app.warn(dangling);
            None
        }
    };
    let mut rows = Vec::new();
    for name in conversation.views()? {
        let which = Transcript::View(name.clone());
        let Some(Length { messages, bytes }) = Length::measure(app, conversation, &which) else { continue };
        let is_active = active.as_ref() == Some(&name);
        let mark = if is_active { "active" } else { "" };
        rows.push((
            json!({"name": name.as_str(), "messages": messages, "bytes": bytes, "active": is_active}),
            vec![name.to_string(), counted(messages, "message"), size(bytes), mark.to_owned()],
        ));
    }
    print_rows(app, &rows)?;
    Ok(Outcome::Done)
}

fn create(app: &App, options: &Options, file: &Path) -> Result<Outcome> {
    let mut session = app.open(&options.id, &OnBranch::default())?;
    // What the view shares with the history keeps its bytes.
    let log = messages_file::read(file, &session.history()?, &session.now())?;
    let name = match &options.name {
        Some(name) => ViewName::for_new(name.as_str())?,
        None => session.next_view_name()?,
    };
    session.create_view(&name, &log)?;
    session.close()?;
    let messages = log.len() as u64;
    app.answer(
        &json!({"name": name.as_str(), "messages": messages}),
        format_args!(
            "view {name} has {}; `convlog view ID --switch {name}` makes it active",
            counted(messages, "message")
        ),
    )?;
    Ok(Outcome::Done)
}

fn switch(app: &App, options: &Options, name: &ViewName) -> Result<Outcome> {
    let mut session = app.open(&options.id, &OnBranch::default())?;
    session.switch_view(name)?;
    let messages = session.log().len() as u64;
    session.close()?;
    app.answer(
        &json!({"active": name.as_str(), "messages": messages}),
        format_args!("view {name} is active ({})", counted(messages, "message")),
    )?;
    Ok(Outcome::Done)
}

fn leave(app: &App, options: &Options) -> Result<Outcome> {
    let mut session = app.open(&options.id, &OnBranch::default())?;
    session.leave_view()?;
    let messages = session.log().len() as u64;
    session.close()?;
    app.answer(
        &json!({"active": null, "messages": messages}),
        format_args!("main is active, the full history ({})", counted(messages, "message")),
    )?;
    Ok(Outcome::Done)
}

fn delete(app: &App, options: &Options, name: &ViewName) -> Result<Outcome> {
    let mut session = app.open(&options.id, &OnBranch::default())?;
    session.delete_view(name)?;
    session.close()?;
    app.answer(&json!({"name": name.as_str(), "deleted": true}), format_args!("view {name} is removed"))?;
    Ok(Outcome::Done)
}
