//! Event logs that gptme 0.35.1 wrote: read to what gptme recovers from them.
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

use std::path::{Path, PathBuf};

use common::{put, resume, sim_with};
use convlog_codec::json::parse;
use convlog_eventlog::{EventKind, Reading, read, verify};
use convlog_fs::{Durability, RealFs};
use convlog_message::json::Value;
use convlog_message::{Log, Message};

/// A log of the fixtures: its directory, and the messages that gptme recovers from it.
fn logs() -> Vec<(PathBuf, Vec<Value>)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let manifest = parse(&std::fs::read(fixtures.join("manifest.json")).unwrap()).unwrap().value;
    let mut all = Vec::new();
    for (id, conversation) in manifest.as_object().unwrap().iter() {
        let recovered = conversation.as_object().unwrap().get("recovered").unwrap();
        for (path, messages) in recovered.as_object().unwrap().iter() {
            let dir = fixtures.join("logs").join(id).join(path).parent().unwrap().to_path_buf();
            all.push((dir, messages.as_array().unwrap().to_vec()));
        }
    }
    assert!(all.len() > 20);
    all
}

fn reading_of(dir: &Path) -> Reading {
    read(&RealFs, dir).unwrap().unwrap()
}

#[test]
fn each_is_replayed_to_what_gptme_recovers() {
    for (dir, expected) in logs() {
        let log = reading_of(&dir).replay().unwrap();
        assert_eq!(log.len(), expected.len(), "{}", dir.display());
        for (index, (message, expected)) in log.iter().zip(&expected).enumerate() {
            compare(message, expected, &format!("{}, message {index}", dir.display()));
        }
    }
}

fn compare(message: &Message, expected: &Value, place: &str) {
    let expected = expected.as_object().unwrap();
    let text = |key| expected.get(key).and_then(Value::as_str);
    assert_eq!(Some(message.role().as_str()), text("role"), "{place}");
    assert_eq!(Some(message.content()), text("content"), "{place}");
    assert_eq!(Some(message.timestamp().isoformat().as_str()), text("timestamp"), "{place}");
    assert_eq!(message.call_id(), text("call_id"), "{place}");
    assert_eq!(Some(message.pinned()), expected.get("pinned").and_then(Value::as_bool), "{place}");
    let metadata = message.metadata().clone().with_nested_usage();
    let expected = expected.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    assert_eq!(metadata.as_object(), &expected, "{place}");
}

/// Nothing in them is odd but half a surrogate pair; nothing is convlog's, so nothing can be verified.
#[test]
fn each_is_read_without_oddities() {
    for (dir, _) in logs() {
        let reading = reading_of(&dir);
        for oddity in &reading.report {
            assert_eq!(oddity.kind.code(), "lone-surrogate", "{}: {oddity}", dir.display());
        }
        assert!(verify(&reading).is_intact(), "{}", dir.display());
        assert!(!reading.ends_with_convlog() && reading.last_convlog().is_none());
        assert!(reading.events.iter().all(|event| event.ts.timestamp().is_some()));
    }
}

/// What convlog writes after them, and a checkpoint in their place, leads to the same messages.
#[test]
fn each_can_be_gone_on_with() {
    for (dir, _) in logs() {
        let bytes = std::fs::read(dir.join("events.jsonl")).unwrap();
        let fs = sim_with(&bytes);
        let before = reading_of(&dir).replay().unwrap();
        let mut log = resume(&fs);
        log.append_message(&common::user("more"), &[], Durability::Written).unwrap();
        let longer = common::reading(&fs).replay().unwrap();
        assert!(alike(&before.append(common::user("more")), &longer), "{}", dir.display());
        log.checkpoint(&longer, &[]).unwrap();
        let reading = common::reading(&fs);
        assert!(matches!(reading.events[0].kind, EventKind::Checkpoint(_)));
        assert!(alike(&longer, &reading.replay().unwrap()) && verify(&reading).is_intact(), "{}", dir.display());
        put(&fs, &bytes);
    }
}

fn alike(a: &Log, b: &Log) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_stored_alike(b) && a.source() == b.source())
}
