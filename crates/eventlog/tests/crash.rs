//! A kill and a power loss at every call of every operation (TRUST.md I1, I2).
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

use common::ops::{OPS, Op, owned, state};
use common::*;
use convlog_eventlog::{read, verify};
use convlog_fs::Durability;
use convlog_fs::sim::{CrashPlan, SimFs};

/// The states that a power loss within the operation may leave.
fn allowed(op: Op) -> BTreeSet<Option<Vec<String>>> {
    let mut allowed = BTreeSet::from([owned(op.before()), owned(op.after())]);
    match op {
        // A batch is a sequence of appends: until it is synced, either may survive alone.
        Op::Batch(_) => {
            allowed.insert(owned(Some(vec!["one", "two", "three"])));
            allowed.insert(owned(Some(vec!["one", "two", "four"])));
        }
        Op::Sync => drop(allowed.insert(owned(Some(vec!["one", "two"])))),
        _ => {}
    }
    allowed
}

#[test]
fn a_kill_at_any_call_leaves_all_or_nothing() {
    for op in OPS {
        let (fs, mut log) = op.start();
        fs.keep_snapshots();
        assert_eq!(op.run(&fs, &mut log).error, None);
        for snapshot in fs.snapshots() {
            let disk = snapshot.disk.kill();
            let found = state(&disk);
            let context = format!("{op:?} after call {}: {found:?}", snapshot.after);
            assert!(found == owned(op.before()) || found == owned(op.after()), "{context}");
            go_on(&disk, found, &context);
        }
    }
}

#[test]
fn a_power_loss_at_any_call_loses_nothing_synced() {
    let mut states = 0;
    for op in OPS {
        let (fs, mut log) = op.start();
        fs.keep_snapshots();
        assert_eq!(op.run(&fs, &mut log).error, None);
        for snapshot in fs.snapshots() {
            for crash in snapshot.disk.crash_states(&CrashPlan::default()).states {
                states += 1;
                let found = state(&crash.disk);
                let context = format!("{op:?} after call {}, {}: {found:?}", snapshot.after, crash.description);
                assert!(allowed(op).contains(&found), "{context}");
                go_on(&crash.disk, found, &context);
            }
        }
    }
    assert!(states > 150, "{states}");
}

/// Whatever a crash left can be opened, and what is then synced stays.
fn go_on(disk: &SimFs, found: Option<Vec<String>>, context: &str) {
    let Some(mut found) = found else {
        // No log, or one whose creation was cut off: creating it once more succeeds.
        if read(disk, dir()).unwrap().is_none() {
            create(disk, &["again"]);
            assert_eq!(state(disk), owned(Some(vec!["again"])), "{context}");
        }
        return;
    };
    let mut log = resume(disk);
    log.append_message(&user("next"), &[], Durability::Synced).unwrap();
    found.push("next".to_owned());
    for crash in disk.crash_states(&CrashPlan::default()).states {
        assert_eq!(state(&crash.disk), Some(found.clone()), "{context}");
    }
    let reading = reading(disk);
    let numbers: Vec<u64> = reading.events.iter().map(|event| event.seq.get()).collect();
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "{context}: {numbers:?}");
    log.checkpoint(&reading.replay().unwrap(), &[]).unwrap();
    assert!(verify(&common::reading(disk)).is_intact(), "{context}");
    assert_eq!(state(disk), Some(found), "{context}");
}

/// What is written and not synced may go, in part and out of order; nothing comes twice, nothing in another
/// order, and what is synced stays.
#[test]
fn written_appends_survive_a_power_loss_as_far_as_they_do() {
    let fs = sim();
    let mut log = create(&fs, &["one"]);
    log.append_message(&user("two"), &[], Durability::Synced).unwrap();
    let all = ["one", "two", "three", "four", "five"];
    for text in &all[2..] {
        log.append_message(&user(text), &[place(1, 2)], Durability::Written).unwrap();
    }
    let crashes = fs.crash_states(&CrashPlan { max_cuts: 60, ..CrashPlan::default() });
    let mut found = BTreeSet::new();
    for crash in crashes.states {
        let texts = state(&crash.disk).unwrap();
        assert_eq!(texts[..2], all[..2], "{}", crash.description);
        let mut rest = all.iter();
        assert!(texts.iter().all(|text| rest.any(|known| known == text)), "{}: {texts:?}", crash.description);
        found.insert(texts.len());
    }
    assert_eq!(found, BTreeSet::from([2, 3, 4, 5]));
}
