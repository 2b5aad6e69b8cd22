//! The bounded model of FORMAT.md §6: every history of a few steps, a crash at each file operation of
//! the last one, the real recovery after it, and what it leaves compared with a plain list.
//!
//! `CONVLOG_MODEL_OPS` says how many steps; 2 without it, 3 in a release build.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use std::collections::{BTreeSet, HashSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::world::{STEPS, State, Step, World};
use common::{check_agreement, check_tidy, contents, in_branches, kill, open, read_transcript};
use convlog_fs::sim::{CrashPlan, Quirks, SimFs};

/// How many disks the loss of power leaves at one moment: one thing at a time, and a few more.
const PLAN: CrashPlan = CrashPlan { seed: 7, budget: 8, max_cuts: 3, max_blocks: 1, max_changes: 2 };
/// The same inside recovery.
const INNER: CrashPlan = CrashPlan { seed: 8, budget: 4, max_cuts: 1, max_blocks: 0, max_changes: 1 };
/// One crash state in so many is crashed again inside its recovery.
const SECOND: u64 = 97;

#[derive(Default)]
struct Counts {
    histories: AtomicUsize,
    points: AtomicUsize,
    states: AtomicUsize,
    second: AtomicUsize,
    not_healed: AtomicUsize,
    gaps: AtomicUsize,
}

impl Counts {
    fn add(count: &AtomicUsize, by: usize) {
        count.fetch_add(by, Ordering::Relaxed);
    }
}

/// What may be there after a crash.
#[derive(Clone, Copy)]
struct Allowed<'a> {
    killed: &'a [State],
    lost: &'a [State],
    /// "Not healed": a foreign program worked on what convlog left unclosed, then the power went. The
    /// transcript stays as it is, and the rest is in a branch.
    as_it_stands: bool,
    held: &'a BTreeSet<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Crash {
    Kill,
    PowerLoss,
}

/// Whether a log is one of these states but for lines that were torn out of it beyond what was durable, which is
/// the first of them (TRUST.md, I2).
fn has_gap(found: &State, states: &[State]) -> bool {
    let within = |inner: &State, outer: &State| {
        let mut outer = outer.iter();
        inner.iter().all(|message| outer.any(|other| other == message))
    };
    states.first().is_some_and(|durable| within(durable, found)) && states.iter().any(|state| within(found, state))
}

