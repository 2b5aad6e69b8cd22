//! Random operations, and what the log then leads to, beside a plain list.
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
use convlog_eventlog::{Append, EventLog, replay_to_last_convlog, verify};
use convlog_fs::Durability;
use convlog_fs::sim::SimFs;
use convlog_message::arbitrary;
use convlog_message::{Log, Message};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Append(Message),
    Batch(Vec<Message>),
    Undo(usize),
    Edit(Log),
    View,
    Close,
    Checkpoint,
    Compact,
    Sync,
    Reopen,
    /// Another program appends.
    Foreign(Message),
    /// Another program is killed while it appends.
    Torn,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => arbitrary::message().prop_map(Step::Append),
        1 => prop::collection::vec(arbitrary::message(), 0..4).prop_map(Step::Batch),
        2 => (0..3_usize).prop_map(Step::Undo),
        1 => arbitrary::log().prop_map(Step::Edit),
        1 => prop::sample::select(vec![Step::View, Step::Close, Step::Checkpoint, Step::Compact, Step::Sync]),
        1 => Just(Step::Reopen),
        1 => arbitrary::message().prop_map(Step::Foreign),
        1 => Just(Step::Torn),
    ]
}

fn run(fs: &SimFs, log: &mut EventLog, model: &mut Vec<Message>, step: Step) {
    match step {
        Step::Append(message) => {
            log.append_message(&message, &[place(1, 2)], Durability::Written).unwrap();
            model.push(message);
        }
        Step::Batch(messages) => {
            let batch: Vec<_> = messages.iter().map(|message| Append::new(message, &[])).collect();
            log.append_batch(&batch, Durability::Synced).unwrap();
            model.extend(messages);
        }
        Step::Undo(count) => {
            log.undo(count as u64, Durability::Written).unwrap();
            model.truncate(model.len().saturating_sub(count));
        }
        Step::Edit(messages) => {
            log.edit(&messages, Durability::Written).unwrap();
            *model = messages.iter().cloned().collect();
        }
        Step::View => drop(log.view(&convlog_message::json::Value::Null, Durability::Written).unwrap()),
        Step::Close => drop(log.close(&[], Durability::Written).unwrap()),
        Step::Checkpoint => drop(log.checkpoint(&model.iter().cloned().collect(), &[]).unwrap()),
        Step::Compact => drop(log.compact().unwrap()),
        Step::Sync => log.sync().unwrap(),
        Step::Reopen => *log = resume(fs),
        Step::Foreign(message) => {
            let mut json = Vec::new();
            convlog_codec::jsonl::write_message(&message, convlog_codec::json::Style::Gptme, &mut json);
            let seq = reading(fs).highest().map_or(0, convlog_eventlog::Seq::get) + 1;
            let line = event(seq, "message_append", &format!("{{\"message\": {}}}", String::from_utf8(json).unwrap()));
            let mut all = bytes(fs);
            if all.last() != Some(&b'\n') {
                all.push(b'\n');
            }
            all.extend(line.into_bytes());
            put(fs, &all);
            assert!(log.undo(0, Durability::Written).is_err(), "the foreign line is noticed");
            *log = resume(fs);
            model.push(message);
        }
        Step::Torn => {
            let mut all = bytes(fs);
            all.extend(b"{\"seq\": 9, \"ts\": \"2026");
            put(fs, &all);
            *log = resume(fs);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_log_leads_to_the_list(initial in arbitrary::log(), steps in prop::collection::vec(step(), 0..14)) {
        let fs = sim();
        let mut log = EventLog::create(std::sync::Arc::new(fs.clone()), dir(), options(), &initial, &[]).unwrap();
        let mut model: Vec<Message> = initial.iter().cloned().collect();
        let mut last = 1;
        for step in steps {
            run(&fs, &mut log, &mut model, step);
            let reading = reading(&fs);
            let found = reading.replay().unwrap();
            prop_assert_eq!(found.len(), model.len());
            for (found, expected) in found.iter().zip(&model) {
                prop_assert!(found.is_stored_alike(&storable(expected)), "{:?} {:?}", found, expected);
            }
            prop_assert!(verify(&reading).is_intact(), "{:?}", verify(&reading));
            prop_assert!(reading.highest().unwrap().get() >= last, "numbers never fall");
            last = reading.highest().unwrap().get();
            prop_assert_eq!(reading.highest(), log.last_seq());
            let until = reading.last_convlog().unwrap();
            prop_assert_eq!(
                replay_to_last_convlog(&reading.events).map(|log| log.len()),
                convlog_eventlog::replay(&reading.events[..=until]).map(|log| log.len())
            );
        }
    }

    #[test]
    fn any_bytes_are_read_and_can_be_gone_on_with(pieces in prop::collection::vec(piece(), 0..12)) {
        let all = pieces.concat();
        let fs = sim_with(&all);
        let before = reading(&fs);
        let mut log = resume(&fs);
        log.append_message(&user("next"), &[], Durability::Written).unwrap();
        let after = reading(&fs);
        prop_assert!(bytes(&fs).starts_with(&all));
        prop_assert_eq!(after.events.len(), before.events.len() + 1);
        prop_assert_eq!(after.replay().unwrap(), before.replay().unwrap_or_default().append(user("next")));
        prop_assert!(after.events.last().unwrap().seq > before.highest().unwrap_or(convlog_eventlog::Seq::FIRST) || before.events.is_empty());
        prop_assert!(after.ends_with_convlog());
        log.checkpoint(&after.replay().unwrap(), &[]).unwrap();
        prop_assert_eq!(reading(&fs).replay(), after.replay());
    }
}

/// What of a message is stored.
fn storable(message: &Message) -> Message {
    let mut parts = message.clone().into_parts();
    parts.quiet = false;
    parts.terminal_display_content = None;
    parts.into()
}

/// A piece of a log, whole or broken.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let whole = || {
        prop_oneof![
            (0..9_u64, "[a-z]{0,3}").prop_map(|(seq, text)| append(seq, &text)),
            (0..9_u64).prop_map(|seq| checkpoint(seq, &["a", "b"])),
            (0..9_u64, 0..3_u64).prop_map(|(seq, n)| event(seq, "undo", &format!("{{\"n\": {n}}}"))),
            Just(stamped()),
        ]
        .prop_map(String::into_bytes)
    };
    prop_oneof![
        4 => whole(),
        2 => (whole(), any::<prop::sample::Index>()).prop_map(|(line, cut)| line[..cut.index(line.len())].to_vec()),
        2 => (whole(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, at, byte)| {
            let at = at.index(line.len());
            line[at] = byte;
            line
        }),
        1 => prop::collection::vec(any::<u8>(), 0..8),
        1 => prop::sample::select(vec!["\n", "\r\n", "\0\0", "{", "[]", "}\n", "\u{feff}", "{\"seq\""]).prop_map(|text| text.as_bytes().to_vec()),
    ]
}

/// A line as convlog writes it, at a place where its hash does not fit.
fn stamped() -> String {
    let fs = sim();
    create(&fs, &["x"]).append_message(&user("y"), &[place(3, 4)], Durability::Written).unwrap();
    String::from_utf8(bytes(&fs)).unwrap().split_inclusive('\n').nth(1).unwrap().to_owned()
}
