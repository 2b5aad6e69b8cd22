//! Layer 6: SIGKILL of the release build at random moments, acknowledgements read through a pipe.

use std::time::Instant;

use crate::program::{Program, offer};
use crate::run::Plan;
use crate::table::Row;

/// No acknowledged message is missing, none is there twice, and all verifies after the next opening. Half of the kills
/// hit one conversation again and again.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let start = Instant::now();
    let mut row = Row::empty("6 SIGKILL of the release build");
    let Some(binary) = &plan.program else {
        row.skipped.push("no program was named".to_owned());
        return row;
    };
    let logs = tempfile::tempdir().unwrap();
    let program = Program::new(binary, logs.path());
    let rounds = if plan.is_long() { 3_000 } else { 300 };
    let (mut kept, mut next, mut acknowledged) = (Vec::new(), 0, 0);
    for round in 0..rounds {
        let id = if round % 2 == 0 { "again".to_owned() } else { format!("once-{round}") };
        let before = if round % 2 == 0 { std::mem::take(&mut kept) } else { Vec::new() };
        match kill(&program, &id, plan.seed.wrapping_add(round), &before, &mut next) {
            Ok((count, there)) => {
                acknowledged += count;
                if round % 2 == 0 {
                    kept = there;
                }
            }
            Err(error) => {
                row.failures.push(format!("round {round}: {error}"));
                break;
            }
        }
        if (round + 1) % 100 == 0 {
            eprintln!("   kills: {} of {rounds}", round + 1);
        }
    }
    row.counts = format!("{rounds} kills, {acknowledged} messages acknowledged");
    row.took = start.elapsed();
    row
}

/// One kill: how many messages were acknowledged, and what is there afterwards.
fn kill(
    program: &Program,
    id: &str,
    round: u64,
    before: &[String],
    next: &mut u64,
) -> Result<(usize, Vec<String>), String> {
    let mut child = program.appending(id, &[]).spawn().unwrap();
    // Varied: after so many answers, at whatever the program is doing then.
    let (until, size) = (round * 7 % 23, 1 + (round as usize * 131) % 3_000);
    let pid = child.id().to_string();
    let mut killer = None;
    let appended = offer(&mut child, *next, u64::MAX / 2, size, |answered| {
        if answered as u64 > until && killer.is_none() {
            killer = Some(std::process::Command::new("kill").args(["-9", &pid]).spawn().unwrap());
        }
    });
    *next = appended.next;
    let _ = child.wait().unwrap();
    let Some(mut killer) = killer else { return Err(format!("it ended by itself: {:?}", appended.refused)) };
    let _ = killer.wait().unwrap();

    program.recover(id)?;
    let there = program.numbers(id)?;
    let expected = [before, &appended.acknowledged].concat();
    // At most a few more, that were written and not yet answered.
    if !there.starts_with(&expected) {
        return Err(format!("acknowledged were {expected:?}, there are {there:?}"));
    }
    let mut unique = there.clone();
    unique.sort();
    unique.dedup();
    if unique.len() != there.len() {
        return Err(format!("some are there twice: {there:?}"));
    }
    Ok((appended.acknowledged.len(), there))
}
