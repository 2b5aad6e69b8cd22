//! gptme's own functions and ours over random logs: they agree but for the differences that are meant.

#![allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(clippy::print_stdout, clippy::unwrap_used)]

mod common;
mod meant;

use std::collections::BTreeMap;

use common::gptme::{as_value, ask, python, request};
use common::logs::{any_log, turns};
use convlog_context::{
    CHANGING_TOOLS, Options, Turn, active_generation, cache_boundary, changed_files, hoist_resume_prompts, limit,
    merge_neighbours, prepare, prune_ephemeral, whose_turn,
};
use convlog_message::Message;
use convlog_message::json::Value;
use meant::{Case, Difference};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

/// How many logs each function is tried with.
const LOGS: usize = 3_000;

/// A function: gptme's by its name in `context.py`, ours, and the differences that are meant.
struct Function {
    op: &'static str,
    ours: fn(&[Message], Option<usize>) -> Value,
    meant: &'static [Difference],
}

const FUNCTIONS: [Function; 9] = [
    Function {
        op: "generation",
        ours: |log, _| list(&active_generation(log.to_vec())),
        meant: &[meant::ODD_PROMPT_KEY],
    },
    Function {
        op: "hoist",
        ours: |log, _| list(&hoist_resume_prompts(log.to_vec())),
        meant: &[meant::RESUME_PROMPT_IN_A_START_PROMPT, meant::ODD_PROMPT_KEY],
    },
    Function {
        op: "merge",
        ours: |log, _| list(&merge_neighbours(log.to_vec())),
        meant: &[meant::LASTING_BESIDE_EPHEMERAL],
    },
    Function {
        op: "prune",
        ours: |log, _| list(&prune_ephemeral(log.to_vec())),
        meant: &[meant::LASTING_BESIDE_EPHEMERAL, meant::PINNED_IN_A_PAIR, meant::CALL_THAT_WENT_WITH_ITS_RESULT],
    },
    Function {
        op: "limit",
        ours: |log, tokens| list(&limit(log.to_vec(), tokens.unwrap_or(NO_LIMIT), &letters)),
        meant: &[meant::LASTING_BESIDE_EPHEMERAL, meant::PINNED_IN_A_PAIR, meant::JOINED_BEYOND_THE_LIMIT],
    },
    Function {
        op: "prepare",
        ours: |log, tokens| {
            let options = Options::new().with_counter(&letters).with_limit(tokens.unwrap_or(NO_LIMIT));
            list(&prepare(log, &options).messages)
        },
        meant: &[
            meant::LASTING_BESIDE_EPHEMERAL,
            meant::NEIGHBOURS_THAT_LIVE_UNALIKE,
            meant::PINNED_IN_A_PAIR,
            meant::CALL_THAT_WENT_WITH_ITS_RESULT,
            meant::JOINED_BEYOND_THE_LIMIT,
            meant::RESUME_PROMPT_IN_A_START_PROMPT,
            meant::ODD_PROMPT_KEY,
        ],
    },
    Function {
        op: "boundary",
        ours: |log, _| cache_boundary(log).map_or(Value::Null, |at| Value::from(at as u64)),
        meant: &[],
    },
    Function {
        op: "next",
        ours: |log, _| (whose_turn(log) != Turn::Generate).into(),
        meant: &[meant::REMINDER_BEHIND_RESUME_PROMPT],
    },
    Function {
        op: "modifications",
        ours: |log, _| changed_files(log, |tool| CHANGING_TOOLS.contains(&tool)).into(),
        meant: &[meant::ANSWER_OF_ANOTHER_ROLE, meant::CALL_IN_ANOTHER_FORMAT],
    },
];

/// What `context.py` takes for no limit.
const NO_LIMIT: usize = 1_000_000_000;

fn letters(text: &str) -> usize {
    text.chars().count()
}

fn list(messages: &[Message]) -> Value {
    messages.iter().map(as_value).collect::<Vec<_>>().into()
}

#[test]
fn gptme_agrees() {
    let Some(python) = python() else { return };
    let mut runner = TestRunner::deterministic();
    let logs = (prop_oneof![any_log(14), turns(8)], prop::option::weighted(0.9, 1..250_usize));
    let logs: Vec<_> = (0..LOGS).map(|_| logs.new_tree(&mut runner).unwrap().current()).collect();
    let requests: Vec<_> = FUNCTIONS
        .iter()
        .flat_map(|function| logs.iter().map(|(log, limit)| request(function.op, log, *limit)))
        .collect();
    let answers = ask(&python, &requests, &[]);
    let (mut failed, mut unseen) = (Vec::new(), Vec::new());
    for (function, answers) in FUNCTIONS.iter().zip(answers.chunks(LOGS)) {
        let (mut alike, mut counts, mut failures) = (0, BTreeMap::new(), Vec::new());
        for ((log, limit), answer) in logs.iter().zip(answers) {
            let theirs = answer.iter().next().expect("an answer").1.clone();
            let case = Case::new(log, *limit, (function.ours)(log, *limit), theirs);
            if case.ours == case.theirs {
                alike += 1;
            } else if let Some(difference) = function.meant.iter().find(|difference| (difference.shows)(&case)) {
                *counts.entry(difference.name).or_insert(0) += 1;
            } else {
                failures.push(case);
            }
        }
        println!("{}: {alike} of {LOGS} alike; meant: {counts:?}; not meant: {}", function.op, failures.len());
        if let Some(case) = failures.iter().min_by_key(|case| case.log.len()) {
            println!("{case}");
            failed.push(function.op);
        }
        assert!(alike * 10 > LOGS * 6, "{}: most are alike", function.op);
        let never = function.meant.iter().map(|d| d.name).filter(|name| !counts.contains_key(name));
        unseen.extend(never.map(|name| (function.op, name)));
    }
    assert!(failed.is_empty(), "differences that are not meant: {failed:?}");
    let documented = include_str!("../../../docs/differences.md");
    for name in FUNCTIONS.iter().flat_map(|function| function.meant).map(|difference| difference.name) {
        assert!(documented.contains(&format!("`{name}`")), "docs/differences.md has no row `{name}`");
    }
    assert!(unseen.is_empty(), "differences that never show: {unseen:?}");
}
