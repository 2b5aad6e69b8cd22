//! The cases of CASES.md C and E, and each kind of odd line.
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
use convlog_eventlog::{CreateError, EventLog, Seq, read};
use convlog_fs::{Durability, FileSystem};
use convlog_message::Log;

fn written(fs: &convlog_fs::sim::SimFs) -> String {
    String::from_utf8(bytes(fs)).unwrap()
}

#[test]
fn b066_a_log_starts_with_what_is_there() {
    let fs = sim();
    assert!(read(&fs, dir()).unwrap().is_none(), "no log is not an empty one");
    let mut log = create(&fs, &["sys", "hi"]);
    log.append_message(&user("yo"), &[], Durability::Written).unwrap();
    assert_eq!(replayed(&fs).unwrap(), ["sys", "hi", "yo"]);
    let again = EventLog::create(Arc::new(fs.clone()), dir(), options(), &Log::new(), &[]).unwrap_err();
    assert!(matches!(again, CreateError::Exists { .. }));
    assert_eq!(replayed(&fs).unwrap(), ["sys", "hi", "yo"]);
}

#[test]
fn b067_a_checkpoint_holds_the_list_it_is_given() {
    let fs = sim();
    let mut log = create(&fs, &["m0", "m1", "m2"]);
    let mut all: Vec<String> = ["m0", "m1", "m2"].map(str::to_owned).into();
    for number in 0..60 {
        all.push(format!("v{number}"));
        log.append_message(&user(&all[all.len() - 1]), &[place(0, 1), place(2, 3)], Durability::Written).unwrap();
        if log.checkpoint_due(0) {
            let main: Log = all.iter().map(|text| user(text)).collect();
            log.checkpoint(&main, &[]).unwrap();
        }
    }
    assert_eq!(replayed(&fs).unwrap(), all);
    let seqs: Vec<u64> = reading(&fs).events.iter().map(|event| event.seq.get()).collect();
    assert_eq!((seqs[0], seqs.len()), (51, 12), "one checkpoint after number 50, and what came since");
}

#[test]
fn b069_b070_an_undo_says_how_many_went() {
    let fs = sim();
    let mut log = create(&fs, &["one", "two", "/undo"]);
    log.undo(2, Durability::Written).unwrap();
    assert_eq!(replayed(&fs).unwrap(), ["one"]);
    assert!(written(&fs).contains("\"type\": \"undo\", \"payload\": {\"n\": 2}"));
    put(&fs, (append(1, "a") + &append(2, "b") + &event(3, "undo", "{\"n\": 5}")).as_bytes());
    assert_eq!(replayed(&fs), Some(vec![]), "more than there is, and an empty list is not none");
    put(&fs, (append(1, "a") + &event(2, "undo", "{\"n\": 0}")).as_bytes());
    assert_eq!(replayed(&fs).unwrap(), ["a"]);
}

#[test]
fn b072_the_next_number_is_above_every_one_ever_seen_and_a_newline_is_supplied() {
    let torn = "{\"seq\": 9, \"ts\": \"2026-01-02T03:04:05";
    let fs = sim_with(append(1, "a") + &append(7, "b") + torn);
    let mut log = resume(&fs);
    assert_eq!(log.append_message(&user("c"), &[], Durability::Written).unwrap(), Seq::new(8).unwrap());
    let text = written(&fs);
    assert!(text.contains(&format!("{torn}\n{{\"seq\": 8, ")), "{text}");
    assert_eq!(replayed(&fs).unwrap(), ["a", "b", "c"]);
    let falling = sim_with(append(9, "a") + &append(2, "b"));
    assert_eq!(resume(&falling).undo(0, Durability::Written).unwrap(), Seq::new(10).unwrap());
    let last = sim_with(append(u64::MAX, "a"));
    let error = resume(&last).append_message(&user("b"), &[], Durability::Written).unwrap_err();
    assert!(error.to_string().contains("highest number"), "{error}");
}

