//! [`Alone`]: main by itself, that convlog, gptme and an editor work on, beside the list that it should be.

use std::collections::BTreeSet;
use std::path::Path;

use convlog_eventlog as eventlog;
use convlog_fs::sim::{CrashPlan, Quirks, SimFs};
use convlog_store::Session;

use super::{Crash, World};
use crate::disk::{
    HOME, check_agreement, check_tidy, contents, describe, in_branches, kill, new_disk, open, options, read_transcript,
    say, shared,
};
use crate::foreign;
use crate::tally::Tally;

mod steps;

/// One step of a history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A message, that survives a kill.
    Append,
    /// A message, that survives a loss of power.
    AppendSynced,
    /// Two messages at once.
    Batch,
    /// The last message is removed.
    Undo,
    /// The last message is replaced.
    Edit,
    /// The session is closed.
    Close,
    /// The process dies; the next step of convlog opens again.
    Kill,
    /// The power goes, and nothing that was not synced is left.
    PowerLoss,
    /// gptme appends a message.
    GptmeAppends,
    /// gptme removes the last message.
    GptmeUndoes,
    /// An editor cuts the last line in place.
    EditorCuts,
    /// An editor writes the file anew, with another last message.
    EditorReplaces,
}

/// Every step.
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
    /// Whether another program takes it.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::GptmeAppends | Self::GptmeUndoes | Self::EditorCuts | Self::EditorReplaces)
    }

    /// Whether the process ends, in one way or another.
    #[must_use]
    pub const fn is_end(self) -> bool {
        matches!(self, Self::Close | Self::Kill | Self::PowerLoss)
    }
}

/// What main holds.
pub type State = Vec<String>;

/// The conversation, and what is acknowledged of it.
#[derive(Debug)]
pub struct Alone {
    disk: SimFs,
    session: Option<Session>,
    /// What main was, one state after the other.
    states: Vec<State>,
    /// The last state that a killed process must leave.
    written: usize,
    /// The last state that a power loss must leave.
    synced: usize,
    /// A foreign program has worked on the conversation after convlog ended without closing it, and
    /// convlog has not opened it since ("Not healed").
    foreign_on_unclosed: bool,
    /// What was acknowledged as durable, and no foreign program removed.
    held: BTreeSet<String>,
    number: usize,
}

impl Alone {
    fn last(&self) -> &State {
        self.states.last().unwrap()
    }

    fn name(&mut self, kind: char) -> String {
        self.number += 1;
        format!("{kind}{}", self.number)
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
        check_agreement(&self.disk, &session)?;
        self.session = Some(session);
        Ok(())
    }
}

/// What may be there after a crash.
#[derive(Clone, Debug)]
pub struct Allowed {
    killed: Vec<State>,
    lost: Vec<State>,
    /// "Not healed": a foreign program worked on what convlog left unclosed, then the power went. The
    /// transcript stays as it is, and the rest is in a branch.
    as_it_stands: bool,
    held: BTreeSet<String>,
}

/// How far the acknowledged states went.
#[derive(Clone, Debug)]
pub struct Moment {
    written: usize,
    killed: Vec<State>,
    lost: Vec<State>,
    as_it_stands: bool,
    held: BTreeSet<String>,
}

impl World for Alone {
    type Start = ();
    type Step = Step;
    type Moment = Moment;
    type Allowed = Allowed;

    const PLAN: CrashPlan = CrashPlan { seed: 7, budget: 8, max_cuts: 3, max_blocks: 1, max_changes: 2 };
    const INNER: CrashPlan = CrashPlan { seed: 8, budget: 4, max_cuts: 1, max_blocks: 0, max_changes: 1 };

    fn new((): ()) -> Self {
        let disk = new_disk(Quirks::default());
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

    fn steps() -> &'static [Step] {
        &STEPS
    }

    fn ends(step: Step) -> bool {
        step.is_end()
    }

