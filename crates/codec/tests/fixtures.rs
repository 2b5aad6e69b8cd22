//! Conversations that gptme 0.35.1 wrote: read to what gptme reads, written back to the same bytes.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

mod common;

use common::{fixtures, load};
use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_message::json::{Object, Value};
use convlog_message::{Message, Timestamp};

/// Each transcript that the manifest names, as (path under `fixtures/logs`, messages as gptme reads them).
fn transcripts() -> Vec<(String, Vec<Value>)> {
    let manifest = load("manifest.json");
    let mut all = Vec::new();
    for (id, conversation) in manifest.as_object().unwrap().iter() {
        let transcripts = conversation.as_object().unwrap().get("transcripts").unwrap();
        for (path, messages) in transcripts.as_object().unwrap().iter() {
            all.push((format!("{id}/{path}"), messages.as_array().unwrap().to_vec()));
        }
    }
    assert!(all.len() > 30);
    all
}

fn read(path: &str) -> (Vec<u8>, jsonl::Reading) {
    let bytes = std::fs::read(fixtures().join("logs").join(path)).unwrap();
    let reading = jsonl::read(&bytes, &Timestamp::now());
    (bytes, reading)
}

#[test]
fn each_reads_to_what_gptme_reads() {
    for (path, expected) in transcripts() {
        let (_, reading) = read(&path);
        assert_eq!(reading.log.len(), expected.len(), "{path}");
        for (index, (message, expected)) in reading.log.iter().zip(&expected).enumerate() {
            compare(message, expected.as_object().unwrap(), &format!("{path}, message {index}"));
        }
        for finding in &reading.report {
            assert_eq!(finding.problem.code(), "lone-surrogate", "{path}: {finding}");
        }
    }
}

fn compare(message: &Message, expected: &Object, place: &str) {
    let text = |key| expected.get(key).and_then(Value::as_str);
    let flag = |key| expected.get(key).and_then(Value::as_bool).unwrap();
    assert_eq!(Some(message.role().as_str()), text("role"), "{place}");
    assert_eq!(Some(message.content()), text("content"), "{place}");
    assert_eq!(Some(message.timestamp().isoformat().as_str()), text("timestamp"), "{place}");
    let files: Vec<_> = expected.get("files").unwrap().as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(message.files().iter().map(convlog_message::FileRef::as_str).collect::<Vec<_>>(), files, "{place}");
    let hashes = expected.get("file_hashes").unwrap().as_object().unwrap();
    let hashes: Vec<_> = hashes.iter().map(|(file, hash)| (file, hash.as_str().unwrap())).collect();
    assert_eq!(message.file_hashes().collect::<Vec<_>>(), hashes, "{place}");
    assert_eq!(message.pinned(), flag("pinned"), "{place}");
    assert_eq!(message.hide(), flag("hide"), "{place}");
    assert_eq!(message.ui_only(), flag("ui_only"), "{place}");
    let ttl = expected.get("ephemeral_ttl").and_then(Value::as_number).and_then(convlog_message::json::Number::as_i64);
    assert_eq!(message.ephemeral_ttl(), ttl, "{place}");
    assert_eq!(message.call_id(), text("call_id"), "{place}");
    let metadata = message.metadata().clone().with_nested_usage();
    let expected = expected.get("metadata").and_then(Value::as_object).cloned().unwrap_or_default();
    assert_eq!(metadata.as_object(), &expected, "{place}");
}

#[test]
fn each_is_written_back_to_the_same_bytes() {
    for (path, _) in transcripts() {
        let (bytes, reading) = read(&path);
        let mut written = Vec::new();
        reading.log.iter().for_each(|message| jsonl::write_line(message, Style::Gptme, &mut written));
        assert!(written == bytes, "{path}");
    }
}

/// Nothing is kept beside the fields for what gptme writes: it is written anew to the same bytes.
#[test]
fn each_is_made_anew_to_the_same_bytes() {
    for (path, _) in transcripts() {
        let (bytes, reading) = read(&path);
        let odd: Vec<_> = reading.log.iter().filter(|message| message.source().is_some()).collect();
        assert_eq!(odd.is_empty(), !path.contains("flaky-provider"), "{path}: {odd:?}");
        if odd.is_empty() {
            let mut written = Vec::new();
            for message in &reading.log {
                jsonl::write_line(&message.clone().with_pinned(message.pinned()), Style::Gptme, &mut written);
            }
            assert!(written == bytes, "{path}");
        }
    }
}

/// From the end, the same messages come in the other order.
#[test]
fn each_reads_the_same_from_its_end() {
    for (path, _) in transcripts() {
        let (bytes, reading) = read(&path);
        let tail = jsonl::TailReader::new(std::io::Cursor::new(bytes), Timestamp::now()).unwrap();
        let messages: Vec<_> = tail.map(|entry| entry.unwrap().message).collect();
        assert_eq!(messages.len(), reading.log.len(), "{path}");
        assert!(messages.iter().zip(reading.log.iter().rev()).all(|(a, b)| a.is_identical(b)), "{path}");
    }
}
