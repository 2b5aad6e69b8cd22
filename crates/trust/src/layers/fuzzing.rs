//! Layer 9: the targets on the corpus, and on as many mutations of it as there is time for.

use std::time::{Duration, Instant};

use crate::explore::{caught, each};
use crate::fuzz::Target;
use crate::fuzz::corpus::inputs;
use crate::fuzz::mutate::mutate;
use crate::random::Random;
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Count;

/// Findings of one target after which it is left.
const MOST_FINDINGS: usize = 3;

/// Each target for its share of the time.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let (start, runs) = (Instant::now(), Count::default());
    let share = plan.long.map_or(Duration::from_secs(8), |long| long / 4) / 5 * 2;
    let mut row = Row::empty("9 fuzzing");
    let failures = each("fuzzing", &Target::ALL, |target| fuzz(*target, plan.seed, share, &runs));
    row.failures = failures;
    row.counts = format!("{} targets, {} runs", Target::ALL.len(), runs.get());
    row.took = start.elapsed();
    row
}

fn fuzz(target: Target, seed: u64, share: Duration, runs: &Count) -> Result<(), String> {
    let corpus: Vec<Vec<u8>> = inputs(target).into_iter().map(|(_, bytes)| bytes).collect();
    let (mut random, mut findings) = (Random(seed), Vec::new());
    let start = Instant::now();
    while start.elapsed() < share && findings.len() < MOST_FINDINGS {
        let (one, other) = (random.below(corpus.len()), random.below(corpus.len()));
        let mut input = mutate(&corpus[one], &corpus[other], &mut random);
        if target == Target::Directory {
            input.insert(0, random.below(256) as u8);
        }
        runs.one();
        if let Err(error) = caught(|| target.run(&input)) {
            let input = shorter(target, input);
            findings.push(format!("{target}: {error}\n      input b\"{}\"", input.escape_ascii()));
        }
    }
    if findings.is_empty() { Ok(()) } else { Err(findings.join("\n   ")) }
}

/// An input that fails as well, from which no line and no half can be cut.
fn shorter(target: Target, mut input: Vec<u8>) -> Vec<u8> {
    let mut size = input.len() / 2;
    while size > 0 {
        let mut at = 0;
        while at < input.len() {
            let mut cut = input.clone();
            cut.drain(at..(at + size).min(cut.len()));
            if caught(|| target.run(&cut)).is_err() { input = cut } else { at += size }
        }
        size /= 2;
    }
    input
}
