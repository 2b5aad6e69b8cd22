//! What is done with text alone: TOML, and code blocks.

use std::hint::black_box;

use anyhow::{Result, ensure};
use convlog_codeblock::codeblocks as blocks_of;
use convlog_codec::toml;
use convlog_message::{Log, Timestamp};
use serde_json::json;

use crate::bench::Bench;
use crate::measure::{Contest, Took, Work};

/// How many messages are edited as TOML.
const EDITED: usize = 1_000;

/// Messages out to TOML and in again.
pub fn toml(bench: &Bench) -> Result<()> {
    let log: Log = bench.messages.iter().take(EDITED).cloned().collect();
    let now = Timestamp::now();
    let mut gptme = bench.gptme()?;
    let mut contest = Contest::new("toml").enter("convlog", || {
        Took::once(|| {
            let back = toml::read_log(&toml::write_log(&log), &now)?;
            ensure!(back == log, "the messages are not the same");
            Ok(Work { items: back.len() as u64, sum: 0 })
        })
    });
    if let Some(gptme) = &mut gptme {
        let request = json!({ "op": "toml", "path": bench.talk, "count": EDITED });
        contest = contest.enter("gptme", move || gptme.time(&request));
    }
    contest.run(bench.times(12))
}

/// The code blocks of all messages.
pub fn codeblocks(bench: &Bench) -> Result<()> {
    let contents: Vec<&str> = bench.messages.iter().map(|message| message.content()).collect();
    let work = crate::plain::work(contents.iter().copied());
    let mut gptme = bench.gptme()?;
    let mut contest = Contest::new("codeblocks").enter("convlog", || {
        Took::once(|| {
            let blocks: usize = contents.iter().map(|content| blocks_of(black_box(content)).count()).sum();
            ensure!(blocks > 0, "there are no code blocks");
            Ok(work)
        })
    });
    if let Some(gptme) = &mut gptme {
        let request = json!({ "op": "codeblocks", "path": bench.talk });
        contest = contest.enter("gptme", move || gptme.time(&request));
    }
    contest.run(bench.times(12))
}
