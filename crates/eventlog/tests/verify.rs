//! The hash chain: what a stranger computes from the crate's page, and that no changed byte goes unnoticed.
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

use common::*;
use convlog_eventlog::{ChainState, Compacted, FileFigures, MisfitKind, verify};
use convlog_fs::{Durability, FileSystem};
use convlog_message::json::Value;

/// A small log with each kind of event, and lines by gptme between.
fn small() -> Vec<u8> {
    let fs = sim();
    let mut log = create(&fs, &["one \"quoted\" é"]);
    log.append_message(&user("two"), &[place(10, 90)], Durability::Written).unwrap();
    drop(log);
    let mut bytes = bytes(&fs);
    bytes.extend(append(3, "three").into_bytes());
    bytes.extend(event(4, "undo", "{\"n\": 1}").into_bytes());
    put(&fs, &bytes);
    let mut log = resume(&fs);
    log.undo(1, Durability::Written).unwrap();
    log.view(&Value::Object([("view", "compacted-001")].into_iter().collect()), Durability::Written).unwrap();
    log.edit(&log_of(&["1", "2"]), Durability::Written).unwrap();
    let figures = FileFigures::new("conversation.jsonl", &fs.stat(&path()).unwrap(), 1);
    log.close(&[figures], Durability::Written).unwrap();
    common::bytes(&fs)
}

/// The rule of the crate's page, written down once more and apart.
#[test]
fn a_stranger_can_check_each_hash() {
    let bytes = small();
    let (mut before, mut from, mut checked) = ([0_u8; 32], 0, 0);
    let mut at = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = std::str::from_utf8(line).unwrap();
        if let Some(key) = text.rfind("\"hash\": \"").filter(|_| text.contains("\"convlog\": {\"v\": 1, ")) {
            let digits = &text[key + 9..key + 73];
            let mut covered = before.to_vec();
            covered.extend(&bytes[from..at + key]);
            let hash = blake3::hash(&covered);
            assert_eq!(hash.to_hex().as_str(), digits);
            (before, from) = (*hash.as_bytes(), at + key + 74);
            checked += 1;
        }
        at += line.len();
    }
    assert_eq!(checked, 6);
}

#[test]
fn an_intact_log_has_no_findings_and_its_events_fit() {
    let fs = sim_with(small());
    let reading = reading(&fs);
    assert!(verify(&reading).is_intact(), "{:?}", verify(&reading));
    assert!(reading.report.is_empty(), "{:?}", reading.report);
    assert!(reading.events.iter().all(|event| event.chain == ChainState::Fits));
}

#[test]
fn each_changed_byte_is_found() {
    let bytes = small();
    let end = bytes.len() - "}}\n".len();
    for at in 0..end {
        for change in [0x01_u8, 0x20, bytes[at], bytes[at] ^ b'\n'] {
            if change == 0 {
                continue;
            }
            let mut changed = bytes.clone();
            changed[at] ^= change;
            let verification = verify(&reading(&sim_with(&changed)));
            let Some(found) = verification.first() else {
                panic!(
                    "byte {at} (line of it {:?}) ^ {change:#x} goes unnoticed: {verification:?}",
                    line_of(&bytes, at)
                );
            };
            let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
            let stamped = match found.kind {
                MisfitKind::Changed { stamped_line } => stamped_line,
                _ => found.line,
            };
            assert!(found.line <= line + 1 && line <= stamped + 1, "byte {at} on line {line}: {found}");
        }
    }
}

#[test]
fn each_missing_or_added_byte_is_found() {
    let bytes = small();
    let end = bytes.len() - "}}\n".len();
    for at in 0..end {
        let mut shorter = bytes.clone();
        shorter.remove(at);
        assert!(!verify(&reading(&sim_with(&shorter))).is_intact(), "byte {at} removed: {:?}", line_of(&bytes, at));
        for added in [b' ', b'\n', b'"'] {
            let mut longer = bytes.clone();
            longer.insert(at, added);
            assert!(!verify(&reading(&sim_with(&longer))).is_intact(), "{added} before byte {at}");
        }
    }
}

