//! Every fault at every call of every operation (TRUST.md I7).
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

use common::ops::{OPS, Op, Outcome, is_refused, owned, state};
use common::*;
use convlog_eventlog::{EventLog, WriteError, verify};
use convlog_fs::sim::{CrashPlan, Fault, Short, SimFs, Times, When};
use convlog_fs::{Durability, FileSystem, Operation, is_temporary};

#[test]
fn each_fault_at_each_call_leaves_the_state_before_or_after() {
    let mut hit = 0;
    for op in OPS {
        let (fs, mut log) = op.start();
        let first = fs.next_op();
        assert_eq!(op.run(&fs, &mut log).error, None, "{op:?}");
        let calls = fs.next_op() - first;
        for call in first..first + calls {
            for fault in Fault::SWEEP {
                for times in [Times::Once, Times::Forever] {
                    let (fs, mut log) = op.start();
                    fs.fail(When::number(call), fault, times);
                    let outcome = op.run(&fs, &mut log);
                    let struck = fs.faults_hit();
                    fs.clear_faults();
                    if struck > 0 {
                        hit += 1;
                        let context = format!("{op:?}, call {} of {calls}, {fault:?} {times:?}", call - first);
                        check(op, &fs, log, &outcome, times, &context);
                    }
                }
            }
        }
    }
    assert!(hit > 600, "{hit}");
}

fn check(op: Op, fs: &SimFs, log: Option<EventLog>, outcome: &Outcome, times: Times, context: &str) {
    let (before, after) = (owned(op.before()), owned(op.after()));
    let found = state(&fs.kill());
    let context = format!("{context}: {outcome:?}, then {found:?}");
    if outcome.error.is_none() {
        assert_eq!(found, after, "{context}");
        if outcome.durable {
            for crash in fs.crash_states(&CrashPlan::default()).states {
                assert_eq!(state(&crash.disk), after, "{context} {}", crash.description);
            }
        }
    } else if outcome.may_stand {
        assert!(found == before || found == after, "{context}");
    } else {
        assert_eq!(found, before, "{context}");
    }
    if !outcome.may_stand && found.is_some() {
        let reading = reading(fs);
        assert!(verify(&reading).is_intact(), "{context}");
        assert_eq!(reading.report.skipped().count(), usize::from(op == Op::AppendToTorn), "{context}");
    }
    if times == Times::Once {
        let left = fs.list(dir()).unwrap().into_iter().filter(|entry| is_temporary(&entry.name)).count();
        let removal_struck = outcome.error.as_ref().is_none_or(|error| error.contains("remove"));
        assert!(left == 0 || removal_struck, "{context}");
    }
    go_on(fs, log, found, &context);
}

/// The handle goes on, or refuses and changes nothing; and whoever opens the log finds it free.
fn go_on(fs: &SimFs, log: Option<EventLog>, mut found: Option<Vec<String>>, context: &str) {
    if let Some(mut log) = log {
        let before = bytes(fs);
        match log.append_message(&user("next"), &[], Durability::Synced) {
            Ok(_) => found.get_or_insert_default().push("next".to_owned()),
            Err(error) => {
                assert!(is_refused(&error) && log.refusal().is_some(), "{context}: {error:?}");
                assert_eq!(bytes(fs), before, "{context}");
                assert!(log.sync().is_err() && log.checkpoint(&log_of(&[]), &[]).is_err(), "{context}");
                assert!(log.compact().is_err(), "{context}");
                assert_eq!(bytes(fs), before, "{context}");
            }
        }
        // The old handle is still open: it must not hold the lock.
        assert_eq!(state(fs), found, "{context}");
        if found.is_some() {
            let mut again = resume(fs);
            let list = reading(fs).replay().unwrap();
            again.checkpoint(&list, &[]).unwrap();
            again.append_message(&user("last"), &[], Durability::Synced).unwrap();
            found.get_or_insert_default().push("last".to_owned());
            for crash in fs.crash_states(&CrashPlan::default()).states {
                assert_eq!(state(&crash.disk), found, "{context}");
            }
            assert!(log.undo(0, Durability::Written).is_err(), "{context}: the other handle's work is noticed");
        }
    }
}

/// A full disk that takes a part of the event: the part is cut off, and the handle goes on with a file whose times
/// that changed. Where it cannot be cut off, nothing more is written.
#[test]
fn a_part_of_an_event_is_taken_back() {
    let write = || When::operation(Operation::Write);
    let short = |fs: &SimFs| {
        fs.fail(write(), Fault::Short(Short::Half), Times::Once);
        fs.fail(write().skip(1), Fault::NO_SPACE, Times::Once);
    };
    let fs = sim();
    let mut log = create(&fs, &["one"]);
    let before = bytes(&fs);
    short(&fs);
    let error = log.append_message(&user("lost"), &[], Durability::Written).unwrap_err();
    assert!(matches!(error, WriteError::NotWritten { .. }) && !error.may_stand(), "{error:?}");
    assert_eq!(bytes(&fs), before);
    log.append_message(&user("two"), &[], Durability::Written).unwrap();
    assert_eq!(replayed(&fs).unwrap(), ["one", "two"]);

    short(&fs);
    fs.fail(When::operation(Operation::SetLen), Fault::IO, Times::Once);
    let error = log.append_message(&user("torn"), &[], Durability::Written).unwrap_err();
    assert!(matches!(error, WriteError::Unknown { .. }) && error.may_stand(), "{error:?}");
    assert!(is_refused(&log.append_message(&user("three"), &[], Durability::Written).unwrap_err()));
    resume(&fs).append_message(&user("three"), &[], Durability::Written).unwrap();
    assert_eq!(replayed(&fs).unwrap(), ["one", "two", "three"]);
    assert!(verify(&reading(&fs)).is_intact());
}