/// Opens a disk after a crash, and compares.
fn check(disk: &SimFs, crash: Crash, allowed: &Allowed<'_>, counts: &Counts, deeper: bool) -> Result<(), String> {
    let states = if crash == Crash::Kill { allowed.killed } else { allowed.lost };
    Counts::add(&counts.states, 1);
    let second = deeper && disk.fingerprint().is_multiple_of(SECOND);
    if second {
        check_second(disk, crash, allowed, counts)?;
    }
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
            Counts::add(&counts.not_healed, 1);
        } else if is_lost && session.recovery().quarantined > 0 && has_gap(&found, states) {
            Counts::add(&counts.gaps, 1);
        } else {
            return Err(format!("main is {found:?}, not one of {states:?}"));
        }
    }
    check_agreement(disk, &session)?;
    check_tidy(disk)?;
    // Killed and opened again, it says the same; closed and opened again, there is nothing to do.
    let disk = kill(disk, Some(session));
    let session = open(&disk).map_err(|error| format!("the second time: {error}"))?;
    if contents(session.log()) != found || session.recovery().put_back > 0 || !session.recovery().backups.is_empty() {
        return Err(format!("{found:?} became {:?}, {:?}", session.log(), session.recovery()));
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

/// A second crash at each file operation of the recovery.
fn check_second(disk: &SimFs, first: Crash, allowed: &Allowed<'_>, counts: &Counts) -> Result<(), String> {
    let disk = disk.kill();
    disk.keep_snapshots();
    let session = open(&disk)?;
    let snapshots = disk.snapshots();
    let _ = kill(&disk, Some(session));
    for snapshot in snapshots {
        let crashes = snapshot.disk.crash_states(&INNER).states;
        let lost = crashes.into_iter().map(|crash| (Crash::PowerLoss, crash.disk));
        for (crash, disk) in std::iter::once((first, snapshot.disk.kill())).chain(lost) {
            Counts::add(&counts.second, 1);
            check(&disk, crash, allowed, counts, false)
                .map_err(|error| format!("a second crash after call {}: {error}", snapshot.after))?;
        }
    }
    Ok(())
}

/// Runs a history, and crashes it at each file operation of its last step.
fn run(history: &[Step], counts: &Counts) -> Result<(), String> {
    let (last, before) = history.split_last().unwrap();
    let mut world = World::new(Quirks::default());
    for step in before {
        world.step(*step)?;
    }
    Counts::add(&counts.histories, 1);
    let (written, synced) = (world.written, world.synced);
    let (mut killed, mut lost) = (world.states[written..].to_vec(), world.states[synced..].to_vec());
    let (held, exempt) = (world.held.clone(), world.foreign_on_unclosed);
    world.disk.keep_snapshots();
    world.step(*last)?;
    let new = world.states.get(written..).unwrap_or_default();
    killed.extend(new.iter().cloned());
    lost.extend(new.iter().cloned());
    let held_under_way: BTreeSet<String> = held.intersection(&world.held).cloned().collect();
    let snapshots = world.disk.snapshots();
    let exempt = exempt || world.foreign_on_unclosed;
    let mut seen = HashSet::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        Counts::add(&counts.points, 1);
        let is_done = index + 1 == snapshots.len();
        let allowed = if is_done {
            Allowed {
                killed: &world.states[world.written..],
                lost: &world.states[world.synced..],
                as_it_stands: world.foreign_on_unclosed,
                held: &world.held,
            }
        } else {
            Allowed { killed: &killed, lost: &lost, as_it_stands: exempt, held: &held_under_way }
        };
        let disk = snapshot.disk.kill();
        if seen.insert((disk.fingerprint(), is_done)) {
            check(&disk, Crash::Kill, &allowed, counts, true)
                .map_err(|error| format!("killed after call {}: {error}", snapshot.after))?;
        }
        for crash in snapshot.disk.crash_states(&PLAN).states {
            if seen.insert((crash.disk.fingerprint(), is_done)) {
                let tree = crash.disk.tree();
                check(&crash.disk, Crash::PowerLoss, &allowed, counts, true).map_err(|error| {
                    format!("power lost after call {}, {}: {error}\n{tree}", snapshot.after, crash.description)
                })?;
            }
        }
    }
    world.end();
    Ok(())
}

/// All histories of exactly so many steps, without those that say nothing new.
fn histories(length: usize) -> Vec<Vec<Step>> {
    let mut histories = vec![Vec::new()];
    for _ in 0..length {
        let longer = histories.iter().flat_map(|history: &Vec<Step>| {
            let last = history.last().copied();
            let follows = move |next: &Step| !(next.is_end() && last.is_some_and(Step::is_end));
            STEPS.into_iter().filter(follows).map(move |step| [history.as_slice(), &[step]].concat())
        });
        histories = longer.collect();
    }
    histories.retain(|history| !matches!(history.last(), Some(Step::Kill | Step::PowerLoss)));
    histories
}

#[test]
fn every_history_of_a_few_steps_survives_a_crash_at_each_of_its_operations() {
    // Without optimisation a state takes twenty times as long.
    let usual = if cfg!(debug_assertions) { 2 } else { 3 };
    let most = std::env::var("CONVLOG_MODEL_OPS").ok().and_then(|ops| ops.parse().ok()).unwrap_or(usual);
    let all: Vec<_> = (1..=most).flat_map(histories).collect();
    let (counts, next, failures) = (Counts::default(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(history) = all.get(index) else { break };
                    if index.is_multiple_of(1000) && index > 0 {
                        eprintln!("{index} of {} histories", all.len());
                    }
                    if let Err(error) = run(history, &counts) {
                        let mut failures = failures.lock().unwrap();
                        eprintln!("{history:?}: {error}");
                        failures.push(format!("{history:?}: {error}"));
                        if failures.len() >= 12 {
                            next.store(all.len(), Ordering::Relaxed);
                        }
                    }
                }
            });
        }
    });
    let count = |count: &AtomicUsize| count.load(Ordering::Relaxed);
    println!(
        "{} histories of up to {most} steps, {} crash points, {} states, {} of them by a second crash, {} not healed, \
         {} with a gap beyond what was durable",
        count(&counts.histories),
        count(&counts.points),
        count(&counts.states),
        count(&counts.second),
        count(&counts.not_healed),
        count(&counts.gaps),
    );
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
