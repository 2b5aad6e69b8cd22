//! A conversation with views, branches, bookmarks and attachments, beside what it should be.
#![allow(dead_code, unreachable_pub)]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use convlog_eventlog as eventlog;
use convlog_fs::sim::{CrashPlan, Quirks, SimFs};
use convlog_fs::{Durability, FileSystem as _, Open};
use convlog_message::Log;
use convlog_store::{BranchName, Conversation, Fault, FaultKind, Session, Transcript, ViewName, verify};

use crate::common::{HOME, contents, describe, foreign, kill, new_disk, open, options, say, shared};

/// One step of a history. One that cannot be done, as there is no view to go to, does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Append,
    AppendSynced,
    Attach,
    Undo,
    Edit,
    ViewCreate,
    ViewSwitch,
    ViewLeave,
    ViewDelete,
    BranchCreate,
    /// From main to the newest branch, or back.
    BranchSwitch,
    BranchDelete,
    Restore,
    Preserve,
    Mark,
    Close,
    /// The process dies; the next step opens again.
    Kill,
    /// The power goes, and nothing that was not synced is left.
    PowerLoss,
    /// The session is closed, and gptme appends a message to what is active.
    GptmeAppends,
    /// The session is closed, and gptme writes a checkpoint of what is active, be it a view.
    GptmeCheckpoints,
}

pub const STEPS: [Step; 20] = [
    Step::Append,
    Step::AppendSynced,
    Step::Attach,
    Step::Undo,
    Step::Edit,
    Step::ViewCreate,
    Step::ViewSwitch,
    Step::ViewLeave,
    Step::ViewDelete,
    Step::BranchCreate,
    Step::BranchSwitch,
    Step::BranchDelete,
    Step::Restore,
    Step::Preserve,
    Step::Mark,
    Step::Close,
    Step::Kill,
    Step::PowerLoss,
    Step::GptmeAppends,
    Step::GptmeCheckpoints,
];

impl Step {
    /// Whether the process ends, in one way or another.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Close | Self::Kill | Self::PowerLoss)
    }
}

/// All that a conversation holds, backups aside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub main: Vec<String>,
    pub views: BTreeMap<String, Vec<String>>,
    pub active: Option<String>,
    pub branches: BTreeMap<String, Vec<String>>,
    pub lossless: Option<Vec<String>>,
    pub marks: Vec<usize>,
}

impl State {
    /// The log that a session on this branch acts on.
    fn log(&mut self, on: Option<&str>) -> &mut Vec<String> {
        match (on, &self.active) {
            (Some(branch), _) => self.branches.get_mut(branch).unwrap(),
            (None, Some(view)) => self.views.get_mut(view).unwrap(),
            (None, None) => &mut self.main,
        }
    }

    fn push(&mut self, on: Option<&str>, name: &str) {
        self.log(on).push(name.to_owned());
        if on.is_none() {
            if self.active.is_some() {
                self.main.push(name.to_owned());
            }
            self.lossless.iter_mut().for_each(|lossless| lossless.push(name.to_owned()));
        }
    }
}

/// Whether what a crash left is allowed. After a loss of power a line whose event was not durable may stand in one
/// transcript and not in another (FORMAT.md, "Not healed").
pub fn is_allowed(found: &State, allowed: &[State], power_lost: bool) -> bool {
    let rest = |state: &State| {
        let views: Vec<_> = state.views.keys().cloned().collect();
        (views, state.active.clone(), state.branches.clone(), state.marks.clone())
    };
    let in_some = |found: &Vec<String>, part: &dyn Fn(&State) -> Option<Vec<String>>| {
        allowed.iter().any(|state| part(state).as_ref() == Some(found))
    };
    let torn = || {
        allowed.iter().any(|state| rest(state) == rest(found))
            && in_some(&found.main, &|state| Some(state.main.clone()))
            && found.views.iter().all(|(name, log)| in_some(log, &|state| state.views.get(name).cloned()))
            && allowed.iter().any(|state| state.lossless == found.lossless)
    };
    allowed.contains(found) || (power_lost && torn())
}

/// Where a history begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Main alone.
    Main,
    /// A view is active, and there are a branch and `lossless.jsonl`.
    View,
}

/// The conversation, and what is acknowledged of it.
pub struct World {
    pub disk: SimFs,
    session: Option<Session>,
    /// The branch that the session is on.
    on: Option<String>,
    /// What the conversation was, one state after the other.
    pub states: Vec<State>,
    /// The last state that a killed process must leave.
    pub written: usize,
    /// The last state that a power loss must leave.
    pub synced: usize,
    number: usize,
}

const ATTACHED: &str = "/work/n.txt";

