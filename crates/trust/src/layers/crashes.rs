//! Layers 1 and 2: every short history, a crash at each file operation of its last step, and again in the recovery.

use std::time::Instant;

use crate::explore::{Depth, Explorer, each, histories};
use crate::run::Plan;
use crate::table::Row;
use crate::tally::Tally;
use crate::world::World;
use crate::world::alone::Alone;
use crate::world::whole::{OPERATIONS, Start, Step, Whole};

/// Every sequence of up to so many of convlog's own operations.
const OWN: usize = 3;

/// Layer 1 on all that a directory holds, with convlog's operations; then main with gptme and an editor at work on it
/// too. One distinct state in some is crashed again in its recovery: layer 2.
#[must_use]
pub fn run(plan: &Plan) -> Vec<Row> {
    let own: Vec<_> = (1..=OWN).flat_map(|length| histories::<Whole>(&OPERATIONS, length)).collect();
    let own: Vec<_> = own.into_iter().map(|history| (Start::Main, history)).collect();
    let most = if plan.is_long() { 2 } else { 1 };
    let beside = |start| {
        let all = (1..=most).flat_map(|length| histories::<Whole>(Whole::steps(), length));
        all.map(move |history| (start, history)).collect::<Vec<(Start, Vec<Step>)>>()
    };
    let beside = [beside(Start::Main), beside(Start::View)].concat();
    let foreign: Vec<_> = (1..=3).flat_map(|length| histories::<Alone>(Alone::steps(), length)).collect();
    let foreign: Vec<_> = foreign.into_iter().map(|history| ((), history)).collect();
    let depth = if plan.is_long() { Depth { one_in: 61, times: 2 } } else { Depth { one_in: 3_989, times: 2 } };
    // The disks of the longest histories are a sample in the short form.
    let share = if plan.is_long() { 1 } else { 16 };
    vec![
        explored::<Whole>("1+2 every sequence of up to three operations", &own, depth, share),
        explored::<Whole>("1+2 with gptme, bookmarks, restoring, views from the start", &beside, depth, share),
        explored::<Alone>("1+2 main, with gptme and an editor, up to three steps", &foreign, depth, share),
    ]
}

/// Explores these histories; of the longest ones, one disk in `share`.
#[must_use]
pub fn explored<W: World>(name: &str, histories: &[(W::Start, Vec<W::Step>)], depth: Depth, share: u64) -> Row {
    let (begun, tally) = (Instant::now(), Tally::default());
    let explorer = Explorer { tally: &tally, depth, one_in: 1, watcher: None };
    let failures = each(name, histories, |(start, history)| {
        let one_in = if history.len() < OWN { 1 } else { share };
        let explorer = Explorer { one_in, ..explorer };
        explorer.run::<W>(*start, history).map_err(|error| format!("{start:?} {history:?}: {error}"))
    });
    Row { layer: name.to_owned(), counts: tally.words(), took: begun.elapsed(), failures, skipped: Vec::new() }
}
