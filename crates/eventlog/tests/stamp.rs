//! The form of what is written, to the byte, and messages that gptme could not read.
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

use std::sync::Arc;

use common::*;
use convlog_codec::jsonl;
use convlog_eventlog::{Append, EventKind, EventLog, FileFigures, Place, verify};
use convlog_fs::{Durability, FileId, FileTime};
use convlog_message::json::{Number, Object, Value};
use convlog_message::{Log, Message, Timestamp};

#[test]
fn the_form_to_the_byte() {
    let fs = sim();
    let birth = Some(FileTime { secs: -3, nanos: 7 });
    let id = FileId { dev: 1, ino: 2, birth };
    let born = Place { file: "branches/ü.jsonl".into(), id, range: 0..9 };
    let mut log =
        EventLog::create(Arc::new(fs.clone()), dir(), options(), &log_of(&["a"]), &[place(0, 70), born]).unwrap();
    log.append_message(&user("b"), &[], Durability::Written).unwrap();
    let time = |secs| FileTime { secs, nanos: 5 };
    let figures =
        FileFigures { file: "conversation.jsonl".into(), id, len: 70, mtime: time(3), ctime: time(4), messages: 6 };
    log.close(&[figures], Durability::Written).unwrap();
    log.view(&Value::Object([("op", "edit")].into_iter().collect()), Durability::Written).unwrap();
    let text = String::from_utf8(bytes(&fs)).unwrap();
    let hashless: Vec<String> = text.lines().map(|line| line[..line.len() - 67].to_owned()).collect();
    let head = |seq, kind| {
        format!("{{\"seq\": {seq}, \"ts\": \"2026-01-02T03:04:05.123456+00:00\", \"type\": \"{kind}\", \"payload\": ")
    };
    let message =
        |text| format!("{{\"role\": \"user\", \"content\": \"{text}\", \"timestamp\": \"2026-01-02T03:04:05\"}}");
    assert_eq!(
        hashless,
        [
            head(1, "checkpoint")
                + &format!("{{\"messages\": [{}]}}, ", message("a"))
                + "\"convlog\": {\"v\": 1, \"lines\": [[\"conversation.jsonl\", 0, 70, 64769, 1234567], "
                + "[\"branches/\\u00fc.jsonl\", 0, 9, 1, 2, -3, 7]], \"hash\": \"",
            head(2, "message_append")
                + &format!("{{\"message\": {}}}, \"convlog\": {{\"v\": 1, \"hash\": \"", message("b")),
            head(3, "convlog_close")
                + "{\"files\": [[\"conversation.jsonl\", 70, 3, 5, 4, 5, 6, 1, 2, -3, 7]], \"since\": [1, 81]}, "
                + "\"convlog\": {\"v\": 1, \"hash\": \"",
            head(4, "convlog_view") + "{\"op\": \"edit\"}, \"convlog\": {\"v\": 1, \"hash\": \"",
        ]
    );
    let reading = reading(&fs);
    assert_eq!(&*reading.events[0].convlog.as_ref().unwrap().places[1].file, "branches/ü.jsonl");
    assert!(reading.report.is_empty() && verify(&reading).is_intact());
}

/// Messages that gptme, or its whole recovery, would fail on.
fn unreadable() -> Vec<Message> {
    let read = |line: &[u8]| jsonl::read(line, &Timestamp::now()).log.first().unwrap().clone();
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let head = "{\"role\": \"user\", \"content\": \"x\", \"timestamp\": \"2026-01-02T03:04:05\", \"metadata\": {\"kept\": 1, \"m\": ";
    let digits = "7".repeat(4_301);
    let mut glued = read(b"{\"role\": \"user\", \"content\": \"x\"}").into_parts();
    glued.source = Some(b"{\"role\": \"user\",\n\"content\": \"x\"}".as_slice().into());
    let big: Number = digits.parse().unwrap();
    vec![
        read(b"{\"role\": \"user\", \"content\": \"a \xe4\xbd z\", \"timestamp\": \"2026-01-02T03:04:05\"}"),
        read(b"{\"role\": \"user\", \"content\": \"a\", \"x\xff\": \"\xed\xa0\xbd\"}"),
        read(format!("{head}{digits}}}}}").as_bytes()),
        read(format!("{head}-{digits}}}, \"extra\": {digits}}}").as_bytes()),
        read(format!("{head}{}}}}}", deep(700)).as_bytes()),
        Message::from(glued),
        user("new").with_extra(Object::from_iter([("big", Value::Number(big)), ("small", Value::from(1))])),
    ]
}

