//! Layer 4: long histories drawn from a seed, with crashes and reopenings, and gptme's interval between checkpoints.

use std::time::Instant;

use crate::explore::{Depth, Explorer, caught, each, shrunk};
use crate::random::Random;
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Tally;
use crate::world::World;
use crate::world::whole::{Start, Step, Whole};

/// The most steps of one history.
const MOST: usize = 60;

/// One step in so many is crashed at each of its operations, beside the crashes that are steps.
const CRASHED: usize = 20;

/// Histories from the seed and the ones after it.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let (start, tally) = (Instant::now(), Tally::default());
    let count = if plan.is_long() { 2_000 } else { 100 };
    let seeds: Vec<u64> = (plan.seed..).take(count).collect();
    let failures = each("histories", &seeds, |seed| {
        let history = drawn(*seed);
        caught(|| follow(*seed, &history, &tally)).map_err(|error| {
            let still_fails = |shorter: &[Step]| caught(|| follow(*seed, shorter, &Tally::default())).is_err();
            format!("seed {seed}, {:?}: {error}", shrunk(&history, still_fails))
        })
    });
    Row {
        layer: format!("4 histories of up to {MOST} steps, interval 50"),
        counts: tally.words(),
        took: start.elapsed(),
        failures,
        skipped: Vec::new(),
    }
}

/// Mostly appends, so that checkpoints come due.
fn drawn(seed: u64) -> Vec<Step> {
    let mut random = Random(seed);
    let steps = Whole::steps();
    let length = 1 + random.below(MOST);
    let step = |random: &mut Random| match random.below(3) {
        0 => Step::Append,
        _ => steps[random.below(steps.len())],
    };
    (0..length).map(|_| step(&mut random)).collect()
}

/// Takes the steps; which of them are crashed, and what of that is looked at, depends on the seed.
fn follow(seed: u64, history: &[Step], tally: &Tally) -> Result<(), String> {
    let mut random = Random(seed ^ 0x5eed);
    let depth = Depth { one_in: 997, times: 1 };
    let explorer = Explorer { tally, depth, one_in: 16, watcher: None };
    let mut world = Whole::new(Start::Long);
    tally.workloads.one();
    // The first messages bring the fiftieth event near.
    for _ in 0..random.below(50) {
        world.step(Step::Append)?;
    }
    for (place, step) in history.iter().enumerate() {
        let crashed = random.below(CRASHED) == 0 && !Whole::ends(*step);
        let done = if crashed { explorer.crash_in_step(&mut world, *step) } else { world.step(*step) };
        done.map_err(|error| format!("at step {place}, {step:?}: {error}"))?;
    }
    world.end();
    Ok(())
}
