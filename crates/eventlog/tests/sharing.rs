//! Two handles, two processes, and other programs on one log; and what an append costs.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::print_stderr
)]

mod common;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use common::*;
use convlog_eventlog::{
    Blocked, Change, CheckpointError, Conflict, EventLog, LOCK_FILE, Options, WriteError, read, verify,
};
use convlog_fs::{Durability, FileSystem, Metered, Missing, Open, Operation, RealFs};
use convlog_message::Log;

fn conflict(result: Result<convlog_eventlog::Seq, WriteError>) -> Change {
    match result.unwrap_err() {
        WriteError::Blocked(Blocked::Conflict(Conflict { change, .. })) => change,
        other => panic!("{other:?}"),
    }
}

/// Something another program does to the log.
type Foreign = fn(&convlog_fs::sim::SimFs);

#[test]
fn a_foreign_change_of_any_kind_is_a_conflict_and_nothing_is_written() {
    let changes: [(&str, Foreign); 5] = [
        ("appended", |fs| put(fs, &[bytes(fs), append(9, "x").into_bytes()].concat())),
        ("cut", |fs| fs.open(&path(), Open::ReadWrite(Missing::Fail)).unwrap().set_len(3).unwrap()),
        ("same length", |fs| put(fs, &bytes(fs))),
        ("replaced", |fs| {
            let old = bytes(fs);
            fs.remove_file(&path()).unwrap();
            put(fs, &old);
        }),
        ("removed", |fs| fs.remove_file(&path()).unwrap()),
    ];
    let mut found = Vec::new();
    for (name, change) in changes {
        let fs = sim();
        let mut log = create(&fs, &["one"]);
        change(&fs);
        let before = fs.tree();
        found.push((name, conflict(log.append_message(&user("two"), &[], Durability::Synced))));
        conflict(log.undo(1, Durability::Written));
        let _ = log.sync();
        let error = log.checkpoint(&log_of(&["one"]), &[]).unwrap_err();
        assert!(matches!(error, CheckpointError::Blocked(Blocked::Conflict(_))), "{error:?}");
        assert!(log.compact().is_err());
        assert_eq!(fs.tree(), before, "{name}");
        assert!(log.refusal().is_none(), "nothing failed");
    }
    let length = found[0].1;
    assert!(matches!(length, Change::Length { .. }) && matches!(found[1].1, Change::Length { .. }), "{found:?}");
    assert_eq!([found[2].1, found[3].1, found[4].1], [Change::Touched, Change::Replaced, Change::Vanished]);
}

#[test]
fn a_log_that_changed_since_it_was_read_is_not_gone_on_with() {
    let fs = sim();
    drop(create(&fs, &["one"]));
    let old = reading(&fs).resume();
    put(&fs, &[bytes(&fs), append(2, "x").into_bytes()].concat());
    let error = EventLog::resume(Arc::new(fs.clone()), dir(), options(), old.clone()).unwrap_err();
    assert!(matches!(error, Blocked::Conflict(_)), "{error:?}");
    fs.remove_file(&path()).unwrap();
    let error = EventLog::resume(Arc::new(fs), dir(), options(), old).unwrap_err();
    assert!(matches!(error, Blocked::Conflict(Conflict { change: Change::Vanished, .. })), "{error:?}");
}

#[test]
fn a_lock_that_was_removed_stops_a_replacement() {
    let fs = sim();
    let mut log = create(&fs, &["one"]);
    fs.remove_file(&dir().join(LOCK_FILE)).unwrap();
    let error = log.checkpoint(&log_of(&["one"]), &[]).unwrap_err();
    assert!(matches!(error, CheckpointError::Blocked(Blocked::LockLost { .. })), "{error:?}");
    drop(resume(&fs));
    let error = log.checkpoint(&log_of(&["one"]), &[]).unwrap_err();
    assert!(matches!(error, CheckpointError::Blocked(Blocked::LockLost { .. })), "another file of that name");
}

#[test]
fn two_handles_exclude_each_other_and_notice_each_other() {
    let fs = sim();
    let mut one = create(&fs, &["a"]);
    let mut two = resume(&fs);
    let lock = fs.open(&dir().join(LOCK_FILE), Open::Read).unwrap();
    let _ = lock.try_lock().unwrap();
    for log in [&mut one, &mut two] {
        let error = log.append_message(&user("b"), &[], Durability::Written).unwrap_err();
        assert!(matches!(error, WriteError::Blocked(Blocked::Held { .. })), "{error:?}");
    }
    lock.unlock().unwrap();
    two.append_message(&user("b"), &[], Durability::Written).unwrap();
    conflict(one.append_message(&user("c"), &[], Durability::Written));
    one = resume(&fs);
    one.append_message(&user("c"), &[], Durability::Written).unwrap();
    conflict(two.append_message(&user("d"), &[], Durability::Written));
    assert_eq!(replayed(&fs).unwrap(), ["a", "b", "c"]);
}

