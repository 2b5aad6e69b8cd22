//! A conversation on a simulated disk: making, opening and killing it, and what must agree there.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use convlog_codec::jsonl;
use convlog_eventlog::{self as eventlog, CheckpointPolicy, Clock};
use convlog_fs::FileSystem;
use convlog_fs::sim::{Quirks, SimFs};
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Conversation, Session, SessionOptions, Transcript};

use crate::sabotage::site::as_ordered;

/// Where conversations lie.
pub const LOGS: &str = "/logs";

/// The conversation.
pub const HOME: &str = "/logs/talk";

/// Main's transcript.
#[must_use]
pub fn transcript() -> PathBuf {
    Path::new(HOME).join("conversation.jsonl")
}

/// Main's event log.
#[must_use]
pub fn events() -> PathBuf {
    Path::new(HOME).join("events.jsonl")
}

/// When everything happens.
#[must_use]
pub fn time() -> Timestamp {
    "2026-01-02T03:04:05".parse().unwrap()
}

/// A user's message.
#[must_use]
pub fn say(content: &str) -> Message {
    Message::new("user", content, time())
}

/// A clock that stands still, a checkpoint after each third event, and no patience.
pub fn options() -> SessionOptions {
    let mut options = SessionOptions::default().with_clock(Clock::new(time)).with_policy(CheckpointPolicy::every(3));
    options.event_lock_wait = Duration::ZERO;
    options
}

/// A disk with a durable `/logs`.
#[must_use]
pub fn new_disk(quirks: Quirks) -> SimFs {
    let fs = SimFs::with(quirks);
    fs.create_dir(Path::new("/logs")).unwrap();
    let _ = fs.sync_dir(Path::new("/")).unwrap();
    fs
}

/// The file system as a session takes it.
#[must_use]
pub fn shared(fs: &SimFs) -> Arc<dyn FileSystem> {
    as_ordered(fs)
}

/// Opens the conversation for writing, and with that recovers it.
///
/// # Errors
///
/// What stood against it, with all causes.
pub fn open(fs: &SimFs) -> Result<Session, String> {
    Session::open(shared(fs), HOME, options()).map_err(|error| describe(&error))
}

/// An error with its causes.
pub fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

/// Ends the process that holds a session, without a word to the disk, and gives what the disk holds.
#[must_use]
pub fn kill(fs: &SimFs, session: Option<Session>) -> SimFs {
    let after = fs.kill();
    fs.halt_after(0);
    drop(session);
    after
}

/// What each message says.
#[must_use]
pub fn contents(log: &Log) -> Vec<String> {
    log.iter().map(|message| message.content().to_owned()).collect()
}

/// The messages that can be read in a transcript's bytes; none when it is missing.
#[must_use]
pub fn read_transcript(fs: &SimFs) -> Vec<String> {
    match convlog_fs::read_all(fs, &transcript()) {
        Ok(bytes) => contents(&jsonl::read(&bytes, &time()).log),
        Err(_) => Vec::new(),
    }
}

/// That the transcript, the event log and the session say the same, and the hash chain is whole.
///
/// # Errors
///
/// With what they say, when they do not.
pub fn check_agreement(fs: &SimFs, session: &Session) -> Result<(), String> {
    let log = contents(session.log());
    let written = read_transcript(fs);
    if written != log {
        return Err(format!("the transcript says {written:?}, the session {log:?}"));
    }
    let Some(reading) = eventlog::read(fs, Path::new(HOME)).map_err(|error| error.to_string())? else {
        return Err("there is no event log".to_owned());
    };
    let replayed = contents(&reading.replay().unwrap_or_default());
    if replayed != log {
        return Err(format!("the event log says {replayed:?}, the session {log:?}"));
    }
    let verified = eventlog::verify(&reading);
    match verified.first() {
        None => Ok(()),
        Some(misfit) => Err(format!("the event log does not verify: {misfit:?}")),
    }
}

/// Every message of every branch beside main.
pub fn in_branches(fs: &SimFs) -> Vec<String> {
    let Ok(conversation) = Conversation::open(shared(fs), HOME) else { return Vec::new() };
    let branches = conversation.branches().unwrap_or_default().into_iter().map(Transcript::Branch);
    branches.filter_map(|branch| conversation.read(&branch).ok()).flat_map(|read| contents(&read.log)).collect()
}

/// That no temporary file is left.
///
/// # Errors
///
/// With its path, when there is one.
pub fn check_tidy(fs: &SimFs) -> Result<(), String> {
    let left: Vec<_> = fs.tree().entries.into_keys().collect();
    // A fork under way when its process died is removed by the next one.
    let is_left = |path: &&PathBuf| {
        !path.to_string_lossy().starts_with("/logs/.convlog-fork-")
            && path.file_name().is_some_and(convlog_fs::is_temporary)
    };
    let left = left.iter().find(is_left);
    match left {
        Some(left) => Err(format!("{} is left", left.display())),
        None => Ok(()),
    }
}
