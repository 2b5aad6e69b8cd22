//! What a session that opens a log asks: who was last, was it closed, what may be missing in a transcript.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, clippy::indexing_slicing)]

mod common;

use std::sync::Arc;

use common::*;
use convlog_eventlog::{EventKind, EventLog, FileFigures, Seq, read_closed, verify};
use convlog_fs::sim::SimFs;
use convlog_fs::{Durability, FileSystem, Metered};
use convlog_message::Log;

fn figures(fs: &SimFs) -> FileFigures {
    FileFigures::new("conversation.jsonl", &fs.stat(&path()).unwrap(), 1)
}

#[test]
fn a_closed_log_is_known_from_its_end_alone() {
    let inner = sim();
    let messages: Log = (0..2_000).map(|number| user(&format!("message {number}"))).collect();
    let mut log = EventLog::create(Arc::new(inner.clone()), dir(), options(), &messages, &[]).unwrap();
    log.append_message(&user("one"), &[], Durability::Written).unwrap();
    let figures = figures(&inner);
    log.close(std::slice::from_ref(&figures), Durability::Synced).unwrap();

    let fs = Metered::new(inner.clone());
    let closed = read_closed(&fs, dir()).unwrap().unwrap();
    assert!(fs.snapshot().bytes_read() < 20_000 && bytes(&inner).len() > 100_000);
    assert_eq!(closed.figures, std::slice::from_ref(&figures));
    assert_eq!(reading(&inner).last_close(), Some(&[figures][..]));
    let mut log = EventLog::resume(Arc::new(inner.clone()), dir(), options(), closed.resume).unwrap();
    assert_eq!(log.last_seq(), Seq::new(3));
    for number in 0..46 {
        assert!(!log.checkpoint_due(0), "{number}");
        log.append_message(&user("more"), &[], Durability::Written).unwrap();
    }
    log.append_message(&user("more"), &[], Durability::Written).unwrap();
    assert!(log.checkpoint_due(0), "number 50");
    let reading = reading(&inner);
    assert!(verify(&reading).is_intact() && reading.report.is_empty());
    assert_eq!(reading.replay().unwrap().len(), 2_048);
}

#[test]
fn any_other_end_is_not_a_closed_log() {
    let fs = sim();
    assert!(read_closed(&fs, dir()).unwrap().is_none());
    let mut log = create(&fs, &["one"]);
    assert!(read_closed(&fs, dir()).unwrap().is_none());
    log.close(&[], Durability::Written).unwrap();
    let closed = bytes(&fs);
    assert!(read_closed(&fs, dir()).unwrap().is_some());
    for behind in ["x", "\n", "{\"seq", &append(3, "by gptme"), "\0\0\n", &"z".repeat(40_000)] {
        put(&fs, &[&closed, behind.as_bytes()].concat());
        assert!(read_closed(&fs, dir()).unwrap().is_none(), "{behind:?}");
    }
    put(&fs, closed.strip_suffix(b"\n").unwrap());
    assert!(read_closed(&fs, dir()).unwrap().is_none());
    put(&fs, &append(1, "a").into_bytes());
    assert!(read_closed(&fs, dir()).unwrap().is_none());
    put(&fs, b"");
    assert!(read_closed(&fs, dir()).unwrap().is_none());
}

#[test]
fn who_was_last() {
    let fs = sim();
    let mut log = create(&fs, &["one"]);
    log.append_message(&user("two"), &[], Durability::Written).unwrap();
    let ours = bytes(&fs);
    for (behind, is_ours) in [
        ("", true),
        ("{\"seq\": 3, \"ts", true),   // a crash
        ("\0\0\0\n", true),            // a crash
        ("{\"seq\": 3, \"ts\n", true), // cannot be read
        ("\n\n", true),
        ("[]\n", false),
        ("{\"type\": \"undo\"}\n", false),
        (&append(3, "three"), false),
        (&append(3, "three")[..40], true),
    ] {
        put(&fs, &[&ours, behind.as_bytes()].concat());
        let reading = reading(&fs);
        assert_eq!(reading.ends_with_convlog(), is_ours, "{behind:?}");
        assert_eq!(reading.last_convlog(), Some(1), "{behind:?}");
        assert_eq!(reading.last_close(), None);
    }
    put(&fs, &[&ours[..], append(3, "three").as_bytes()].concat());
    let reading = reading(&fs);
    assert_eq!(texts(&reading.replay().unwrap()), ["one", "two", "three"]);
    assert_eq!(texts(&reading.replay_to_last_convlog().unwrap()), ["one", "two"]);
    put(&fs, append(1, "x").as_bytes());
    assert!(common::reading(&fs).replay_to_last_convlog().is_none());
}

/// The events whose lines may be missing, as kinds.
fn unsettled(fs: &SimFs) -> Vec<&'static str> {
    let reading = reading(fs);
    let kinds = reading.unsettled().iter().map(|event| match event.kind {
        EventKind::Append(_) => "append",
        EventKind::Checkpoint(_) => "checkpoint",
        EventKind::Undo(_) => "undo",
        EventKind::Close(_) => "close",
        _ => "other",
    });
    kinds.collect()
}

#[test]
fn what_may_be_missing_begins_with_the_last_checkpoint_or_behind_the_last_close() {
    let fs = sim();
    let places = [place(0, 70)];
    let mut log = EventLog::create(Arc::new(fs.clone()), dir(), options(), &log_of(&["one"]), &places).unwrap();
    assert_eq!(unsettled(&fs), ["checkpoint"]);
    log.append_message(&user("two"), &[place(70, 140)], Durability::Written).unwrap();
    assert_eq!(unsettled(&fs), ["checkpoint", "append"]);
    let reading = reading(&fs);
    let named: Vec<_> = reading.unsettled().iter().flat_map(|event| &event.convlog.as_ref().unwrap().places).collect();
    assert_eq!(named, [&place(0, 70), &place(70, 140)]);
    log.close(&[], Durability::Synced).unwrap();
    assert!(unsettled(&fs).is_empty() && common::reading(&fs).convlog_closed());
    log.append_message(&user("three"), &[], Durability::Written).unwrap();
    log.undo(1, Durability::Written).unwrap();
    assert_eq!(unsettled(&fs), ["append", "undo"]);
    log.checkpoint(&log_of(&["one"]), &[]).unwrap();
    assert_eq!(unsettled(&fs), ["checkpoint"]);
    put(&fs, append(1, "a").as_bytes());
    assert_eq!(unsettled(&fs), ["append"]);
}
