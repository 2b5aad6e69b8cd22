//! How many times faster than gptme, on the same messages, side by side.
//!
//! Measures, and so is run by hand, in release:
//! `cargo test --release -p convlog-codeblock --test speed -- --ignored --nocapture`

#![allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(clippy::print_stdout, clippy::string_slice, clippy::unwrap_used)]

#[path = "../benches/messages/generate.rs"]
mod generate;
mod gptme;

use std::hint::black_box;
use std::time::Instant;

use convlog_codeblock::codeblocks;
use gptme::Gptme;
use serde_json::json;

const ROUNDS: usize = 15;

/// The median, and the least: what another program on the machine disturbs least.
fn sum_up(mut seconds: Vec<f64>) -> [f64; 2] {
    seconds.sort_by(f64::total_cmp);
    [seconds[seconds.len() / 2], seconds[0]]
}

#[test]
#[ignore = "measures; run it in release"]
fn beside_gptme() {
    let Some(mut gptme) = Gptme::start() else { return };
    let messages = generate::messages(10_000);
    let bytes: usize = messages.iter().map(String::len).sum();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let answer = gptme.ask(&json!({ "time": messages }));
        theirs.push(answer["seconds"].as_f64().unwrap());
        let begin = Instant::now();
        let blocks: usize = messages.iter().map(|message| codeblocks(black_box(message)).count()).sum();
        ours.push(begin.elapsed().as_secs_f64());
        // gptme misses those with text straight after them.
        assert!(answer["blocks"].as_u64().unwrap() <= blocks as u64);
    }
    println!("{} messages, {:.1} MB, {ROUNDS} rounds", messages.len(), bytes as f64 / 1e6);
    for (name, (ours, theirs)) in ["median", "least"].iter().zip(sum_up(ours).into_iter().zip(sum_up(theirs))) {
        let ratio = theirs / ours;
        println!("{name}: convlog {:.2} ms, gptme {:.0} ms: {ratio:.0} times faster", ours * 1e3, theirs * 1e3);
    }
}
