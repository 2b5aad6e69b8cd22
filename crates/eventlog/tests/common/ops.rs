//! Each operation of a log, with what it starts from and what it leads to.

use std::sync::Arc;

use convlog_eventlog::{
    Append, Blocked, CheckpointError, CompactError, CreateError, EventLog, SyncError, WriteError, read,
};
use convlog_fs::sim::SimFs;
use convlog_fs::{Durability, ReplaceError};
use convlog_message::json::Value;

use super::*;

/// An operation under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Create,
    Resume,
    Append(Durability),
    AppendToTorn,
    Batch(Durability),
    Undo,
    Edit(Durability),
    View,
    Close,
    Sync,
    Checkpoint,
    Compact,
}

pub const OPS: [Op; 14] = [
    Op::Create,
    Op::Resume,
    Op::Append(Durability::Written),
    Op::Append(Durability::Synced),
    Op::AppendToTorn,
    Op::Batch(Durability::Written),
    Op::Batch(Durability::Synced),
    Op::Undo,
    Op::Edit(Durability::Synced),
    Op::View,
    Op::Close,
    Op::Sync,
    Op::Checkpoint,
    Op::Compact,
];

/// What came of an operation.
#[derive(Debug)]
pub struct Outcome {
    /// What failed; `None` for success.
    pub error: Option<String>,
    /// Whether the operation may have taken effect even so.
    pub may_stand: bool,
    /// Whether it is durable when it succeeded.
    pub durable: bool,
}

impl Op {
    /// A disk with a log of `one`, `two`, all synced, and the handle that wrote it.
    pub fn start(self) -> (SimFs, Option<EventLog>) {
        let fs = sim();
        if self == Self::Create {
            return (fs, None);
        }
        let mut log = create(&fs, &["one"]);
        log.append_message(&user("two"), &[], Durability::Synced).unwrap();
        match self {
            Self::Resume => return (fs, None),
            Self::AppendToTorn => {
                let mut torn = bytes(&fs);
                torn.extend(b"{\"seq\": 3, \"ts");
                put(&fs, &torn);
                fs.open(&path(), Open::Read).unwrap().sync_all().unwrap();
                log = resume(&fs);
            }
            Self::Compact => {
                let more = checkpoint(3, &["one", "two"]);
                put(&fs, &[bytes(&fs), more.into_bytes()].concat());
                fs.open(&path(), Open::Read).unwrap().sync_all().unwrap();
                log = resume(&fs);
            }
            Self::Sync => {
                log.append_message(&user("three"), &[], Durability::Written).unwrap();
            }
            _ => {}
        }
        (fs, Some(log))
    }

    /// The states that the disk may have before: the first is what a reader sees.
    pub fn before(self) -> Option<Vec<&'static str>> {
        match self {
            Self::Create => None,
            Self::Sync => Some(vec!["one", "two", "three"]),
            _ => Some(vec!["one", "two"]),
        }
    }

    pub fn after(self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Create => vec!["one"],
            Self::Append(_) | Self::AppendToTorn | Self::Sync => vec!["one", "two", "three"],
            Self::Batch(_) => vec!["one", "two", "three", "four"],
            Self::Undo => vec!["one"],
            Self::Edit(_) => vec!["ONE"],
            Self::Resume | Self::View | Self::Close | Self::Checkpoint | Self::Compact => vec!["one", "two"],
        })
    }

    /// Does it; the handle is there afterwards unless there never was one.
    pub fn run(self, fs: &SimFs, log: &mut Option<EventLog>) -> Outcome {
        let written = |result: Result<_, WriteError>, durability| {
            let may_stand = result.as_ref().is_err_and(WriteError::may_stand);
            outcome(result, may_stand, durability == Durability::Synced)
        };
        let shared = || Arc::new(fs.clone());
        match self {
            Self::Create => {
                let made = EventLog::create(shared(), dir(), options(), &log_of(&["one"]), &[]);
                let may_stand = matches!(
                    made,
                    Err(CreateError::Failed { source: ReplaceError::NotDurable { .. } } | CreateError::Unopened { .. })
                );
                let (made, result) = split(made);
                *log = made;
                return outcome(result, may_stand, true);
            }
            Self::Resume => {
                let reading = match read(fs, dir()) {
                    Ok(reading) => reading.unwrap(),
                    Err(error) => return outcome(Err::<(), _>(error), false, false),
                };
                let (made, result) = split(EventLog::resume(shared(), dir(), options(), reading.resume()));
                *log = made;
                return outcome(result, false, true);
            }
            _ => {}
        }
        let log = log.as_mut().unwrap();
        let three = user("three");
        match self {
            Self::Append(durability) => written(log.append_message(&three, &[place(1, 2)], durability), durability),
            Self::AppendToTorn => written(log.append_message(&three, &[], Durability::Synced), Durability::Synced),
            Self::Batch(durability) => {
                let four = user("four");
                let batch = [Append::new(&three, &[]), Append::new(&four, &[])];
                written(log.append_batch(&batch, durability).map(Option::unwrap), durability)
            }
            Self::Undo => written(log.undo(1, Durability::Written), Durability::Written),
            Self::Edit(durability) => written(log.edit(&log_of(&["ONE"]), durability), durability),
            Self::View => written(log.view(&Value::Null, Durability::Written), Durability::Written),
            Self::Close => written(log.close(&[], Durability::Synced), Durability::Synced),
            Self::Sync => {
                let result = log.sync();
                let may_stand = matches!(result, Err(SyncError::Failed { .. }));
                outcome(result, may_stand, true)
            }
            Self::Checkpoint => {
                let result = log.checkpoint(&log_of(&["one", "two"]), &[]);
                let may_stand = matches!(result, Err(CheckpointError::Unsettled { .. }));
                outcome(result, may_stand, true)
            }
            _ => {
                let result = log.compact();
                let may_stand = matches!(result, Err(CompactError::Replace(CheckpointError::Unsettled { .. })));
                outcome(result, may_stand, true)
            }
        }
    }
}

fn split<E>(made: Result<EventLog, E>) -> (Option<EventLog>, Result<(), E>) {
    match made {
        Ok(log) => (Some(log), Ok(())),
        Err(error) => (None, Err(error)),
    }
}

fn outcome<T, E: std::error::Error>(result: Result<T, E>, may_stand: bool, durable: bool) -> Outcome {
    Outcome { error: result.err().map(|error| chain(&error)), may_stand, durable }
}

/// An error with its causes, as a person would see it.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

pub fn owned(texts: Option<Vec<&str>>) -> Option<Vec<String>> {
    texts.map(|texts| texts.into_iter().map(str::to_owned).collect())
}

/// What a disk leads to; `None` also where there is no log at all.
pub fn state(fs: &SimFs) -> Option<Vec<String>> {
    let reading = read(fs, dir()).unwrap()?;
    Some(texts(&reading.replay()?).into_iter().map(str::to_owned).collect())
}

pub fn is_refused(error: &WriteError) -> bool {
    matches!(error, WriteError::Blocked(Blocked::Refused { .. }))
}
