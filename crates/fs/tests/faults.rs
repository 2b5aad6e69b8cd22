//! Injected faults and the record of calls.
#![allow(clippy::unwrap_used)]

use std::io::{ErrorKind, Write};
use std::path::Path;

use convlog_fs::sim::{Fault, Outcome, Short, SimFs, Times, When};
use convlog_fs::{FileSystem, Missing, Open, Operation};

const PATH: &str = "/a";

fn open(fs: &SimFs) -> Box<dyn convlog_fs::File> {
    fs.open(Path::new(PATH), Open::Append(Missing::Create)).unwrap()
}

#[test]
fn a_fault_hits_the_call_it_is_meant_for() {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/d")).unwrap();
    fs.fail(When::operation(Operation::Open).on("/d/a"), Fault::IO, Times::Once);
    fs.fail(When::operation(Operation::Write).skip(1), Fault::NO_SPACE, Times::Once);
    let mut file = open(&fs);
    let missed = fs.open(Path::new("/d/a"), Open::Read).unwrap_err();
    assert_eq!(missed.raw_os_error(), Some(5));
    assert_eq!(file.write(b"one").unwrap(), 3);
    assert_eq!(file.write(b"two").unwrap_err().kind(), ErrorKind::StorageFull);
    assert_eq!(file.write(b"two").unwrap(), 3);
    assert_eq!(fs.faults_hit(), 2);
}

#[test]
fn a_fault_for_ever_starts_at_its_number_and_passes_over_what_cannot_suffer_it() {
    let fs = SimFs::new();
    let mut file = open(&fs);
    fs.fail(When::number(fs.next_op()), Fault::NO_SPACE, Times::Forever);
    assert!(file.stat().is_ok(), "a full disk stops no looking");
    assert!(fs.remove_file(Path::new("/none")).unwrap_err().is_not_found());
    for _ in 0..2 {
        assert_eq!(file.write(b"x").unwrap_err().kind(), ErrorKind::StorageFull);
    }
    fs.clear_faults();
    assert_eq!(file.write(b"x").unwrap(), 1);
}

#[test]
fn short_reads_and_writes_do_at_least_one_byte() {
    let fs = SimFs::new();
    let mut file = open(&fs);
    let mut write = |short, bytes: &[u8]| {
        fs.fail(When::any(), Fault::Short(short), Times::Once);
        file.write(bytes).unwrap()
    };
    assert_eq!(write(Short::Bytes(2), b"12345"), 2);
    assert_eq!(write(Short::Half, b"12345"), 3);
    assert_eq!(write(Short::AllButOne, b"12345"), 4);
    assert_eq!(write(Short::AllButOne, b"1"), 1);
    fs.fail(When::any(), Fault::Short(Short::Half), Times::Once);
    assert_eq!(file.read_at(&mut [0; 4], 0).unwrap(), 2);
}

#[test]
fn the_record_tells_what_was_asked_and_what_came_of_it() {
    let fs = SimFs::new();
    let mut file = open(&fs);
    file.write_all(b"text").unwrap();
    fs.rename(Path::new(PATH), Path::new("/b")).unwrap();
    let _ = fs.stat(Path::new(PATH));
    fs.fail(When::any(), Fault::IO, Times::Once);
    let _ = file.sync_all();
    let ops = fs.ops();
    let lines: Vec<String> = ops.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "0 open /a",
            "1 write to /a, 4 bytes",
            "2 rename /a to /b",
            "3 read the metadata of /a: entity not found",
            "4 sync /a: fault injected",
        ]
    );
    assert_eq!(ops[3].outcome, Outcome::Failed(ErrorKind::NotFound));
    let changes: Vec<bool> = ops.iter().map(|op| op.changes).collect();
    assert_eq!(changes, [true, true, true, false, true]);
}

#[test]
fn a_dead_process_changes_nothing() {
    let fs = SimFs::new();
    let mut file = open(&fs);
    fs.halt_after(fs.next_op());
    assert!(fs.is_halted());
    let before = fs.fingerprint();
    assert!(file.write(b"x").is_err());
    assert!(file.set_len(3).is_err());
    assert!(file.lock().is_err());
    assert!(fs.remove_file(Path::new(PATH)).is_err());
    drop(file);
    assert_eq!(fs.fingerprint(), before);
    assert!(!fs.kill().is_halted());
}
