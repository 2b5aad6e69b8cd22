//! The sweep over everything that a conversation holds: each step, from main alone and with a view active.

use std::time::Instant;

use convlog_fs::sim::{Fault, Short, Times, When};

use crate::disk::{describe, kill, say};
use crate::explore::each;
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Count;
use crate::world::World;
use crate::world::whole::{Start, Step, Whole};

const FAULTS: [(Fault, Times); 7] = [
    (Fault::IO, Times::Once),
    (Fault::IO, Times::Forever),
    (Fault::NO_SPACE, Times::Once),
    (Fault::NO_SPACE, Times::Forever),
    (Fault::INTERRUPTED, Times::Once),
    (Fault::Short(Short::Bytes(1)), Times::Once),
    (Fault::Short(Short::Half), Times::Forever),
];

/// Each fault at each call of each of convlog's own steps.
#[must_use]
pub fn run(_: &Plan) -> Row {
    let (begun, hit) = (Instant::now(), Count::default());
    let is_own = |step: &&Step| !Whole::crashes(**step) && !step.is_foreign();
    let steps: Vec<Step> = Whole::steps().iter().filter(is_own).copied().collect();
    let cases: Vec<_> = steps
        .iter()
        .flat_map(|step| [(Start::Main, *step), (Start::View, *step)])
        .flat_map(|(start, step)| FAULTS.map(|fault| (start, step, fault)))
        .collect();
    let failures = each("faults beside", &cases, |(start, step, fault)| {
        for call in 0.. {
            let Some(done) = check(*start, *step, call, *fault) else { break };
            hit.one();
            done.map_err(|error| format!("{start:?}, {step:?}, {fault:?} at call {call}: {error}"))?;
        }
        Ok(())
    });
    Row {
        layer: "3 fault sweep with views, branches, attachments, forks".to_owned(),
        counts: format!("{} steps from 2 starts, {} faults injected", steps.len(), hit.get()),
        took: begun.elapsed(),
        failures,
        skipped: Vec::new(),
    }
}

/// Takes a step with a fault at the call of this number that can suffer it. `None` when the step has no such call.
fn check(start: Start, step: Step, call: u64, fault: (Fault, Times)) -> Option<Result<(), String>> {
    let mut world = Whole::new(start);
    let before = world.moment();
    world.disk().fail(When::any().skip(call), fault.0, fault.1);
    let done = world.step(step);
    if world.disk().faults_hit() == 0 {
        world.end();
        return None;
    }
    world.disk().clear_faults();
    let within = world.allowed_since(&before);
    let allowed = if done.is_ok() { std::slice::from_ref(world.last()) } else { within.after_kill() }.to_vec();
    world.end();
    let disk = kill(world.disk(), None);
    let reopened = || -> Result<(), String> {
        let (found, mut session) = Whole::open(&disk, start)?;
        if !allowed.contains(&found) {
            return Err(format!("{done:?}, and then it is {found:?}, not one of {allowed:#?}"));
        }
        // It goes on.
        session.append(say("more")).map_err(|error| format!("{done:?}, and then {}", describe(&error)))?;
        session.close().map_err(|error| format!("{done:?}, and then {}", describe(&error)))
    };
    Some(reopened())
}