#[test]
fn what_gptme_cannot_read_has_a_stand_in_and_comes_back_exactly() {
    let messages = unreadable();
    let log: Log = messages.iter().cloned().collect();
    let fs = sim();
    let mut events = EventLog::create(Arc::new(fs.clone()), dir(), options(), &log, &[]).unwrap();
    for message in &messages {
        events.append_message(message, &[], Durability::Written).unwrap();
    }
    let lines: Vec<Vec<u8>> = messages
        .iter()
        .map(|message| {
            let mut json = Vec::new();
            jsonl::write_message(message, convlog_codec::json::Style::Gptme, &mut json);
            json
        })
        .collect();
    let batch: Vec<Append<'_>> =
        messages.iter().zip(&lines).map(|(m, json)| Append::new(m, &[]).with_json(json)).collect();
    events.append_batch(&batch, Durability::Written).unwrap();
    events.edit(&log, Durability::Written).unwrap();

    let text = String::from_utf8(bytes(&fs)).expect("all of it is UTF-8");
    assert_eq!(text.lines().count(), 2 + 2 * messages.len());
    assert!(text.lines().all(|line| line.contains("\"raw\": [[")));
    // Without the stamps, no long number and no deep nesting is left.
    for line in text.lines() {
        let event = line.split(", \"convlog\": ").next().unwrap();
        assert!(!event.contains(&"7".repeat(100)) && !event.contains(&"[".repeat(100)));
    }
    assert!(text.contains("\"kept\": 1") && text.contains("\"small\": 1"));

    let reading = reading(&fs);
    assert!(verify(&reading).is_intact());
    let mut appended = Vec::new();
    for event in &reading.events {
        match &event.kind {
            EventKind::Append(message) => appended.push(message.clone()),
            EventKind::Checkpoint(found) | EventKind::Edit(found) => same(found.iter(), &messages),
            other => panic!("{other:?}"),
        }
    }
    same(appended[..messages.len()].iter(), &messages);
    same(appended[messages.len()..].iter(), &messages);
}

#[track_caller]
fn same<'a>(found: impl Iterator<Item = &'a Message>, expected: &[Message]) {
    let found: Vec<_> = found.collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.into_iter().zip(expected) {
        let bytes = |message: &Message| {
            let mut bytes = Vec::new();
            jsonl::write_message(message, convlog_codec::json::Style::Gptme, &mut bytes);
            bytes
        };
        assert_eq!(bytes(found), bytes(expected));
        assert_eq!(found.content(), expected.content());
        assert_eq!(found.metadata(), expected.metadata());
    }
}

/// A message whose source is no JSON at all comes back as its stand-in.
#[test]
fn a_source_that_is_no_message_does_no_harm() {
    let mut parts = user("x").into_parts();
    parts.source = Some(b"]}\n{\"seq\": 99".as_slice().into());
    let fs = sim();
    let mut log = create(&fs, &[]);
    log.append_message(&Message::from(parts), &[], Durability::Written).unwrap();
    let reading = reading(&fs);
    let codes: Vec<_> = reading.report.iter().map(|oddity| oddity.kind.code()).collect();
    assert_eq!(codes, ["broken-raw"]);
    assert_eq!(replayed(&fs).unwrap(), ["x"]);
    assert!(verify(&reading).is_intact());
}

#[test]
fn a_view_that_gptme_cannot_read_is_refused() {
    let fs = sim();
    let mut log = create(&fs, &[]);
    let before = bytes(&fs);
    let number: Number = "7".repeat(5_000).parse().unwrap();
    assert!(log.view(&Value::Number(number), Durability::Written).is_err());
    assert_eq!(bytes(&fs), before);
    log.undo(0, Durability::Written).unwrap();
}

/// In all, with the transcript's line, at most 2.6 times a message of 1 KB.
#[test]
fn an_append_adds_little_to_the_message() {
    let fs = sim();
    let mut log = create(&fs, &[]);
    let message = user(&"x".repeat(1_024));
    let mut line = Vec::new();
    jsonl::write_line(&message, convlog_codec::json::Style::Gptme, &mut line);
    let birth = Some(FileTime { secs: 1_767_319_445, nanos: 123_456_789 });
    let id = FileId { dev: 18_446_744, ino: 123_456_789_012, birth };
    let place = Place { file: "conversation.jsonl".into(), id, range: 1_048_576_000..1_048_577_101 };
    let before = bytes(&fs).len();
    log.append_message(&message, &[place], Durability::Written).unwrap();
    let all = bytes(&fs).len() - before + line.len();
    assert!(all * 10 <= 1_024 * 26, "{all}");
}
