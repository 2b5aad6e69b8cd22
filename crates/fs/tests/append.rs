//! Appending one record: wholly or not at all, whatever fails.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use common::{both, put_durable};
use convlog_fs::sim::{CrashPlan, Fault, Short, SimFs, Times, When};
use convlog_fs::{
    AppendError, FileSystem, Missing, Open, Operation, append_whole, ends_in_newline, read_all, read_full_at,
};

const LOG: &str = "/log";
const BEFORE: &str = "one\n";
const RECORD: &str = "two two two\n";

fn fs() -> SimFs {
    let fs = SimFs::new();
    put_durable(&fs, LOG, BEFORE);
    fs
}

fn append(fs: &dyn FileSystem) -> Result<std::ops::Range<u64>, AppendError> {
    let mut file = fs.open(Path::new(LOG), Open::Append(Missing::Fail)).unwrap();
    append_whole(&mut *file, RECORD.as_bytes())
}

fn text(fs: &SimFs) -> String {
    String::from_utf8(read_all(&fs.kill(), Path::new(LOG)).unwrap()).unwrap()
}

#[test]
fn says_where_the_record_stands() {
    both(|world| {
        let mut file = world.fs.open(&world.at("log"), Open::Append(Missing::Create)).unwrap();
        assert!(ends_in_newline(&*file).unwrap());
        assert_eq!(append_whole(&mut *file, b"one").unwrap(), 0..3);
        assert!(!ends_in_newline(&*file).unwrap());
        assert_eq!(append_whole(&mut *file, b"\ntwo\n").unwrap(), 3..8);
        assert!(ends_in_newline(&*file).unwrap());
        assert_eq!(append_whole(&mut *file, b"").unwrap(), 8..8);
        assert_eq!(world.get("log"), "one\ntwo\n");
        let mut buffer = [0; 6];
        assert_eq!(read_full_at(&*file, &mut buffer, 4).unwrap(), 4);
    });
}

#[test]
fn short_and_interrupted_writes_go_on() {
    for fault in
        [Fault::Short(Short::Bytes(1)), Fault::Short(Short::Half), Fault::Short(Short::AllButOne), Fault::INTERRUPTED]
    {
        let fs = fs();
        fs.fail(When::operation(Operation::Write), fault, Times::Once);
        assert_eq!(append(&fs).unwrap(), 4..16, "{fault:?}");
        assert_eq!(text(&fs), format!("{BEFORE}{RECORD}"));
    }
    let fs = fs();
    fs.fail(When::operation(Operation::Write), Fault::Short(Short::Bytes(1)), Times::Forever);
    append(&fs).unwrap();
    assert_eq!(text(&fs), format!("{BEFORE}{RECORD}"));
}

#[test]
fn interruptions_without_end_are_an_error() {
    let fs = fs();
    fs.fail(When::operation(Operation::Write), Fault::INTERRUPTED, Times::Forever);
    assert!(matches!(append(&fs), Err(AppendError::Restored { .. })));
    assert_eq!(text(&fs), BEFORE);
}

/// After a first part that is written, a fault; then the same with a length that cannot be
/// restored.
#[test]
fn a_part_is_taken_back_or_named() {
    for fault in [Fault::IO, Fault::NO_SPACE] {
        for short in [Short::Bytes(1), Short::Half, Short::AllButOne] {
            for stuck in [false, true] {
                let fs = fs();
                let write = || When::operation(Operation::Write);
                fs.fail(write(), Fault::Short(short), Times::Once);
                fs.fail(write().skip(1), fault, Times::Forever);
                if stuck {
                    fs.fail(When::operation(Operation::SetLen), Fault::IO, Times::Forever);
                }
                match append(&fs) {
                    Err(AppendError::Restored { source }) if !stuck => {
                        assert_eq!(source.path, Path::new(LOG));
                        assert_eq!(text(&fs), BEFORE);
                    }
                    Err(error @ AppendError::Torn { start: 4, .. }) if stuck => {
                        assert!(error.to_string().contains("/log from byte 4 on"), "{error}");
                        assert!(text(&fs).len() > BEFORE.len());
                    }
                    other => panic!("{fault:?} {short:?} {stuck}: {other:?}"),
                }
                // A retry after the fault is over gives the record once.
                if !stuck {
                    fs.clear_faults();
                    append(&fs).unwrap();
                    assert_eq!(text(&fs), format!("{BEFORE}{RECORD}"));
                }
            }
        }
    }
}

/// Every fault at every call: the record is there, or not, as the answer says.
#[test]
fn after_every_fault_the_answer_is_true() {
    let first = fs().next_op();
    let last = {
        let fs = fs();
        append(&fs).unwrap();
        fs.next_op()
    };
    for number in first + 1..last {
        for fault in Fault::SWEEP {
            for times in [Times::Once, Times::Forever] {
                let fs = fs();
                fs.fail(When::number(number), fault, times);
                let answer = append(&fs);
                let whole = format!("{BEFORE}{RECORD}");
                match &answer {
                    Ok(_) => assert_eq!(text(&fs), whole),
                    Err(AppendError::Restored { .. }) => assert_eq!(text(&fs), BEFORE),
                    Err(_) => assert!(whole.starts_with(&text(&fs))),
                }
            }
        }
    }
}

#[test]
fn an_unsynced_record_may_be_torn_and_a_synced_one_not() {
    let fs = fs();
    append(&fs).unwrap();
    let texts = |fs: &SimFs| {
        let states = fs.crash_states(&CrashPlan::default()).states;
        states.iter().map(|crash| text(&crash.disk)).collect::<Vec<_>>()
    };
    let whole = format!("{BEFORE}{RECORD}");
    let found = texts(&fs);
    for expected in [BEFORE, &whole, "one\ntwo tw", "one\ntwo two two", "one\nt"] {
        assert!(found.iter().any(|text| text == expected), "{expected:?} not in {found:?}");
    }
    assert!(found.contains(&format!("{BEFORE}{}", "\0".repeat(RECORD.len()))));

    fs.open(Path::new(LOG), Open::Read).unwrap().sync_data().unwrap();
    assert_eq!(texts(&fs), [whole]);
}
