//! A conversation that convlog, gptme and an editor work on, beside the list that it should be.

use std::collections::BTreeSet;
use std::path::Path;

use convlog_eventlog as eventlog;
use convlog_fs::Durability;
use convlog_fs::sim::{CrashPlan, Quirks, SimFs};
use convlog_store::Session;

use super::{HOME, contents, describe, foreign, kill, new_disk, open, options, read_transcript, say, shared};

/// One step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Append,
    AppendSynced,
    Batch,
    Undo,
    Edit,
    Close,
    /// The process dies; the next step of convlog opens again.
    Kill,
    /// The power goes, and nothing that was not synced is left.
    PowerLoss,
    GptmeAppends,
    GptmeUndoes,
    EditorCuts,
    EditorReplaces,
}

pub const STEPS: [Step; 12] = [
    Step::Append,
    Step::AppendSynced,
    Step::Batch,
    Step::Undo,
    Step::Edit,
    Step::Close,
    Step::Kill,
    Step::PowerLoss,
    Step::GptmeAppends,
    Step::GptmeUndoes,
    Step::EditorCuts,
    Step::EditorReplaces,
];

impl Step {
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::GptmeAppends | Self::GptmeUndoes | Self::EditorCuts | Self::EditorReplaces)
    }

    /// Whether the process ends, in one way or another.
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Close | Self::Kill | Self::PowerLoss)
    }
}

pub type State = Vec<String>;

/// The conversation, and what is acknowledged of it.
pub struct World {
    pub disk: SimFs,
    session: Option<Session>,
    /// What main was, one state after the other.
    pub states: Vec<State>,
    /// The last state that a killed process must leave.
    pub written: usize,
    /// The last state that a power loss must leave.
    pub synced: usize,
    /// A foreign program has worked on the conversation after convlog ended without closing it, and
    /// convlog has not opened it since (FORMAT.md, "Not healed").
    pub foreign_on_unclosed: bool,
    /// What was acknowledged as durable, and no foreign program removed.
    pub held: BTreeSet<String>,
    number: usize,
}

impl World {
    /// A conversation of one message, created and open.
    pub fn new(quirks: Quirks) -> Self {
        let disk = new_disk(quirks);
        let session = Session::create(shared(&disk), HOME, options(), vec![say("m0")]).unwrap();
        let first = vec!["m0".to_owned()];
        Self {
            disk,
            session: Some(session),
            held: first.iter().cloned().collect(),
            states: vec![first],
            written: 0,
            synced: 0,
            foreign_on_unclosed: false,
            number: 0,
        }
    }

    pub fn last(&self) -> &State {
        self.states.last().unwrap()
    }

    fn name(&mut self, kind: char) -> String {
        self.number += 1;
        format!("{kind}{}", self.number)
    }

    /// Does a step.
    pub fn step(&mut self, step: Step) -> Result<(), String> {
        match step {
            Step::Kill => {
                self.disk = kill(&self.disk, self.session.take());
                Ok(())
            }
            Step::PowerLoss => {
                self.lose_power();
                Ok(())
            }
            Step::Close => self.close(),
            step if step.is_foreign() => {
                self.foreign(step);
                Ok(())
            }
            step => self.own(step),
        }
    }

    fn lose_power(&mut self) {
        let plan = CrashPlan { budget: 1, ..CrashPlan::default() };
        let left = self.disk.crash_states(&plan).states.swap_remove(0).disk;
        let _ = kill(&self.disk, self.session.take());
        self.disk = left;
        self.written = self.synced;
        let standing = read_transcript(&self.disk);
        if self.foreign_on_unclosed && !self.states[self.synced..].contains(&standing) {
            self.states.push(standing);
        }
    }

    fn close(&mut self) -> Result<(), String> {
        let Some(session) = self.session.take() else { return Ok(()) };
        let stale = contents(session.log()) != read_transcript(&self.disk);
        match session.close().map_err(|error| describe(&error)) {
            Ok(()) if !stale => {
                self.settle();
                Ok(())
            }
            // Another program was at the files: what is not durable by now is not said to be.
            Err(error) if !stale && !error.contains("open it again to take that in") => {
                Err(format!("closing: {error}"))
            }
            _ => Ok(()),
        }
    }

    /// All that there is, is acknowledged as durable.
    fn settle(&mut self) {
        self.written = self.states.len() - 1;
        self.synced = self.written;
        self.held.extend(self.states[self.synced].iter().cloned());
    }

