//! How long preparing takes, beside gptme in the same run. Not among the usual tests, since other work on the
//! machine would disturb it: `cargo test --release -p convlog-context --test speed -- --ignored --nocapture`.

#![allow(clippy::expect_used, clippy::unwrap_used)]

mod common;

use std::time::Instant;

use common::gptme::{ask, python, request};
use common::{assistant, result, system, user};
use convlog_context::{Options, prepare};
use convlog_message::Message;

fn log(length: usize) -> Vec<Message> {
    let turn = |at: usize| {
        let ttl = (at.is_multiple_of(10)).then_some(3);
        [
            user(&format!("{at}: {}", "Please go on with the next part. ".repeat(4))),
            assistant(&format!("Sure.\n@shell(c{at}): {{\"command\": \"ls {at}\"}}")).with_ephemeral_ttl(ttl),
            result(&format!("c{at}"), &"a-file-name.txt\n".repeat(20)),
            system("Saved to memory.").with_hide(true),
            assistant(&format!("{at}: {}", "This is what it says. ".repeat(25))),
        ]
    };
    let start = system(&"You are helpful. ".repeat(40)).with_pinned(true);
    std::iter::once(start).chain((0..).flat_map(turn)).take(length).collect()
}

/// The best of several runs, in seconds.
fn ours(log: &[Message], limit: usize) -> f64 {
    let letters = |text: &str| text.chars().count();
    let options = Options::new().with_counter(&letters).with_limit(limit);
    let run = || {
        let start = Instant::now();
        std::hint::black_box(prepare(log, &options));
        start.elapsed().as_secs_f64()
    };
    (0..7).map(|_| run()).fold(f64::INFINITY, f64::min)
}

/// The same tokenizer (one token a character) for both. gptme counts all that it has anew for each message that
/// it tries, so its time grows with the square of what fits, and faster beyond the thousand texts whose counts
/// it remembers.
#[test]
#[ignore = "measures time"]
fn a_tenth_of_gptmes_time() {
    let Some(python) = python() else { return };
    let mut before: Option<(f64, f64, f64)> = None;
    for (length, part) in [(250, 1), (500, 1), (1_000, 1), (10_000, 10), (10_000, 100)] {
        let log = log(length);
        let total: usize = log.iter().map(|message| message.content().chars().count()).sum();
        // gptme needs hours for the whole of 10,000 messages: there it gets limits that it reaches soon.
        let limit = if part == 1 { total + 1_000_000 } else { total / part };
        let answer = &ask(&python, &[request("prepare", &log, Some(limit))], &["--time"])[0];
        let seconds = answer.get("seconds").unwrap().as_array().unwrap().iter();
        let theirs = seconds.map(|s| s.as_number().unwrap().as_f64().unwrap()).fold(f64::INFINITY, f64::min);
        let ours = ours(&log, limit);
        let ratio = theirs / ours;
        println!("{length:>7} messages, 1/{part} fits: gptme {theirs:.4} s, convlog {ours:.6} s, ratio {ratio:.0}");
        if let Some((n, a, b)) = before.filter(|_| part == 1) {
            let by = (length as f64 / n).ln();
            println!("        exponent: gptme {:.2}, convlog {:.2}", (theirs / a).ln() / by, (ours / b).ln() / by);
        }
        before = Some((length as f64, theirs, ours));
        assert!(ours * 10.0 < theirs);
    }
    let mut before = None;
    for length in [1_000, 10_000, 100_000, 1_000_000] {
        let seconds = ours(&log(length), usize::MAX);
        let exponent = before.map_or(f64::NAN, |before: f64| (seconds / before).log10());
        println!("{length:>7} messages, all fit: convlog {seconds:.6} s, exponent {exponent:.2}");
        before = Some(seconds);
    }
}
