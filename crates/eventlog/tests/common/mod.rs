//! What several of these tests need: a directory in a simulated file system, and messages.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

pub mod ops;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_eventlog::{Clock, EVENTS_FILE, EventLog, Options, Place, Reading, read};
use convlog_fs::sim::SimFs;
use convlog_fs::{FileId, FileSystem, Missing, Open, read_all};
use convlog_message::{Log, Message, Role, Timestamp};

pub const DIR: &str = "/log";

pub fn dir() -> &'static Path {
    Path::new(DIR)
}

pub fn path() -> PathBuf {
    dir().join(EVENTS_FILE)
}

/// A file system with the directory in it, durable.
pub fn sim() -> SimFs {
    let fs = SimFs::new();
    fs.create_dir(dir()).unwrap();
    let _ = fs.sync_dir(Path::new("/")).unwrap();
    fs
}

/// The same with these bytes as the log.
pub fn sim_with(bytes: impl AsRef<[u8]>) -> SimFs {
    let fs = sim();
    put(&fs, bytes.as_ref());
    fs
}

/// Writes the log anew, in place, as an editor might.
pub fn put(fs: &SimFs, bytes: &[u8]) {
    use std::io::Write;

    let mut file = fs.open(&path(), Open::ReadWrite(Missing::Create)).unwrap();
    file.set_len(0).unwrap();
    file.write_all(bytes).unwrap();
}

pub fn bytes(fs: &SimFs) -> Vec<u8> {
    read_all(fs, &path()).unwrap()
}

/// Options that give each event the same time and never wait.
pub fn options() -> Options {
    let time: Timestamp = "2026-01-02T03:04:05.123456+00:00".parse().unwrap();
    Options::default().with_clock(Clock::new(move || time.clone())).with_lock_wait(std::time::Duration::ZERO)
}

pub fn user(text: &str) -> Message {
    Message::new(Role::User, text, "2026-01-02T03:04:05".parse().unwrap())
}

pub fn log_of(texts: &[&str]) -> Log {
    texts.iter().map(|text| user(text)).collect()
}

pub fn texts(log: &Log) -> Vec<&str> {
    log.iter().map(Message::content).collect()
}

pub fn place(start: u64, end: u64) -> Place {
    let id = FileId { dev: 64_769, ino: 1_234_567, birth: None };
    Place { file: "conversation.jsonl".into(), id, range: start..end }
}

pub fn create(fs: &SimFs, texts: &[&str]) -> EventLog {
    EventLog::create(Arc::new(fs.clone()), dir(), options(), &log_of(texts), &[]).unwrap()
}

pub fn reading(fs: &SimFs) -> Reading {
    read(fs, dir()).unwrap().unwrap()
}

/// Opens the log as the next session would.
pub fn resume(fs: &SimFs) -> EventLog {
    EventLog::resume(Arc::new(fs.clone()), dir(), options(), reading(fs).resume()).unwrap()
}

/// What a log of these bytes leads to, as texts; `None` without any event about messages.
pub fn replayed(fs: &SimFs) -> Option<Vec<String>> {
    let log = reading(fs).replay()?;
    Some(log.iter().map(|message| message.content().to_owned()).collect())
}

/// An event as gptme writes it.
pub fn event(seq: impl std::fmt::Display, kind: &str, payload: &str) -> String {
    format!(
        "{{\"seq\": {seq}, \"ts\": \"2026-01-02T03:04:05.123456+00:00\", \"type\": \"{kind}\", \"payload\": {payload}}}\n"
    )
}

pub fn json(text: &str) -> String {
    format!("{{\"role\": \"user\", \"content\": \"{text}\", \"timestamp\": \"2026-01-02T03:04:05\"}}")
}

pub fn append(seq: impl std::fmt::Display, text: &str) -> String {
    event(seq, "message_append", &format!("{{\"message\": {}}}", json(text)))
}

pub fn checkpoint(seq: impl std::fmt::Display, texts: &[&str]) -> String {
    let messages: Vec<_> = texts.iter().map(|text| json(text)).collect();
    event(seq, "checkpoint", &format!("{{\"messages\": [{}]}}", messages.join(", ")))
}