    fn crashes(step: Step) -> bool {
        matches!(step, Step::Kill | Step::PowerLoss)
    }

    fn disk(&self) -> &SimFs {
        &self.disk
    }

    fn step(&mut self, step: Step) -> Result<(), String> {
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

    fn moment(&self) -> Moment {
        Moment {
            written: self.written,
            killed: self.states[self.written..].to_vec(),
            lost: self.states[self.synced..].to_vec(),
            as_it_stands: self.foreign_on_unclosed,
            held: self.held.clone(),
        }
    }

    fn allowed_since(&self, before: &Moment) -> Allowed {
        let new = self.states.get(before.written..).unwrap_or_default();
        Allowed {
            killed: [&before.killed, new].concat(),
            lost: [&before.lost, new].concat(),
            as_it_stands: before.as_it_stands || self.foreign_on_unclosed,
            held: before.held.intersection(&self.held).cloned().collect(),
        }
    }

    fn allowed(&self) -> Allowed {
        Allowed {
            killed: self.states[self.written..].to_vec(),
            lost: self.states[self.synced..].to_vec(),
            as_it_stands: self.foreign_on_unclosed,
            held: self.held.clone(),
        }
    }

    fn check(disk: &SimFs, crash: Crash, allowed: &Allowed, tally: &Tally) -> Result<(), String> {
        let states = if crash == Crash::Kill { &allowed.killed } else { &allowed.lost };
        let standing = read_transcript(disk);
        let session = open(disk)?;
        let found = contents(session.log());
        let branches = in_branches(disk);
        if let Some(lost) = allowed.held.iter().find(|held| !found.contains(held) && !branches.contains(held)) {
            return Err(format!("{lost} is in neither main nor a branch; main is {found:?}"));
        }
        if !states.contains(&found) {
            let is_lost = crash == Crash::PowerLoss;
            if is_lost && allowed.as_it_stands && found == standing {
                tally.not_healed.one();
            } else if is_lost && session.recovery().quarantined > 0 && has_gap(&found, states) {
                tally.gaps.one();
            } else {
                return Err(format!("main is {found:?}, not one of {states:?}"));
            }
        }
        check_agreement(disk, &session)?;
        check_tidy(disk)?;
        // Killed and opened again, it says the same; closed and opened again, there is nothing to do.
        let disk = kill(disk, Some(session));
        let session = open(&disk).map_err(|error| format!("the second time: {error}"))?;
        let recovery = session.recovery();
        if contents(session.log()) != found || recovery.put_back > 0 || !recovery.backups.is_empty() {
            return Err(format!("{found:?} became {:?}, {recovery:?}", session.log()));
        }
        check_agreement(&disk, &session).map_err(|error| format!("the second time: {error}"))?;
        session.close().map_err(|error| error.to_string())?;
        let session = open(&disk).map_err(|error| format!("the third time: {error}"))?;
        let again = contents(session.log());
        if again != found || !session.recovery().is_empty() || session.recovery().rewritten {
            return Err(format!("closed, {found:?} became {again:?}, {:?}", session.recovery()));
        }
        Ok(())
    }

    fn recover(disk: &SimFs, _: &Allowed) -> Result<(), String> {
        let session = open(disk)?;
        let _ = kill(disk, Some(session));
        Ok(())
    }

    fn durable(allowed: &Allowed) -> &[String] {
        allowed.lost.first().map_or(&[], Vec::as_slice)
    }

    fn end(&mut self) {
        let _ = kill(&self.disk, self.session.take());
    }
}

/// Whether a log is one of these states but for lines that were torn out of it beyond what was durable, which is
/// the first of them (I2).
fn has_gap(found: &State, states: &[State]) -> bool {
    let within = |inner: &State, outer: &State| {
        let mut outer = outer.iter();
        inner.iter().all(|message| outer.any(|other| other == message))
    };
    states.first().is_some_and(|durable| within(durable, found)) && states.iter().any(|state| within(found, state))
}
