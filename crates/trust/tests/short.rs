//! The harness itself, on a few histories: `cargo xtask trust` runs them all.
#![allow(clippy::unwrap_used, clippy::panic)]

use convlog_trust::explore::Depth;
use convlog_trust::layers::crashes::explored;
use convlog_trust::world::World;
use convlog_trust::world::alone::{self, Alone};
use convlog_trust::world::whole::{self, Start, Whole};

/// Crashed at each operation of single steps; nothing fails, and something was looked at.
#[track_caller]
fn check<W: World>(start: W::Start, steps: &[W::Step]) {
    let histories: Vec<_> = steps.iter().map(|step| (start, vec![*step])).collect();
    let row = explored::<W>("single steps", &histories, Depth { one_in: 131, times: 1 }, 1);
    assert_eq!(row.failures, Vec::<String>::new());
    assert!(row.counts.contains("crash points"), "{}", row.counts);
}

#[test]
fn steps_on_all_that_a_conversation_holds_survive_a_crash() {
    check::<Whole>(Start::View, &[whole::Step::AppendSynced]);
    check::<Whole>(Start::Main, &[whole::Step::Append, whole::Step::SlashUndo]);
}

#[test]
fn steps_beside_gptme_and_an_editor_survive_a_crash() {
    check::<Alone>((), &[alone::Step::AppendSynced, alone::Step::Undo, alone::Step::GptmeAppends]);
}
