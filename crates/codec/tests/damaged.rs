//! One conversation for each kind of fault: what is read from it and what is reported, as snapshots.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

mod common;

use std::fmt::Write as _;

use common::fixtures;
use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_message::{Message, Timestamp};

fn cases() -> Vec<(String, Vec<u8>)> {
    let mut cases: Vec<_> = std::fs::read_dir(fixtures().join("damaged"))
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            let bytes = std::fs::read(entry.path().join("conversation.jsonl")).unwrap();
            (entry.file_name().into_string().unwrap(), bytes)
        })
        .collect();
    cases.sort();
    assert!(cases.len() > 40);
    cases
}

fn file_time() -> Timestamp {
    "2024-05-01T00:00:00+00:00".parse().unwrap()
}

#[test]
fn each_fault_has_the_right_outcome() {
    for (id, bytes) in cases() {
        let reading = jsonl::read(&bytes, &file_time());
        let mut text = String::new();
        for (index, message) in reading.log.iter().enumerate() {
            writeln!(text, "{index}: {}", describe(message)).unwrap();
        }
        for finding in &reading.report {
            writeln!(text, "[{}] {finding}", finding.problem.code()).unwrap();
            assert!(finding.span.end <= bytes.len() as u64, "{id}");
        }
        insta::assert_snapshot!(id, text);
    }
}

/// Every field that is set, for a person to compare.
fn describe(message: &Message) -> String {
    let mut text = format!("{} {:?} {}", message.role(), message.content(), message.timestamp());
    if !message.has_recorded_timestamp() {
        text += " (not recorded)";
    }
    let flags = [("pinned", message.pinned()), ("hide", message.hide()), ("ui_only", message.ui_only())];
    flags.into_iter().filter(|(_, set)| *set).for_each(|(name, _)| write!(text, " {name}").unwrap());
    for file in message.files() {
        write!(text, " file={file}").unwrap();
    }
    for (file, hash) in message.file_hashes() {
        write!(text, " hash[{file}]={hash}").unwrap();
    }
    if let Some(ttl) = message.ephemeral_ttl() {
        write!(text, " ttl={ttl}").unwrap();
    }
    if let Some(call_id) = message.call_id() {
        write!(text, " call_id={call_id}").unwrap();
    }
    for (name, object) in [("metadata", message.metadata().as_object()), ("extra", message.extra())] {
        if !object.is_empty() {
            let mut json = Vec::new();
            convlog_codec::json::write_object(object, Style::Gptme, &mut json);
            write!(text, " {name}={}", String::from_utf8(json).unwrap()).unwrap();
        }
    }
    text
}

/// Whatever was odd: each message's object stands in the file as it is written back, in order.
#[test]
fn no_byte_of_a_message_changes() {
    for (id, bytes) in cases() {
        let mut rest = bytes.as_slice();
        for message in &jsonl::read(&bytes, &file_time()).log {
            let mut written = Vec::new();
            jsonl::write_message(message, Style::Gptme, &mut written);
            let at = rest.windows(written.len()).position(|window| window == written);
            rest = &rest[at.unwrap_or_else(|| panic!("{id}: {}", String::from_utf8_lossy(&written)))..];
            rest = &rest[written.len()..];
        }
    }
}

#[test]
fn each_reads_the_same_from_its_end() {
    for (id, bytes) in cases() {
        let whole = jsonl::read(&bytes, &file_time());
        let mut tail = jsonl::TailReader::new(std::io::Cursor::new(&bytes), file_time()).unwrap();
        let messages: Vec<_> = tail.by_ref().map(|entry| entry.unwrap().message).collect();
        assert_eq!(messages.len(), whole.log.len(), "{id}");
        assert!(messages.iter().zip(whole.log.iter().rev()).all(|(a, b)| a.is_identical(b)), "{id}");
        let tail = tail.into_report();
        let skipped = |report: &convlog_codec::Report| report.skipped().map(|f| f.span.clone()).collect::<Vec<_>>();
        assert_eq!(skipped(&tail), skipped(&whole.report), "{id}");
    }
}

#[test]
fn each_reads_the_same_through_a_buffer_of_any_size() {
    for (id, bytes) in cases() {
        let whole = jsonl::read(&bytes, &file_time());
        for capacity in [1, 7, 100] {
            let input = std::io::BufReader::with_capacity(capacity, bytes.as_slice());
            let pieces = jsonl::read_from(input, &file_time()).unwrap();
            assert_eq!((pieces.log, pieces.report), (whole.log.clone(), whole.report.clone()), "{id}");
        }
    }
}

/// A hole that a crash left is read as NUL bytes, and may be larger than memory: it ends a line.
#[test]
fn a_hole_in_a_file_costs_no_message_from_either_side() {
    let line = |text: &str| format!("{{\"role\": \"user\", \"content\": \"{text}\"}}\n").into_bytes();
    let hole = vec![0; 5 << 20];
    for (between, before) in
        [(&b"\n"[..], &b""[..]), (b"", b""), (b"\n", b"{\"role\": \"us"), (b"", b"{\"role\": \"us")]
    {
        let file = [&line("one"), before, &hole, between, &line("two"), &line("three")].concat();
        let forward = jsonl::read(&file, &file_time());
        let forward: Vec<_> = forward.log.iter().map(|message| message.content().to_owned()).collect();
        assert_eq!(forward, ["one", "two", "three"]);
        let tail = jsonl::TailReader::new(std::io::Cursor::new(&file), file_time()).unwrap();
        let mut backward: Vec<_> = tail.map(|entry| entry.unwrap().message.content().to_owned()).collect();
        backward.reverse();
        assert_eq!(backward, forward);
    }
}
