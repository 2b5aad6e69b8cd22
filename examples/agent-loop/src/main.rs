//! An agent that survives being killed: `agent-loop DIRECTORY TASK` begins, and called again it goes on.
//!
//! What it knows stands in the conversation, so that there is no state to lose: each turn looks at the last message
//! and does what comes next. An answer that a dying process was still streaming is asked for anew; a tool that ran,
//! but whose result was not written yet, runs again.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod model;

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use convlog_context::{CallForm, ToolCall, tool_calls};
use convlog_fs::{Durability, RealFs};
use convlog_message::{Message, Role};
use convlog_store::{CreateError, Session, SessionOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [home, task] = arguments.as_slice() else { return Err("usage: agent-loop DIRECTORY TASK".into()) };
    let mut session = open_or_create(Path::new(home), task)?;
    if let Some(half) = session.drop_interrupted()? {
        eprintln!("an answer was cut short and is asked for anew: {:?}", half.content());
    }
    while let Some(step) = next_step(session.log().last()) {
        match step {
            Step::AskModel => {
                // Every piece is on disk before the next one is asked for.
                let answer = Message::new(Role::Assistant, "", session.now());
                let pieces = model::answer(session.log());
                let mut draft = session.begin_draft(answer)?;
                for piece in pieces {
                    draft.push(&piece)?;
                }
                draft.finish()?;
            }
            Step::RunTool { call, call_id } => {
                let result = format!("{} of {}: done", call.tool, call.arguments);
                let result = Message::new(Role::System, result, session.now()).with_call_id(Some(&call_id));
                // A tool has effects: that it ran is to survive a loss of power too.
                session.append_at(result, Durability::Synced)?;
            }
        }
    }
    println!("done after {} messages", session.log().len());
    session.close()?;
    Ok(())
}

/// What comes next.
enum Step {
    AskModel,
    RunTool { call: ToolCall, call_id: String },
}

/// A call is answered by its tool, a task or a result by the model; an answer without a call ends the task.
fn next_step(last: Option<&Message>) -> Option<Step> {
    let last = last?;
    if last.role() != &Role::Assistant {
        return Some(Step::AskModel);
    }
    let call = tool_calls(last.content()).into_iter().next()?;
    match &call.form {
        CallForm::Structured { call_id } => Some(Step::RunTool { call_id: call_id.clone(), call }),
        _ => None,
    }
}

fn open_or_create(home: &Path, task: &str) -> Result<Session, Box<dyn Error>> {
    let options = SessionOptions::default();
    let mut session = match Session::create(Arc::new(RealFs), home, options.clone(), []) {
        Err(CreateError::Exists { .. }) => Session::open(Arc::new(RealFs), home, options)?,
        created => created?,
    };
    if !session.recovery().is_empty() {
        eprintln!("recovered: {}", session.recovery());
    }
    if session.log().is_empty() {
        session.append(Message::new(Role::User, task, session.now()))?;
    }
    Ok(session)
}
