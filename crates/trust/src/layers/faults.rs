//! Layer 3: at every file operation of every operation of a session an error or a short write, once and for ever.

pub mod beside;

use std::time::Instant;

use convlog_fs::Durability;
use convlog_fs::sim::{CrashPlan, Fault, Quirks, SimFs, Times, When};
use convlog_store::{RewriteError, Session};

use crate::disk::{HOME, check_agreement, check_tidy, contents, describe, kill, new_disk, open, options, say, shared};
use crate::explore::each;
use crate::foreign;
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Count;
use crate::world::alone::State;

const PLAN: CrashPlan = CrashPlan { seed: 3, budget: 4, max_cuts: 2, max_blocks: 0, max_changes: 1 };

/// How many disks that a power loss may leave are looked at: nothing kept, everything, and a few between.
const STATES: usize = 5;

/// What came of an operation.
struct Outcome {
    /// The error, and whether what was asked for may stand all the same.
    error: Option<(String, bool)>,
    /// What survives power loss, when it succeeded.
    durable: bool,
}

impl Outcome {
    fn of<T, E: std::error::Error>(result: Result<T, E>, may_stand: impl Fn(&E) -> bool, durable: bool) -> Self {
        Self { error: result.err().map(|error| (describe(&error), may_stand(&error))), durable }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Create,
    Append,
    AppendSynced,
    AppendWithCheckpoint,
    Batch,
    Undo,
    Edit,
    Sync,
    Close,
    OpenClosed,
    OpenKilled,
    OpenAfterPowerLoss,
    OpenAfterGptme,
}

const CASES: [Case; 13] = [
    Case::Create,
    Case::Append,
    Case::AppendSynced,
    Case::AppendWithCheckpoint,
    Case::Batch,
    Case::Undo,
    Case::Edit,
    Case::Sync,
    Case::Close,
    Case::OpenClosed,
    Case::OpenKilled,
    Case::OpenAfterPowerLoss,
    Case::OpenAfterGptme,
];

fn state(contents: &[&str]) -> State {
    contents.iter().map(|content| (*content).to_owned()).collect()
}

impl Case {
    fn is_open(self) -> bool {
        matches!(self, Self::OpenClosed | Self::OpenKilled | Self::OpenAfterPowerLoss | Self::OpenAfterGptme)
    }

    /// The disk before, the session that is open on it, and what main is; no state where there is none.
    fn prepare(self) -> (SimFs, Option<Session>, Option<State>) {
        let disk = new_disk(Quirks::default());
        if self == Self::Create {
            return (disk, None, None);
        }
        let mut session = Session::create(shared(&disk), HOME, options(), vec![say("a")]).unwrap();
        session.append_at(say("b"), Durability::Synced).unwrap();
        let before = Some(state(&["a", "b"]));
        match self {
            Self::Undo | Self::Edit => {
                // The checkpoint is behind.
                session.append(say("c")).unwrap();
                (disk, Some(session), Some(state(&["a", "b", "c"])))
            }
            Self::Sync => {
                // Behind the checkpoint, which is synced.
                session.append(say("c")).unwrap();
                session.append(say("d")).unwrap();
                (disk, Some(session), Some(state(&["a", "b", "c", "d"])))
            }
            Self::OpenClosed => {
                session.close().unwrap();
                (disk, None, before)
            }
            Self::OpenKilled => (kill(&disk, Some(session)), None, before),
            Self::OpenAfterPowerLoss => {
                let lost = disk.crash_states(&PLAN).states.swap_remove(0).disk;
                let _ = kill(&disk, Some(session));
                (lost, None, before)
            }
            Self::OpenAfterGptme => {
                session.close().unwrap();
                foreign::gptme_append(&disk, "g");
                (disk, None, Some(state(&["a", "b", "g"])))
            }
            _ => (disk, Some(session), before),
        }
    }

