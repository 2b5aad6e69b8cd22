//! [`Whole`]: all that a conversation holds, with views, branches, bookmarks and attachments, beside what it should be.

use std::io::Write as _;
use std::path::Path;

use convlog_fs::sim::{CrashPlan, Quirks, SimFs};
use convlog_fs::{FileSystem as _, Open};
use convlog_store::{CheckpointPolicy, Session, SessionOptions};

use super::{Crash, World};
use crate::disk::{HOME, check_tidy, describe, kill, new_disk, options, say, shared};
use crate::foreign;
use crate::tally::Tally;

mod observe;
mod state;
mod step;
mod steps;

use observe::observe;
pub use state::State;
use state::is_allowed;
use step::STEPS;
pub use step::{OPERATIONS, Step};

/// Where a history begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// Main alone.
    Main,
    /// A view is active, and there are a branch and `lossless.jsonl`.
    View,
    /// Main alone, with gptme's interval of 50 between checkpoints.
    Long,
}

impl Start {
    fn options(self) -> SessionOptions {
        let options = options();
        if self == Self::Long { options.with_policy(CheckpointPolicy::default()) } else { options }
    }
}

/// The conversation, and what is acknowledged of it.
#[derive(Debug)]
pub struct Whole {
    start: Start,
    disk: SimFs,
    session: Option<Session>,
    /// The branch that the session is on.
    on: Option<String>,
    /// What the conversation was, one state after the other.
    states: Vec<State>,
    /// The last state that a killed process must leave.
    written: usize,
    /// The last state that a power loss must leave.
    synced: usize,
    number: usize,
    /// The last step was gptme's, whose append to several transcripts is no one operation.
    was_foreign: bool,
    /// The power went since the session was open.
    was_lost: bool,
}

const ATTACHED: &str = "/work/n.txt";

impl Whole {
    /// What it should be by now.
    #[must_use]
    pub fn last(&self) -> &State {
        self.states.last().unwrap()
    }

    /// Opens a disk and gives all that the conversation holds.
    ///
    /// # Errors
    ///
    /// When something of it cannot be opened, or does not agree with the rest.
    pub fn open(disk: &SimFs, start: Start) -> Result<(State, Session), String> {
        observe(disk, &start.options())
    }

    fn name(&mut self, kind: char) -> String {
        self.number += 1;
        format!("{kind}{}", self.number)
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
                let before = lossless.into_iter().chain(Some(crate::disk::transcript())).chain(view);
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
        let (found, session) = observe(&self.disk, &self.start.options())?;
        let allowed = &self.states[self.written..];
        let at = match allowed.iter().rposition(|state| *state == found) {
            Some(at) => at,
            None if std::mem::take(&mut self.was_lost) && is_allowed(&found, allowed, true) => {
                self.states.push(found);
                self.states.len() - 1 - self.written
            }
            None => return Err(format!("opened with {found:?}, not one of {allowed:?}")),
        };
        self.was_lost = false;
        self.states.truncate(self.written + at + 1);
        self.written = self.states.len() - 1;
        self.synced = self.synced.min(self.written);
        self.session = Some(session);
        Ok(())
    }
}

/// What may be there after a crash.
#[derive(Clone, Debug)]
pub struct Allowed {
    options: SessionOptions,
    killed: Vec<State>,
    lost: Vec<State>,
    was_foreign: bool,
}

impl Allowed {
    /// What the death of the process may leave.
    #[must_use]
    pub fn after_kill(&self) -> &[State] {
        &self.killed
    }
}

/// How far the acknowledged states went.
#[derive(Clone, Debug)]
pub struct Moment {
    written: usize,
    killed: Vec<State>,
    lost: Vec<State>,
}

impl World for Whole {
    type Start = Start;
    type Step = Step;
    type Moment = Moment;
    type Allowed = Allowed;

    const PLAN: CrashPlan = CrashPlan { seed: 11, budget: 6, max_cuts: 1, max_blocks: 1, max_changes: 3 };
    const INNER: CrashPlan = CrashPlan { seed: 12, budget: 3, max_cuts: 1, max_blocks: 0, max_changes: 2 };

    fn new(start: Start) -> Self {
        let disk = new_disk(Quirks::default());
        disk.create_dir(Path::new("/work")).unwrap();
        let mut file = disk.open(Path::new(ATTACHED), Open::CREATE_NEW).unwrap();
        file.write_all(b"attached").unwrap();
        file.sync_all().unwrap();
        for directory in ["/work", "/"] {
            let _ = disk.sync_dir(Path::new(directory)).unwrap();
        }
        let session = Session::create(shared(&disk), HOME, start.options(), [say("m0")]).unwrap();
        let first = State { main: vec!["m0".to_owned()], ..State::default() };
        let mut world = Self {
            start,
            disk,
            session: Some(session),
            on: None,
            states: vec![first],
            written: 0,
            synced: 0,
            number: 0,
            was_foreign: false,
            was_lost: false,
        };
        if start == Start::View {
            for step in [Step::BranchCreate, Step::Preserve, Step::ViewCreate, Step::ViewSwitch] {
                world.step(step).unwrap();
            }
        }
        world
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
        self.was_foreign = step.is_foreign();
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
                self.was_lost = true;
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

    fn moment(&self) -> Moment {
        let (killed, lost) = (self.states[self.written..].to_vec(), self.states[self.synced..].to_vec());
        Moment { written: self.written, killed, lost }
    }

    fn allowed_since(&self, before: &Moment) -> Allowed {
        let new = self.states.get(before.written..).unwrap_or_default();
        let (killed, lost) = ([&before.killed, new].concat(), [&before.lost, new].concat());
        Allowed { options: self.start.options(), killed, lost, was_foreign: self.was_foreign }
    }

    fn allowed(&self) -> Allowed {
        let (killed, lost) = (self.states[self.written..].to_vec(), self.states[self.synced..].to_vec());
        Allowed { options: self.start.options(), killed, lost, was_foreign: self.was_foreign }
    }

    fn check(disk: &SimFs, crash: Crash, allowed: &Allowed, _: &Tally) -> Result<(), String> {
        let (states, may_be_torn) = match crash {
            Crash::Kill => (&allowed.killed, allowed.was_foreign),
            Crash::PowerLoss => (&allowed.lost, true),
        };
        let (found, session) = observe(disk, &allowed.options)?;
        if !is_allowed(&found, states, may_be_torn) {
            return Err(format!("it is\n  {found:?}\nnot one of\n  {states:?}"));
        }
        check_tidy(disk)?;
        let disk = kill(disk, Some(session));
        let (again, session) = observe(&disk, &allowed.options).map_err(|error| format!("the second time: {error}"))?;
        let _ = kill(&disk, Some(session));
        if again == found { Ok(()) } else { Err(format!("{found:?} became {again:?}")) }
    }

    fn recover(disk: &SimFs, allowed: &Allowed) -> Result<(), String> {
        let (_, session) = observe(disk, &allowed.options)?;
        let _ = kill(disk, Some(session));
        Ok(())
    }

    fn durable(allowed: &Allowed) -> &[String] {
        allowed.lost.first().map_or(&[], |state| &state.main)
    }

    fn end(&mut self) {
        let _ = kill(&self.disk, self.session.take());
    }
}
