//! The bounded model for all that stands beside main: views, branches, attachments, bookmarks. Every history of a few
//! steps, a crash at each file operation of the last one, the real recovery after it.
//!
//! `CONVLOG_MODEL_OPS` says how many steps; 2 without it in a release build, 1 otherwise. Half of the histories begin
//! with a view active, a branch and `lossless.jsonl`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod beside;
mod common;

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use beside::{STEPS, Start, State, Step, World, is_allowed, observe};
use common::{check_tidy, kill};
use convlog_fs::sim::{CrashPlan, SimFs};

/// How many disks the loss of power leaves at one moment.
const PLAN: CrashPlan = CrashPlan { seed: 11, budget: 6, max_cuts: 1, max_blocks: 1, max_changes: 3 };
/// The same at the end of three steps, of which there are twenty times as many.
const FEWER: CrashPlan = CrashPlan { budget: 2, ..PLAN };
/// The same inside recovery.
const INNER: CrashPlan = CrashPlan { seed: 12, budget: 3, max_cuts: 1, max_blocks: 0, max_changes: 2 };
/// One crash state in so many is crashed again inside its recovery.
const SECOND: u64 = 131;
/// One crash state in so many is killed after its recovery and opened once more.
const AGAIN: u64 = 4;

#[derive(Default)]
struct Counts {
    histories: AtomicUsize,
    points: AtomicUsize,
    states: AtomicUsize,
}

/// What may be there after a crash.
#[derive(Clone, Copy)]
struct Allowed<'a> {
    killed: &'a [State],
    lost: &'a [State],
    /// Whether the step was no one operation: gptme's append to several transcripts.
    in_parts: bool,
}

/// Opens a disk after a crash, and compares.
fn check(disk: &SimFs, allowed: Allowed<'_>, power_lost: bool, counts: &Counts, deeper: bool) -> Result<(), String> {
    counts.states.fetch_add(1, Ordering::Relaxed);
    if deeper && disk.fingerprint().is_multiple_of(SECOND) {
        check_second(disk, allowed, power_lost, counts)?;
    }
    let (found, session) = observe(disk)?;
    let states = if power_lost { allowed.lost } else { allowed.killed };
    if !is_allowed(&found, states, power_lost || allowed.in_parts) {
        return Err(format!("it is\n  {found:?}\nnot one of\n  {states:#?}"));
    }
    check_tidy(disk)?;
    let is_chosen = disk.fingerprint().is_multiple_of(AGAIN);
    let disk = kill(disk, Some(session));
    if !is_chosen {
        return Ok(());
    }
    let (again, session) = observe(&disk).map_err(|error| format!("the second time: {error}"))?;
    let _ = kill(&disk, Some(session));
    if again == found { Ok(()) } else { Err(format!("{found:?} became {again:?}")) }
}

/// A second crash at each file operation of the recovery.
fn check_second(disk: &SimFs, allowed: Allowed<'_>, power_lost: bool, counts: &Counts) -> Result<(), String> {
    let disk = disk.kill();
    disk.keep_snapshots();
    let (_, session) = observe(&disk)?;
    let snapshots = disk.snapshots();
    let _ = kill(&disk, Some(session));
    for snapshot in snapshots {
        let lost = snapshot.disk.crash_states(&INNER).states.into_iter().map(|crash| (crash.disk, true));
        for (disk, lost) in std::iter::once((snapshot.disk.kill(), power_lost)).chain(lost) {
            check(&disk, allowed, lost, counts, false)
                .map_err(|error| format!("a second crash after call {}: {error}", snapshot.after))?;
        }
    }
    Ok(())
}

/// Runs a history, and crashes it at each file operation of its last step.
fn run(start: Start, history: &[Step], counts: &Counts) -> Result<(), String> {
    let (last, before) = history.split_last().unwrap();
    let mut world = World::new(start);
    for step in before {
        world.step(*step)?;
    }
    counts.histories.fetch_add(1, Ordering::Relaxed);
    let (written, synced) = (world.written, world.synced);
    let (mut killed, mut lost) = (world.states[written..].to_vec(), world.states[synced..].to_vec());
    world.disk.keep_snapshots();
    world.step(*last)?;
    let new = world.states.get(written..).unwrap_or_default();
    killed.extend(new.iter().cloned());
    lost.extend(new.iter().cloned());
    let in_parts = matches!(last, Step::GptmeAppends);
    let snapshots = world.disk.snapshots();
    let mut seen = HashSet::new();
    for (index, snapshot) in snapshots.iter().enumerate() {
        counts.points.fetch_add(1, Ordering::Relaxed);
        let is_done = index + 1 == snapshots.len();
        let allowed = if is_done {
            Allowed { killed: &world.states[world.written..], lost: &world.states[world.synced..], in_parts }
        } else {
            Allowed { killed: &killed, lost: &lost, in_parts }
        };
        let disk = snapshot.disk.kill();
        if seen.insert((disk.fingerprint(), is_done)) {
            check(&disk, allowed, false, counts, true)
                .map_err(|error| format!("killed after call {}: {error}\n{}", snapshot.after, disk.tree()))?;
        }
        let plan = if history.len() < 3 { &PLAN } else { &FEWER };
        for crash in snapshot.disk.crash_states(plan).states {
            if seen.insert((crash.disk.fingerprint(), is_done)) {
                let tree = crash.disk.tree();
                check(&crash.disk, allowed, true, counts, true).map_err(|error| {
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
fn what_stands_beside_main_survives_a_crash_at_each_operation_of_every_history() {
    let usual = if cfg!(debug_assertions) { 1 } else { 2 };
    let most = std::env::var("CONVLOG_MODEL_OPS").ok().and_then(|ops| ops.parse().ok()).unwrap_or(usual);
    let of = |start| (1..=most).flat_map(histories).map(move |history| (start, history));
    let all: Vec<_> = of(Start::Main).chain(of(Start::View)).collect();
    let (counts, next, failures) = (Counts::default(), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((start, history)) = all.get(index) else { break };
                    if index.is_multiple_of(1000) && index > 0 {
                        eprintln!("{index} of {} histories", all.len());
                    }
                    if let Err(error) = run(*start, history, &counts) {
                        eprintln!("{start:?}, {history:?}: {error}");
                        let mut failures = failures.lock().unwrap();
                        failures.push(format!("{start:?}, {history:?}"));
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
        "{} histories of up to {most} steps, {} crash points, {} states",
        count(&counts.histories),
        count(&counts.points),
        count(&counts.states)
    );
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}