    /// The states after it, the last of them when it is done.
    fn after(self, before: Option<&State>) -> Vec<State> {
        let with = |more: &[&str]| [before.cloned().unwrap_or_default(), state(more)].concat();
        match self {
            Self::Create => vec![state(&["a", "b"])],
            Self::Append | Self::AppendSynced => vec![with(&["x"])],
            Self::Batch | Self::AppendWithCheckpoint => vec![with(&["x"]), with(&["x", "y"])],
            Self::Undo => vec![state(&["a", "b"])],
            Self::Edit => vec![state(&["a", "new"])],
            _ => vec![with(&[])],
        }
    }

    fn act(self, disk: &SimFs, session: &mut Option<Session>) -> Outcome {
        let is_not_durable = |error: &RewriteError| matches!(error, RewriteError::NotDurable { .. });
        match self {
            Self::Create => {
                let created = Session::create(shared(disk), HOME, options(), vec![say("a"), say("b")]);
                Outcome::of(created.map(|created| *session = Some(created)), |_| true, true)
            }
            Self::Append | Self::AppendSynced => {
                let level = if self == Self::Append { Durability::Written } else { Durability::Synced };
                let appended = session.as_mut().unwrap().append_at(say("x"), level);
                Outcome::of(appended, convlog_store::AppendError::may_stand, self == Self::AppendSynced)
            }
            Self::Batch | Self::AppendWithCheckpoint => {
                // The first of them makes the third event.
                let level = if self == Self::Batch { Durability::Written } else { Durability::Synced };
                let appended = session.as_mut().unwrap().append_batch(&[say("x"), say("y")], level);
                Outcome::of(appended, convlog_store::AppendError::may_stand, level == Durability::Synced)
            }
            Self::Undo => Outcome::of(session.as_mut().unwrap().undo(1), is_not_durable, true),
            Self::Edit => {
                let log = foreign::log(&state(&["a", "new"]));
                Outcome::of(session.as_mut().unwrap().edit(log), is_not_durable, true)
            }
            Self::Sync => Outcome::of(session.as_mut().unwrap().sync(), |_| true, true),
            Self::Close => Outcome::of(session.take().unwrap().close(), |_| true, true),
            _ => {
                let opened = Session::open(shared(disk), HOME, options());
                Outcome::of(opened.map(|opened| *session = Some(opened)), |_| true, true)
            }
        }
    }
}

fn opened(disk: &SimFs, allowed: &[State]) -> Result<State, String> {
    let session = open(disk).map_err(|error| format!("reopening: {error}"))?;
    let found = contents(session.log());
    if !allowed.contains(&found) {
        return Err(format!("reopened with {found:?}, not one of {allowed:?}"));
    }
    check_agreement(disk, &session)?;
    check_tidy(disk)?;
    session.close().map_err(|error| format!("closing: {error}"))?;
    Ok(found)
}

/// Every disk that a power loss now may leave opens with one of these states.
fn check_power_loss(disk: &SimFs, allowed: &[State]) -> Result<(), String> {
    for crash in disk.crash_states(&PLAN).states.into_iter().take(STATES) {
        opened(&crash.disk, allowed).map_err(|error| format!("power lost, {}: {error}", crash.description))?;
    }
    Ok(())
}

/// One fault in one operation.
fn check(case: Case, call: u64, fault: Fault, times: Times) -> Result<bool, String> {
    let (disk, mut session, before) = case.prepare();
    let states = case.after(before.as_ref());
    let done = states.last().unwrap().clone();
    disk.fail(When::number(call), fault, times);
    let outcome = case.act(&disk, &mut session);
    let hit = disk.faults_hit() > 0;
    let allowed: Vec<State> = match &outcome.error {
        None => vec![done.clone()],
        Some((_, true)) => before.iter().cloned().chain(states.iter().cloned()).collect(),
        Some(_) => before.iter().cloned().collect(),
    };
    let mut allowed = allowed;
    if case == Case::Create && times == Times::Forever {
        // Where nothing can be removed any more, an empty conversation stays behind.
        allowed.push(State::new());
    }
    if let Some(session) = &session
        && !allowed.contains(&contents(session.log()))
    {
        return Err(format!("the session has {:?} after {:?}", session.log(), outcome.error));
    }
    disk.clear_faults();
    if outcome.error.is_none() && outcome.durable {
        check_power_loss(&disk, std::slice::from_ref(&done))?;
    }
    // A later success at synced must be one.
    if let Some(session) = &mut session
        && session.append_at(say("later"), Durability::Synced).is_ok()
    {
        let later: Vec<State> = allowed.iter().map(|state| [state.clone(), state_of("later")].concat()).collect();
        check_power_loss(&disk, &later).map_err(|error| format!("a later append: {error}"))?;
        allowed = later;
    }
    if fault == Fault::IO {
        // The process ends in the end; before that, by a kill.
        let killed = disk.kill();
        reopen(case, &killed, before.as_ref(), &allowed, &done)
            .map_err(|error| format!("killed after {:?}: {error}", outcome.error))?;
    }
    drop(session);
    reopen(case, &disk.kill(), before.as_ref(), &allowed, &done)
        .map_err(|error| format!("after {:?}: {error}", outcome.error))?;
    Ok(hit)
}

fn state_of(content: &str) -> State {
    state(&[content])
}

/// Reopens without faults, and does once more what was not done.
fn reopen(case: Case, disk: &SimFs, before: Option<&State>, allowed: &[State], done: &State) -> Result<(), String> {
    let Some(before) = before else {
        // It was created, or it was not and can be.
        return match Session::create(shared(disk), HOME, options(), vec![say("a"), say("b")]) {
            Ok(session) => check_agreement(disk, &session),
            Err(_) => opened(disk, allowed).map(drop),
        };
    };
    let found = opened(disk, allowed)?;
    if case.is_open() || found != *before {
        return Ok(());
    }
    let mut session = Some(open(disk)?);
    if let Some((error, _)) = case.act(disk, &mut session).error {
        return Err(format!("a second try: {error}"));
    }
    drop(session);
    opened(&disk.kill(), std::slice::from_ref(done)).map(drop)
}

/// A fault at one call of one operation.
#[derive(Clone, Copy, Debug)]
struct Trial {
    case: Case,
    call: u64,
    fault: Fault,
    times: Times,
}

/// Every fault at every call of every operation.
fn trials() -> Vec<Trial> {
    let mut trials = Vec::new();
    for case in CASES {
        let (disk, mut session, _) = case.prepare();
        let first = disk.next_op();
        let outcome = case.act(&disk, &mut session);
        assert!(outcome.error.is_none(), "{case:?}: {:?}", outcome.error);
        for op in disk.ops().into_iter().filter(|op| op.number >= first) {
            let faults = Fault::SWEEP.into_iter().filter(|fault| fault.can_hit(op.operation));
            let both = faults.flat_map(|fault| [Times::Once, Times::Forever].map(|times| (fault, times)));
            trials.extend(both.map(|(fault, times)| Trial { case, call: op.number, fault, times }));
        }
    }
    trials
}

/// The whole sweep.
#[must_use]
pub fn run(_: &Plan) -> Row {
    let (start, hit) = (Instant::now(), Count::default());
    let trials = trials();
    let failures = each("faults", &trials, |trial| {
        let Trial { case, call, fault, times } = *trial;
        hit.add(usize::from(check(case, call, fault, times).map_err(|error| format!("{trial:?}: {error}"))?));
        Ok(())
    });
    Row {
        layer: "3 fault sweep of main".to_owned(),
        counts: format!("{} operations, {} faults injected", CASES.len(), hit.get()),
        took: start.elapsed(),
        failures,
        skipped: Vec::new(),
    }
}
