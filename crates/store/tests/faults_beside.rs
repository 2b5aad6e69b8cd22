//! An injected error at each file operation of what is done beside appending, undoing and editing main: the disk is as
//! before or as after, and a second try does it once (TRUST.md, I7).
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod beside;
mod common;

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use beside::{STEPS, Start, Step, World, observe};
use common::kill;
use convlog_fs::sim::{Fault, Short, Times, When};

const FAULTS: [(Fault, Times); 7] = [
    (Fault::IO, Times::Once),
    (Fault::IO, Times::Forever),
    (Fault::NO_SPACE, Times::Once),
    (Fault::NO_SPACE, Times::Forever),
    (Fault::INTERRUPTED, Times::Once),
    (Fault::Short(Short::Bytes(1)), Times::Once),
    (Fault::Short(Short::Half), Times::Forever),
];

/// Does a step with a fault at the call of this number that can suffer it. `None` when the step has no such call.
fn run(start: Start, step: Step, number: u64, fault: (Fault, Times)) -> Option<Result<(), String>> {
    let mut world = World::new(start);
    let before = world.last().clone();
    world.disk.fail(When::any().skip(number), fault.0, fault.1);
    let done = world.step(step);
    if world.disk.faults_hit() == 0 {
        world.end();
        return None;
    }
    world.disk.clear_faults();
    let after = world.last().clone();
    world.end();
    let disk = kill(&world.disk, None);
    let check = || -> Result<(), String> {
        let (found, mut session) = observe(&disk)?;
        let allowed = if done.is_ok() { vec![&after] } else { vec![&before, &after] };
        if !allowed.contains(&&found) {
            return Err(format!("{done:?}, and then it is {found:?}, not one of {allowed:#?}"));
        }
        // It goes on.
        session.append(common::say("more")).map_err(|error| format!("{done:?}, and then {error}"))?;
        session.close().map_err(|error| format!("{done:?}, and then {error}"))
    };
    Some(check())
}

#[test]
fn after_any_error_all_is_as_before_or_after() {
    let steps = STEPS
        .into_iter()
        .filter(|step| !matches!(step, Step::Kill | Step::PowerLoss | Step::GptmeAppends | Step::GptmeCheckpoints));
    let cases: Vec<_> = steps
        .flat_map(|step| [(Start::Main, step), (Start::View, step)])
        .flat_map(|(start, step)| FAULTS.map(|fault| (start, step, fault)))
        .collect();
    let (next, count, failures) = (AtomicUsize::new(0), AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((start, step, fault)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                    for number in 0.. {
                        let Some(outcome) = run(*start, *step, number, *fault) else { break };
                        count.fetch_add(1, Ordering::Relaxed);
                        if let Err(error) = outcome {
                            let failure = format!("{start:?}, {step:?}, {fault:?} at call {number}: {error}");
                            failures.lock().unwrap().push(failure);
                            break;
                        }
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    println!("{} faults", count.load(Ordering::Relaxed));
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    assert!(count.into_inner() > 1_000);
}