impl World {
    pub fn new(start: Start) -> Self {
        let disk = new_disk(Quirks::default());
        disk.create_dir(Path::new("/work")).unwrap();
        let mut file = disk.open(Path::new(ATTACHED), Open::CREATE_NEW).unwrap();
        file.write_all(b"attached").unwrap();
        file.sync_all().unwrap();
        for directory in ["/work", "/"] {
            let _ = disk.sync_dir(Path::new(directory)).unwrap();
        }
        let session = Session::create(shared(&disk), HOME, options(), [say("m0")]).unwrap();
        let first = State { main: vec!["m0".to_owned()], ..State::default() };
        let mut world =
            Self { disk, session: Some(session), on: None, states: vec![first], written: 0, synced: 0, number: 0 };
        if start == Start::View {
            for step in [Step::BranchCreate, Step::Preserve, Step::ViewCreate, Step::ViewSwitch] {
                world.step(step).unwrap();
            }
        }
        world
    }

    pub fn last(&self) -> &State {
        self.states.last().unwrap()
    }

    fn name(&mut self, kind: char) -> String {
        self.number += 1;
        format!("{kind}{}", self.number)
    }

    pub fn end(&mut self) {
        let _ = kill(&self.disk, self.session.take());
    }

    pub fn step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Kill => {
                self.disk = kill(&self.disk, self.session.take());
                self.on = None;
                Ok(())
            }
            Step::PowerLoss => {
                let plan = CrashPlan { budget: 1, ..CrashPlan::default() };
                let left = self.disk.crash_states(&plan).states.swap_remove(0).disk;
                let _ = kill(&self.disk, self.session.take());
                (self.disk, self.on, self.written) = (left, None, self.synced);
                Ok(())
            }
            Step::Close => self.close(),
            Step::GptmeAppends | Step::GptmeCheckpoints => {
                self.opened()?;
                self.close()?;
                self.gptme(step);
                Ok(())
            }
            step => self.own(step),
        }
    }

    fn close(&mut self) -> Result<(), String> {
        self.on = None;
        let Some(session) = self.session.take() else { return Ok(()) };
        session.close().map_err(|error| format!("closing: {}", describe(&error)))?;
        self.settle();
        Ok(())
    }

    /// All that there is, is acknowledged as durable.
    fn settle(&mut self) {
        self.written = self.states.len() - 1;
        self.synced = self.written;
    }

    /// gptme works on main, or on the view that is active; what it does is not durable.
    fn gptme(&mut self, step: Step) {
        let mut state = self.last().clone();
        let view = state.active.clone().map(|view| Path::new(HOME).join(format!("views/{view}.jsonl")));
        match step {
            Step::GptmeAppends => {
                let name = self.name('g');
                let lossless = state.lossless.is_some().then(|| Path::new(HOME).join("lossless.jsonl"));
                let before = lossless.into_iter().chain(Some(crate::common::transcript())).chain(view);
                foreign::gptme_append_to(&self.disk, &before.collect::<Vec<_>>(), &name);
                state.push(None, &name);
                self.states.push(state);
                self.written = self.states.len() - 1;
            }
            _ => foreign::gptme_compact_to(&self.disk, state.log(None)),
        }
    }

    fn opened(&mut self) -> Result<(), String> {
        if self.session.is_some() {
            return Ok(());
        }
        let (found, session) = observe(&self.disk)?;
        let Some(at) = self.states[self.written..].iter().rposition(|state| *state == found) else {
            return Err(format!("opened with {found:?}, not one of {:?}", &self.states[self.written..]));
        };
        self.states.truncate(self.written + at + 1);
        self.written = self.states.len() - 1;
        self.synced = self.synced.min(self.written);
        self.session = Some(session);
        Ok(())
    }

    fn own(&mut self, step: Step) -> Result<(), String> {
        self.opened()?;
        let (mut state, on) = (self.last().clone(), self.on.clone());
        let on = on.as_deref();
        let name = self.name('c');
        let newest_view = state.views.keys().next_back().cloned();
        let newest_branch = state.branches.keys().next_back().cloned();
        let session = self.session.as_mut().unwrap();
        let tell = |error: &dyn std::error::Error| format!("{step:?}: {}", describe(error));
        let mut synced = true;
        match step {
            Step::Append | Step::AppendSynced | Step::Attach => {
                state.push(on, &name);
                self.states.push(state);
                synced = step == Step::AppendSynced;
                let level = if synced { Durability::Synced } else { Durability::Written };
                let files = if step == Step::Attach { vec![ATTACHED] } else { Vec::new() };
                let appended = session.append_at(say(&name).with_files(files), level).map_err(|e| tell(&e))?;
                assert!(appended.uncaptured.is_empty() || self.disk.faults_hit() > 0, "{:?}", appended.uncaptured);
            }
            Step::Undo if !state.log(on).is_empty() => {
                state.log(on).pop();
                self.states.push(state);
                session.undo(1).map_err(|e| tell(&e))?;
            }
            Step::Edit => {
                let log = state.log(on);
                log.pop();
                log.push(name);
                let new = foreign::log(log);
                self.states.push(state);
                session.edit(new).map_err(|e| tell(&e))?;
            }
            Step::ViewCreate if on.is_none() => {
                let view = session.next_view_name().map_err(|e| tell(&e))?;
                let summary = vec![format!("sum of {}", state.main.len())];
                state.views.insert(view.as_str().to_owned(), summary.clone());
                self.states.push(state);
                session.create_view(&view, &foreign::log(&summary)).map_err(|e| tell(&e))?;
            }
            Step::ViewSwitch if on.is_none() && newest_view.is_some() && newest_view != state.active => {
                let view: ViewName = newest_view.clone().unwrap().parse().unwrap();
                state.active = newest_view;
                self.states.push(state);
                session.switch_view(&view).map_err(|e| tell(&e))?;
            }
            Step::ViewLeave if on.is_none() && state.active.is_some() => {
                state.active = None;
                self.states.push(state);
                session.leave_view().map_err(|e| tell(&e))?;
            }
            Step::ViewDelete if on.is_none() && newest_view.is_some() && newest_view != state.active => {
                let view = newest_view.unwrap();
                state.views.remove(&view);
                self.states.push(state);
                session.delete_view(&view.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::BranchCreate => {
                let log = state.log(on).clone();
                state.branches.insert(name.clone(), log);
                self.states.push(state);
                session.create_branch(&name.parse().unwrap(), None).map_err(|e| tell(&e))?;
            }
            Step::BranchSwitch if newest_branch.is_some() || on.is_some() => {
                let to = if on.is_some() { None } else { newest_branch };
                let branch: Option<BranchName> = to.as_ref().map(|branch| branch.parse().unwrap());
                session.switch_branch(branch.as_ref()).map_err(|e| tell(&e))?;
                self.on = to;
            }
            Step::BranchDelete if newest_branch.is_some() && newest_branch.as_deref() != on => {
                let branch = newest_branch.unwrap();
                state.branches.remove(&branch);
                self.states.push(state);
                session.delete_branch(&branch.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::Restore if newest_branch.is_some() && on.is_none() => {
                let branch = newest_branch.unwrap();
                state.main = state.branches[&branch].clone();
                self.states.push(state);
                session.restore(&branch.parse().unwrap()).map_err(|e| tell(&e))?;
            }
            Step::Preserve if on.is_none() && state.lossless.is_none() => {
                let main = state.main.clone();
                state.lossless.get_or_insert(main);
                self.states.push(state);
                session.preserve_lossless().map_err(|e| tell(&e))?;
            }
            Step::Mark => {
                let count = state.log(on).len();
                state.marks.push(count);
                self.states.push(state);
                session.mark(Some("here")).map_err(|e| tell(&e))?;
            }
            _ => synced = false,
        }
        self.written = self.states.len() - 1;
        if synced {
            self.settle();
        }
        let mut state = self.last().clone();
        let expected = state.log(self.on.as_deref());
        let found = contents(self.session.as_ref().unwrap().log());
        if found == *expected { Ok(()) } else { Err(format!("{step:?} led to {found:?}, not {expected:?}")) }
    }
}

/// Opens every log of a conversation, heals it, and gives all that it holds, and main's session.
pub fn observe(disk: &SimFs) -> Result<(State, Session), String> {
    open(disk)?.close().map_err(|error| describe(&error))?;
    let conversation = Conversation::open(shared(disk), HOME).map_err(|error| describe(&error))?;
    let backups = conversation.backups().map_err(|error| describe(&error))?;
    let is_backup = |branch: &BranchName| backups.iter().any(|backup| backup.branch == *branch);
    let mut state = State::default();
    let read = |which: &Transcript| {
        conversation.read(which).map(|reading| reading.log).map_err(|error| format!("{which}: {}", describe(&error)))
    };
    for branch in conversation.branches().unwrap().into_iter().filter(|branch| !is_backup(branch)) {
        let on = options().on_branch(branch.clone());
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
    attachments(&conversation, &main)?;
    let verified = verify(&conversation).map_err(|error| describe(&error))?;
    // gptme's own last line may be torn.
    let is_torn = |fault: &Fault| matches!(fault.kind, FaultKind::Line(_));
    if let Some(fault) = verified.faults.iter().find(|fault| !fault.is_note() && !is_torn(fault)) {
        return Err(format!("it does not verify: {fault:?}"));
    }
    let session = open(disk)?;
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
