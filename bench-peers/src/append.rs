//! Appending at level *written*: what survives the death of the process.

use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use convlog_store::{CheckpointPolicy, Session};
use serde_json::json;

use crate::bench::Bench;
use crate::measure::{Contest, Took};
use crate::sqlite::{Sqlite, Synchronous};

const ROUNDS: usize = 4;

/// At 10,000 messages, checkpoints included: medians and means.
pub fn growing(bench: &Bench) -> Result<()> {
    let mut long = bench.session("append-10000", 10_000, CheckpointPolicy::default())?;
    let mut sqlite = Sqlite::create(&bench.directory("append-sqlite")?.join("db"), Synchronous::Normal)?;
    sqlite.fill(&bench.plain)?;
    let gptme_home = bench.directory("append-gptme")?;
    fs::copy(&bench.talk, gptme_home.join("conversation.jsonl"))?;
    let mut gptme = bench.gptme()?;
    if let Some(gptme) = &mut gptme {
        gptme.ask(&json!({ "op": "open", "dir": gptme_home }))?;
        // Up to its first checkpoint, as any conversation of that length has one.
        gptme.ask(&json!({ "op": "append", "dir": gptme_home, "content": bench.content, "count": 50 }))?;
    }
    let (ours, theirs) = (bench.times(8_000) / ROUNDS, bench.times(2_000) / ROUNDS);
    let mut short = 0_u32;
    let mut contest = Contest::new("append-10000")
        .enter("convlog", || append(bench, &mut long, ours))
        .enter("convlog at 100", || {
            short += 1;
            let mut session = bench.session(&format!("append-100-{short}"), 100, CheckpointPolicy::every(0))?;
            append(bench, &mut session, 200)
        })
        .enter("SQLite NORMAL", || {
            let before = sqlite.count()?;
            let took = Took::each(ours, bench.content.len(), || sqlite.append(&bench.content))?;
            ensure!(sqlite.count()? == before + i64::try_from(ours)?, "messages are missing");
            Ok(took)
        });
    if let Some(gptme) = &mut gptme {
        let request = json!({ "op": "append", "dir": gptme_home, "content": bench.content, "count": theirs });
        contest = contest.enter("gptme", move || gptme.time(&request));
    }
    contest.run(ROUNDS)
}

/// The two lines of an append, beside bare writes of the same bytes; without checkpoints.
pub fn floor(bench: &Bench) -> Result<()> {
    let mut session = bench.session("floor", 1_000, CheckpointPolicy::every(0))?;
    let home = bench.directory("floor-bare")?;
    let lines = lines_of(bench, &mut session)?;
    let mut files = [File::create(home.join("a"))?, File::create(home.join("b"))?];
    let count = bench.times(5_000);
    Contest::new("append-written")
        .enter("convlog", || append(bench, &mut session, count))
        .enter("bare writes", || {
            Took::each(count, bench.content.len(), || {
                for (file, line) in files.iter_mut().zip(&lines) {
                    file.write_all(line)?;
                }
                Ok(())
            })
        })
        .run(8)
}

/// The event and the line that one append writes, taken from the files.
pub fn lines_of(bench: &Bench, session: &mut Session) -> Result<[Vec<u8>; 2]> {
    session.append(bench.message())?;
    let home = session.layout().home().to_path_buf();
    let last = |file: &str| -> Result<Vec<u8>> {
        let bytes = fs::read(home.join(file))?;
        Ok(bytes.split_inclusive(|byte| *byte == b'\n').next_back().context("the file is empty")?.to_vec())
    };
    Ok([last("events.jsonl")?, last("conversation.jsonl")?])
}

/// Appends to a session, one by one, and looks whether all is there.
fn append(bench: &Bench, session: &mut Session, count: usize) -> Result<Took> {
    let before = session.log().len();
    let took = Took::each_of(
        count,
        bench.content.len(),
        || bench.message(),
        |message| {
            session.append(message)?;
            Ok(())
        },
    )?;
    ensure!(session.log().len() == before + count, "messages are missing");
    Ok(took)
}

/// A file to append to.
pub fn appending(path: &Path) -> Result<File> {
    Ok(OpenOptions::new().append(true).create(true).open(path)?)
}