    fn foreign(&mut self, step: Step) {
        let reading = eventlog::read(&self.disk, Path::new(HOME)).unwrap();
        let unclosed = reading.is_some_and(|reading| reading.last_convlog().is_some() && !reading.convlog_closed());
        let before = read_transcript(&self.disk);
        if *self.last() != before {
            self.states.push(before.clone());
        }
        let name = self.name('g');
        let mut expected = before.clone();
        match step {
            Step::GptmeAppends => {
                expected.push(name.clone());
                self.states.push(expected);
                foreign::gptme_append(&self.disk, &name);
            }
            Step::GptmeUndoes | Step::EditorCuts if before.is_empty() => return,
            Step::GptmeUndoes | Step::EditorCuts => {
                expected.pop();
                self.states.push(expected);
                self.held.retain(|held| before.last() != Some(held));
                match step {
                    Step::GptmeUndoes => foreign::gptme_undo(&self.disk, 1),
                    _ => foreign::cut(&self.disk, 1),
                }
            }
            _ => {
                expected.pop();
                expected.push(name);
                self.held.retain(|held| before.last() != Some(held));
                foreign::replace(&self.disk, &expected);
                self.states.push(expected);
            }
        }
        self.foreign_on_unclosed |= unclosed;
        // Lines cut in place on a conversation that convlog left unclosed may return: "Not healed".
        if !(unclosed && step == Step::EditorCuts) {
            self.written = self.states.len() - 1;
        }
        let standing = read_transcript(&self.disk);
        if standing != *self.last() {
            // gptme's line was glued to a torn one.
            self.states.push(standing);
        }
    }

    /// Opens the conversation when it is not, and takes note of what is there.
    fn opened(&mut self) -> Result<(), String> {
        if self.session.is_some() {
            return Ok(());
        }
        let session = open(&self.disk).map_err(|error| format!("opening: {error}"))?;
        let found = contents(session.log());
        let Some(at) = self.states[self.written..].iter().rposition(|state| *state == found) else {
            return Err(format!("opened with {found:?}, not one of {:?}", &self.states[self.written..]));
        };
        self.states.truncate(self.written + at + 1);
        self.written = self.states.len() - 1;
        self.synced = self.synced.min(self.written);
        self.foreign_on_unclosed = false;
        super::check_agreement(&self.disk, &session)?;
        self.session = Some(session);
        Ok(())
    }

    /// A step of convlog; after a conflict the conversation is opened again, and the step tried once more.
    fn own(&mut self, step: Step) -> Result<(), String> {
        let names = [self.name('c'), self.name('c')];
        for attempt in 0..2 {
            self.opened()?;
            if step == Step::Undo && self.session.as_ref().is_some_and(|session| session.log().is_empty()) {
                return Ok(());
            }
            let before = self.states.len();
            match self.try_own(step, &names) {
                Ok(durability) => {
                    self.written = self.states.len() - 1;
                    if durability == Durability::Synced {
                        self.settle();
                    }
                    let session = self.session.as_ref().unwrap();
                    if contents(session.log()) != *self.last() {
                        return Err(format!("{step:?} led to {:?}, not {:?}", session.log(), self.last()));
                    }
                    return super::check_agreement(&self.disk, session);
                }
                Err(error) if attempt == 0 && error.contains("by another program") => {
                    self.states.truncate(before);
                    drop(self.session.take());
                }
                Err(error) => return Err(format!("{step:?}: {error}")),
            }
        }
        Ok(())
    }

    fn try_own(&mut self, step: Step, names: &[String; 2]) -> Result<Durability, String> {
        let session = self.session.as_mut().unwrap();
        let mut state = self.states.last().unwrap().clone();
        match step {
            Step::Append | Step::AppendSynced => {
                let level = if step == Step::Append { Durability::Written } else { Durability::Synced };
                state.push(names[0].clone());
                self.states.push(state);
                session.append_at(say(&names[0]), level).map(|_| level).map_err(|e| describe(&e))
            }
            Step::Batch => {
                for name in names {
                    state.push(name.clone());
                    self.states.push(state.clone());
                }
                let batch: Vec<_> = names.iter().map(|name| say(name)).collect();
                session.append_batch(&batch, Durability::Written).map_err(|e| describe(&e))?;
                Ok(Durability::Written)
            }
            Step::Undo => {
                state.pop();
                self.states.push(state);
                session.undo(1).map_err(|e| describe(&e))?;
                Ok(Durability::Synced)
            }
            _ => {
                state.pop();
                state.push(format!("e{}", &names[0]));
                self.states.push(state.clone());
                session.edit(foreign::log(&state)).map_err(|e| describe(&e))?;
                Ok(Durability::Synced)
            }
        }
    }

    /// Ends the process without a word.
    pub fn end(&mut self) {
        let _ = kill(&self.disk, self.session.take());
    }
}
