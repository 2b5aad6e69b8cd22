//! Opening a conversation with all that it holds, and taking note of it.

use std::collections::BTreeMap;
use std::path::Path;

use convlog_eventlog as eventlog;
use convlog_fs::FileSystem as _;
use convlog_fs::sim::SimFs;
use convlog_message::Log;
use convlog_store::{BranchName, Conversation, Fault, FaultKind, Session, SessionOptions, Transcript, verify};

use super::State;
use crate::disk::{HOME, LOGS, contents, describe, shared};

/// Opens every log of a conversation, heals it, and gives all that it holds, and main's session.
pub(super) fn observe(disk: &SimFs, options: &SessionOptions) -> Result<(State, Session), String> {
    let open = || Session::open(shared(disk), HOME, options.clone()).map_err(|error| describe(&error));
    open()?.close().map_err(|error| describe(&error))?;
    let conversation = Conversation::open(shared(disk), HOME).map_err(|error| describe(&error))?;
    let backups = conversation.backups().map_err(|error| describe(&error))?;
    let is_backup = |branch: &BranchName| backups.iter().any(|backup| backup.branch == *branch);
    let mut state = State::default();
    let read = |which: &Transcript| {
        conversation.read(which).map(|reading| reading.log).map_err(|error| format!("{which}: {}", describe(&error)))
    };
    for branch in conversation.branches().unwrap().into_iter().filter(|branch| !is_backup(branch)) {
        let on = options.clone().on_branch(branch.clone());
        let session =
            Session::open(shared(disk), HOME, on).map_err(|e| format!("branch {branch}: {}", describe(&e)))?;
        agrees(disk, &session, &session.layout().events_dir(session.transcript()))?;
        state.branches.insert(branch.as_str().to_owned(), contents(session.log()));
        session.close().map_err(|error| describe(&error))?;
    }
    for view in conversation.views().unwrap() {
        state.views.insert(view.as_str().to_owned(), contents(&read(&Transcript::View(view))?));
    }
    let main = read(&Transcript::Main)?;
    state.main = contents(&main);
    state.lossless = read(&Transcript::Lossless).ok().map(|log| contents(&log));
    state.marks = conversation.bookmarks().unwrap().list.iter().map(|bookmark| bookmark.index).collect();
    state.active = conversation.active_view().unwrap().map(|view| view.as_str().to_owned());
    state.forks = forks(disk)?;
    attachments(&conversation, &main)?;
    let verified = verify(&conversation).map_err(|error| describe(&error))?;
    // gptme's own last line may be torn.
    let is_torn = |fault: &Fault| matches!(fault.kind, FaultKind::Line(_));
    if let Some(fault) = verified.faults.iter().find(|fault| !fault.is_note() && !is_torn(fault)) {
        return Err(format!("it does not verify: {fault:?}"));
    }
    let session = open()?;
    let acted_on = state.active.as_ref().map_or(&state.main, |view| &state.views[view]);
    if contents(session.log()) != *acted_on {
        return Err(format!("the session has {:?}, the files {acted_on:?}", session.log()));
    }
    let events = eventlog::read(disk, Path::new(HOME)).unwrap().unwrap();
    let replayed = contents(&events.replay().unwrap_or_default());
    if replayed != state.main {
        return Err(format!("main's event log says {replayed:?}, main {:?}", state.main));
    }
    Ok((state, session))
}

/// That the event log of a branch says what its transcript does.
fn agrees(disk: &SimFs, session: &Session, events: &Path) -> Result<(), String> {
    let replayed = eventlog::read(disk, events).unwrap().and_then(|reading| reading.replay()).unwrap_or_default();
    let (replayed, log) = (contents(&replayed), contents(session.log()));
    if replayed == log { Ok(()) } else { Err(format!("the branch's event log says {replayed:?}, it {log:?}")) }
}

/// That what messages have attached can be read back.
fn attachments(conversation: &Conversation, log: &Log) -> Result<(), String> {
    for message in log {
        for file in message.files() {
            // One that could not be read was reported.
            let Some(hash) = message.file_hash(file) else { continue };
            let stored =
                conversation.attachment(file, hash).map_err(|error| format!("{file}: {}", describe(&error)))?;
            assert_eq!(stored, b"attached");
        }
    }
    Ok(())
}

/// Main of each fork; one that is under way is under another name.
fn forks(disk: &SimFs) -> Result<BTreeMap<String, Vec<String>>, String> {
    let mut forks = BTreeMap::new();
    for entry in disk.list(Path::new(LOGS)).unwrap() {
        let name = entry.name.to_str().unwrap().to_owned();
        let home = Path::new(LOGS).join(&name);
        if home == Path::new(HOME) || convlog_fs::is_temporary(&entry.name) {
            continue;
        }
        let fork = Conversation::open(shared(disk), &home).map_err(|error| format!("fork: {}", describe(&error)))?;
        let main = fork.read(&Transcript::Main).map_err(|error| format!("fork: {}", describe(&error)))?.log;
        attachments(&fork, &main)?;
        let verified = verify(&fork).map_err(|error| format!("fork: {}", describe(&error)))?;
        if let Some(fault) = verified.faults.iter().find(|fault| !fault.is_note()) {
            return Err(format!("the fork does not verify: {fault:?}"));
        }
        forks.insert(name, contents(&main));
    }
    Ok(forks)
}