#[test]
fn what_is_made_is_private() {
    let fs = sim();
    drop(create(&fs, &["a"]));
    for name in [path(), dir().join(LOCK_FILE)] {
        assert_eq!(fs.stat(&name).unwrap().mode, 0o600, "{}", name.display());
    }
    fs.set_mode(&path(), 0o640).unwrap();
    resume(&fs).checkpoint(&log_of(&["a"]), &[]).unwrap();
    assert_eq!(fs.stat(&path()).unwrap().mode, 0o640, "the mode of what exists survives");
}

#[test]
fn reading_changes_nothing_and_makes_nothing() {
    let fs = sim_with(append(1, "a") + "{torn");
    let before = fs.fingerprint();
    let _ = verify(&reading(&fs));
    assert_eq!(fs.fingerprint(), before);
    assert!(read(&fs, Path::new("/none")).unwrap().is_none());
    assert_eq!(fs.fingerprint(), before);
}

const VARIABLE: &str = "CONVLOG_EVENTLOG_TEST_DIR";
const EACH: usize = 40;

/// A writer that opens, appends one, and does it again when another was faster.
fn write_some(dir: &Path, name: &str) {
    let options = Options::default().with_lock_wait(Duration::from_secs(20));
    let mut written = 0;
    while written < EACH {
        let reading = read(&RealFs, dir).unwrap().unwrap();
        let log = EventLog::resume(Arc::new(RealFs), dir, options.clone(), reading.resume());
        let outcome = log
            .map_err(WriteError::from)
            .and_then(|mut log| log.append_message(&user(&format!("{name} {written}")), &[], Durability::Written));
        match outcome {
            Ok(_) => written += 1,
            Err(WriteError::Blocked(Blocked::Conflict(_))) => {}
            Err(error) => panic!("{error:?}"),
        }
    }
}

/// Does nothing unless the test below starts it.
#[test]
fn a_writer_in_a_process_of_its_own() {
    if let Some(dir) = std::env::var_os(VARIABLE) {
        write_some(Path::new(&dir), &std::process::id().to_string());
    }
}

#[test]
fn processes_on_one_log_lose_nothing() {
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    drop(EventLog::create(Arc::new(RealFs), dir, Options::default(), &Log::new(), &[]).unwrap());
    let start = || {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "a_writer_in_a_process_of_its_own"]).env(VARIABLE, dir);
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    let mut others = [start(), start()];
    write_some(dir, "here");
    for other in &mut others {
        assert!(other.wait().unwrap().success());
    }
    let reading = read(&RealFs, dir).unwrap().unwrap();
    assert!(reading.report.is_empty() && verify(&reading).is_intact(), "{:?}", reading.report);
    let log = reading.replay().unwrap();
    let all: BTreeSet<&str> = texts(&log).into_iter().collect();
    assert_eq!((log.len(), all.len()), (3 * EACH, 3 * EACH));
}

#[test]
fn an_append_reads_nothing_and_makes_the_same_calls_whatever_the_length() {
    let mut costs = Vec::new();
    for length in [10, 1_000] {
        let inner = sim();
        let messages: Log = (0..length).map(|number| user(&format!("{number}"))).collect();
        drop(EventLog::create(Arc::new(inner.clone()), dir(), options(), &messages, &[]).unwrap());
        let resumed = reading(&inner).resume();
        let fs = Arc::new(Metered::new(inner));
        let mut log = EventLog::resume(fs.clone(), dir(), options(), resumed).unwrap();
        log.sync().unwrap(); // the first one also syncs the file's name
        for durability in [Durability::Written, Durability::Synced] {
            let before = fs.snapshot();
            log.append_message(&user("more"), &[place(1, 2)], durability).unwrap();
            costs.push(fs.snapshot().since(&before));
        }
    }
    for cost in &costs {
        assert_eq!((cost.bytes_read(), cost.calls(Operation::Read)), (0, 0));
        assert_eq!((cost.calls(Operation::Write), cost.calls(Operation::Stat)), (1, 3));
        assert_eq!((cost.calls(Operation::Lock), cost.calls(Operation::Unlock)), (1, 1));
    }
    assert_eq!(costs.iter().map(convlog_fs::Counts::total).collect::<Vec<_>>(), [6, 7, 6, 7]);
    assert_eq!(costs.iter().map(convlog_fs::Counts::syncs).collect::<Vec<_>>(), [0, 1, 0, 1]);
}

/// Ten thousand appends of 1 KB under the default policy: at most 8 times the messages, the transcript's
/// lines included.
#[test]
fn checkpoints_keep_the_total_linear() {
    let fs = Arc::new(Metered::new(sim()));
    let mut log = EventLog::create(fs.clone(), dir(), options(), &Log::new(), &[]).unwrap();
    let message = user(&"x".repeat(1_024));
    let (mut list, mut transcript) = (Log::new(), 0);
    for _ in 0..10_000 {
        log.append_message(&message, &[place(transcript, transcript + 1_100)], Durability::Written).unwrap();
        list.extend([message.clone()]);
        transcript += 1_100;
        if log.checkpoint_due(transcript) {
            log.checkpoint(&list, &[]).unwrap();
        }
    }
    let written = fs.snapshot().bytes_written() + transcript;
    assert!(written <= 8 * 10_000 * 1_024, "{} times", written as f64 / 10_240_000.0);
}
