//! Opening a conversation of 10,000 messages and reading it: from the transcript, and from the event log.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use convlog_fs::RealFs;
use convlog_store::{CheckpointPolicy, Conversation, Transcript};
use serde_json::json;

use crate::bench::{Bench, file_system};
use crate::gptme::Gptme;
use crate::measure::{Contest, Took, Work};
use crate::sqlite::{self, Sqlite, Synchronous};
use crate::zeph::{self, Zeph};
use crate::{plain, plain::work};

/// The transcript, beside decoders, SQLite and zeph-session.
pub fn transcript(bench: &Bench) -> Result<()> {
    let home = bench.directory("read")?;
    let path = home.join("conversation.jsonl");
    fs::copy(&bench.talk, &path)?;
    let database = home.join("db");
    Sqlite::create(&database, Synchronous::Normal)?.fill(&bench.plain)?;
    let log = Zeph::open(&home.join("zeph"))?;
    bench.plain.iter().try_for_each(|message| log.append(&message.content))?;
    drop(log);
    let mut gptme = bench.gptme()?;
    let plain_work = |messages: Vec<plain::Plain>| Ok(work(messages.iter().map(|message| &*message.content)));
    let mut contest = Contest::new("read")
        .enter("convlog", || Took::once(|| open_and_read(&home)))
        .enter("serde_json", || Took::once(|| plain_work(plain::read(&path, plain::by_serde_json)?)))
        .enter("sonic-rs", || Took::once(|| plain_work(plain::read(&path, plain::by_sonic_rs)?)))
        .enter("SQLite", || Took::once(|| plain_work(sqlite::read(&database)?)))
        .enter("zeph-session", || Took::once(|| Ok(work(zeph::read(&home.join("zeph"))?.iter().map(String::as_str)))));
    if let Some(gptme) = &mut gptme {
        let path = &path;
        contest = contest.enter("gptme", move || gptme.time(&json!({ "op": "read", "path": path })));
    }
    contest.run(bench.times(20))
}

pub fn open_and_read(home: &Path) -> Result<Work> {
    let reading = Conversation::open(file_system(), home)?.read(&Transcript::Main)?;
    Ok(work(reading.log.iter().map(|message| message.content())))
}

/// The event log after 10,000 appends: as the default policy leaves it, and without any checkpoint.
pub fn events(bench: &Bench) -> Result<()> {
    let mut gptme = bench.gptme()?;
    for (row, policy) in [("recover", CheckpointPolicy::default()), ("recover-appends", CheckpointPolicy::every(0))] {
        let home = appended(bench, row, policy)?;
        let plain_home = home.clone();
        let mut contest = Contest::new(row)
            .enter("convlog", || Took::once(|| recover(&home)))
            .enter("serde_json, values", || Took::once(|| values(&plain_home)));
        if let Some(gptme) = &mut gptme {
            contest = contest.enter("gptme", || theirs(gptme, &home));
        }
        contest.run(bench.times(20))?;
    }
    Ok(())
}

fn theirs(gptme: &mut Gptme, home: &Path) -> Result<Took> {
    gptme.time(&json!({ "op": "recover", "dir": home }))
}

/// A conversation to which all messages of the corpus were appended, one by one.
pub fn appended(bench: &Bench, name: &str, policy: CheckpointPolicy) -> Result<std::path::PathBuf> {
    let mut session = bench.session(name, 0, policy)?;
    for message in &bench.messages {
        session.append(message.clone())?;
    }
    let home = session.layout().home().to_path_buf();
    session.close()?;
    Ok(home)
}

/// Reads and replays an event log, its hash chain checked.
pub fn recover(home: &Path) -> Result<Work> {
    let reading = convlog_eventlog::read(&RealFs, home)?.context("there is no event log")?;
    let log = reading.replay().context("the event log holds no messages")?;
    Ok(work(log.iter().map(|message| message.content())))
}

/// The same without a check: every line as a value, on one thread.
fn values(home: &Path) -> Result<Work> {
    let bytes = fs::read(home.join("events.jsonl"))?;
    let mut contents: Vec<String> = Vec::new();
    let content = |message: &serde_json::Value| message["content"].as_str().map(str::to_owned);
    for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let event: serde_json::Value = serde_json::from_slice(line)?;
        match event["type"].as_str() {
            Some("message_append") => contents.extend(content(&event["payload"]["message"])),
            Some("checkpoint") => {
                let messages = event["payload"]["messages"].as_array().context("no messages")?;
                contents = messages.iter().filter_map(content).collect();
            }
            _ => {}
        }
    }
    Ok(work(contents.iter().map(String::as_str)))
}