#[test]
fn each_missing_line_but_the_last_is_found() {
    let bytes = small();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    for missing in 0..lines.len() - 1 {
        let rest: Vec<&[u8]> =
            lines.iter().enumerate().filter(|(at, _)| *at != missing).map(|(_, line)| *line).collect();
        assert!(!verify(&reading(&sim_with(rest.concat()))).is_intact(), "line {missing}");
    }
}

fn line_of(bytes: &[u8], at: usize) -> String {
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    String::from_utf8_lossy(&bytes[start..(at + 20).min(bytes.len())]).into_owned()
}

#[test]
fn what_comes_after_convlogs_last_line_is_a_note() {
    let mut bytes = small();
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    bytes.extend(append(9, "by gptme").into_bytes());
    bytes.extend(b"{\"seq\": 10, \"ts\": \"20");
    let fs = sim_with(&bytes);
    let reading = reading(&fs);
    let verification = verify(&reading);
    assert!(verification.is_intact(), "{verification:?}");
    let notes: Vec<String> = verification.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].contains("cut short"), "{notes:?}");
    assert!(notes[1].contains("1 events by another program"), "{notes:?}");
    assert_eq!(verification.notes[1].line, lines + 1);
    assert_eq!(reading.events.last().unwrap().chain, ChainState::Uncovered);
}

#[test]
fn the_chain_goes_on_over_convlogs_checkpoint_and_starts_anew_after_a_foreign_one() {
    let fs = sim_with(small());
    resume(&fs).checkpoint(&log_of(&["1", "2"]), &[]).unwrap();
    let stamp = reading(&fs).events[0].convlog.clone().unwrap();
    let old = small();
    let at = String::from_utf8(old.clone()).unwrap().rfind("\"hash\": \"").unwrap();
    let mut carried = reading(&sim_with(&old)).events.last().unwrap().convlog.clone().unwrap().hash.as_bytes().to_vec();
    carried.extend(&old[at + 74..]);
    assert_eq!(stamp.carries.unwrap().to_string(), blake3::hash(&carried).to_hex().to_string());

    let fs = sim_with(checkpoint(51, &["a"]) + &append(52, "b"));
    let verification = verify(&reading(&fs));
    assert!(verification.is_intact());
    assert_eq!(verification.notes[0].kind, MisfitKind::Foreign);
    resume(&fs).append_message(&user("c"), &[], Durability::Written).unwrap();
    let verification = verify(&reading(&fs));
    assert!(verification.is_intact());
    assert!(matches!(verification.notes[0].kind, MisfitKind::ForeignStart { .. }));
}

#[test]
fn compaction_keeps_the_bytes_and_makes_no_hash_for_what_was_changed() {
    let mut bytes = small();
    let first = bytes.clone();
    bytes.extend(checkpoint(9, &["x"]).into_bytes());
    bytes.extend(append(10, "y").into_bytes());
    let fs = sim_with(&bytes);
    let mut log = resume(&fs);
    log.append_message(&user("z"), &[place(1, 2)], Durability::Written).unwrap();
    let before = reading(&fs);
    assert!(matches!(log.compact().unwrap(), Compacted::Dropped { bytes } if bytes == first.len() as u64));
    assert_eq!(log.compact().unwrap(), Compacted::Nothing);
    let after = reading(&fs);
    assert!(verify(&after).is_intact(), "{:?}", verify(&after));
    assert_eq!(texts(&after.replay().unwrap()), texts(&before.replay().unwrap()));
    assert_eq!(after.events.len(), 3);
    assert_eq!(after.events[2].convlog.as_ref().unwrap().places, [place(1, 2)]);
    log.append_message(&user("zz"), &[], Durability::Written).unwrap();
    assert!(verify(&reading(&fs)).is_intact());
    assert!(common::bytes(&fs).starts_with(checkpoint(9, &["x"]).as_bytes()));

    let content = String::from_utf8_lossy(&bytes).find("one").unwrap();
    bytes[content] ^= 1;
    let fs = sim_with(&bytes);
    let error = resume(&fs).compact().unwrap_err();
    assert!(matches!(error, convlog_eventlog::CompactError::Damaged { line: 1, .. }), "{error:?}");
    assert_eq!(common::bytes(&fs), bytes);
}