/// Reads a log and compares what it leads to, and what was found odd, as `line: code`.
#[track_caller]
fn check(log: impl AsRef<[u8]>, expected: Option<&[&str]>, oddities: &[&str]) {
    let fs = sim_with(log);
    let reading = reading(&fs);
    let found: Vec<String> = reading.report.iter().map(|o| format!("{}: {}", o.line, o.kind.code())).collect();
    assert_eq!(found, oddities, "{:?}", reading.report);
    let expected = expected.map(|texts| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>());
    assert_eq!(replayed(&fs), expected);
    // Whatever it holds, it can be gone on with, and nothing of it is lost by that.
    let before = bytes(&fs);
    let mut log = resume(&fs);
    let seq = log.append_message(&user("next"), &[], Durability::Synced).unwrap();
    assert_eq!(seq.get(), reading.highest().map_or(0, Seq::get) + 1);
    assert!(bytes(&fs).starts_with(&before));
    let mut longer = expected.unwrap_or_default();
    longer.push("next".to_owned());
    assert_eq!(replayed(&fs).unwrap(), longer);
}

#[test]
fn b073_each_odd_event_is_reported_and_the_others_replayed() {
    let between = |odd: &str| append(1, "a") + odd + &append(2, "b");
    for (odd, codes) in [
        ("[]\n", &["2: not-an-object"][..]),
        ("7\n", &["2: not-an-object"]),
        ("{\"type\":\"undo\"}\n", &["2: no-seq"]),
        (&event("\"2\"", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        (&event("true", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        (&event("-1", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        (&event("1.5", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        (&event("0", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        (&event("18446744073709551616", "undo", "{\"n\": 1}"), &["2: no-seq"]),
        ("{\"seq\": 1, \"ts\": \"\", \"type\": \"checkpoint\"}\n", &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "checkpoint", "[]"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "checkpoint", "{\"messages\": 1}"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "message_append", "{}"), &["2: bad-payload", "2: seq-repeats"]),
        (
            &event(1, "message_append", "{\"message\": {\"role\": \"user\"}}"),
            &["2: unreadable-message", "2: bad-payload", "2: seq-repeats"],
        ),
        (&event(1, "message_edit", "{\"messages\": {}}"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "undo", "{\"n\": \"one\"}"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "undo", "{\"n\": -1}"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "undo", "null"), &["2: bad-payload", "2: seq-repeats"]),
        (&event(1, "renamed", "{}"), &["2: unknown-type", "2: seq-repeats"]),
        ("{\"seq\": 1, \"payload\": {}}\n", &["2: no-type", "2: seq-repeats"]),
        ("{not json}\n", &["2: not-json"]),
        ("\n  \r\n", &[]),
        ("\0\0\0\n", &["2: only-nul"]),
        ("\"\u{1}\"\n", &["2: not-json"]),
    ] {
        let log = between(odd);
        check(&log, Some(&["a", "b"]), codes);
    }
}

#[test]
fn framing_that_gptme_loses_is_read() {
    let (a, b) = (append(1, "a"), append(2, "b"));
    check(["\u{feff}", &a, &b].concat(), Some(&["a", "b"]), &["1: byte-order-mark"]);
    check(["\0\0", &a, &b].concat(), Some(&["a", "b"]), &["1: nul-bytes"]);
    check([a.trim_end(), "\0\0\n", &b].concat(), Some(&["a", "b"]), &["1: nul-bytes"]);
    check([a.trim_end(), &b].concat(), Some(&["a", "b"]), &["1: several-values"]);
    check([&a.replace('\n', "\r\n"), b.trim_end()].concat(), Some(&["a", "b"]), &[]);
    check(["{\"seq\": 1, \"ts", &b].concat(), Some(&["b"]), &["1: not-json"]);
    check([&a, b.get(..60).unwrap()].concat(), Some(&["a"]), &["2: cut-short"]);
    check([&a, "\0\0\0\0"].concat(), Some(&["a"]), &["2: only-nul"]);
    check("", None, &[]);
    check("\n\n", None, &[]);
}

#[test]
fn values_in_any_spelling_are_read() {
    let log = concat!(
        "{\"payload\":{\"messages\":[{\"content\":\"a\",\"role\":\"user\"},{\"role\":\"user\"}]},\"type\":\"check\\u0070oint\",\"ts\":1,\"seq\":3}\n",
        "{ \"seq\" : 4, \"type\" : \"message_append\", \"payload\" : {\"x\": [1, {}], \"message\" : {\"role\":\"user\",\"content\":\"b\"} } , \"more\": null}\n",
        "{\"seq\": 5, \"type\": \"undo\", \"payload\": {}}\n",
    );
    check(log, Some(&["a"]), &["1: unreadable-message", "3: undo-without-count"]);
    let mut lossy = append(1, "a?c").into_bytes();
    let at = lossy.windows(3).position(|bytes| bytes == b"a?c").unwrap();
    lossy[at + 1] = 0xff;
    check(lossy, Some(&["a\u{fffd}c"]), &["1: invalid-utf8"]);
    check(append(1, "\\ud83d!"), Some(&["\u{fffd}!"]), &["1: lone-surrogate"]);
}

#[test]
fn b074_numbers_that_repeat_fall_or_leave_a_gap_are_reported_and_all_is_kept() {
    let log = [append(1, "a"), append(2, "b"), append(2, "b2"), append(3, "c")].concat();
    check(log, Some(&["a", "b", "b2", "c"]), &["3: seq-repeats"]);
    check(checkpoint(51, &["a"]) + &append(1, "b"), Some(&["a", "b"]), &["2: seq-falls"]);
    check(append(1, "a") + &append(5, "b") + &append(6, "c"), Some(&["a", "b", "c"]), &["2: seq-gap"]);
    check(append(51, "a") + &append(52, "b"), Some(&["a", "b"]), &[]);
}

#[test]
fn the_newest_checkpoint_that_can_be_read_counts() {
    let log = [
        append(1, "a"),
        checkpoint(2, &["b"]),
        append(3, "c"),
        event(4, "checkpoint", "{\"messages\": null}"),
        checkpoint(5, &["x"]).get(..90).unwrap().to_owned() + "\n",
        append(6, "d"),
    ];
    check(log.concat(), Some(&["b", "c", "d"]), &["4: bad-payload", "5: not-json", "6: seq-gap"]);
    let log = [append(1, "a"), event(2, "message_edit", &format!("{{\"messages\": [{}]}}", json("A"))), append(3, "b")];
    check(log.concat(), Some(&["A", "b"]), &[]);
}

/// gptme's own checkpoint grows a log without end where it is killed between writing and compacting.
#[test]
fn b077_after_a_checkpoint_older_events_are_gone_and_its_cost_is_that_of_the_list() {
    let fs = convlog_fs::Metered::new(sim());
    let messages: Log = (0..2_000).map(|number| user(&format!("message {number}"))).collect();
    let mut log = EventLog::create(Arc::new(fs.inner().clone()), dir(), options(), &messages, &[]).unwrap();
    for number in 0..100 {
        log.append_message(&user(&number.to_string()), &[], Durability::Written).unwrap();
    }
    drop(log);
    let resumed = read(&fs, dir()).unwrap().unwrap().resume();
    let fs = Arc::new(fs);
    let mut log = EventLog::resume(fs.clone(), dir(), options(), resumed).unwrap();
    let (before, old) = (fs.snapshot(), log.left().id);
    log.checkpoint(&messages, &[]).unwrap();
    let cost = fs.snapshot().since(&before);
    assert_eq!(cost.bytes_read(), 0);
    assert_eq!(cost.bytes_written(), log.left().len, "written once");
    assert_ne!(log.left().id, old, "a new file");
    assert_eq!(fs.stat(&path()).unwrap().len, log.left().len);
    assert_eq!(reading(fs.inner()).events.len(), 1);
}
