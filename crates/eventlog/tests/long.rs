//! Logs that are long enough to be read on several threads: the same comes out.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use common::*;
use convlog_eventlog::{ChainState, EventKind, verify};
use convlog_fs::Durability;
use convlog_message::json::{Object, Value};
use convlog_message::{Log, Message};

#[test]
fn many_lines_are_joined_as_they_stand_in_the_file() {
    let fs = sim();
    let mut log = create(&fs, &["start"]);
    let text = "x".repeat(900);
    for number in 0..2_000 {
        log.append_message(&user(&format!("{number} {text}")), &[place(1, 2)], Durability::Written).unwrap();
    }
    drop(log);
    let mut all = bytes(&fs);
    // Odd lines here and there, and foreign ones at the end.
    let lines: Vec<String> = String::from_utf8(all).unwrap().split_inclusive('\n').map(str::to_owned).collect();
    let intact = reading(&fs);
    assert!(intact.report.is_empty() && verify(&intact).is_intact());
    assert_eq!(intact.events.len(), lines.len());
    for (number, event) in intact.events.iter().enumerate() {
        assert_eq!((event.line, event.seq.get()), (number as u64 + 1, number as u64 + 1));
        assert_eq!(event.chain, ChainState::Fits);
    }
    let odd = [(3, "{torn\n"), (700, "\0\0\n"), (701, "[]\n"), (1_500, "{\"seq\": 9}\n")];
    let mut with_odd = String::new();
    for (number, line) in lines.iter().enumerate() {
        with_odd.extend(odd.iter().filter(|(at, _)| *at == number).map(|(_, odd)| *odd));
        with_odd.push_str(line);
    }
    with_odd.push_str(&append(5_000, "last"));
    all = with_odd.into_bytes();
    put(&fs, &all);
    let reading = reading(&fs);
    let found: Vec<String> = reading.report.iter().map(|o| format!("{} {}", o.line, o.kind.code())).collect();
    let expected =
        ["4 not-json", "702 only-nul", "704 not-an-object", "1504 no-type", "1504 seq-falls", "2006 seq-gap"];
    assert_eq!(found, expected);
    assert_eq!(reading.replay().unwrap().len(), 2_002);
    let findings: Vec<u64> = verify(&reading).findings.iter().map(|finding| finding.line).collect();
    assert_eq!(findings, [4, 702, 704, 1_504], "each at the line that was put in");
    let broken = reading.events.iter().filter(|event| event.chain == ChainState::Broken).count();
    assert_eq!(broken, 5, "the lines behind them, and the event put in");
    assert_eq!(reading.events.last().unwrap().chain, ChainState::Uncovered);
    assert!(!reading.ends_with_convlog());
}

#[test]
fn a_long_list_is_joined_as_it_stands() {
    let text = "y".repeat(900);
    let seam: Object = [("role", Value::from("a")), ("x", Value::from("b"))].into_iter().collect();
    let nested = Value::Array(vec![Value::Object(seam.clone()); 40]);
    let plain: Vec<Message> = (0..800).map(|number| user(&format!("{number} {text} é \" 😀"))).collect();
    let lists: [Vec<Message>; 3] = [
        plain.clone(),
        plain.iter().map(|message| message.clone().with_extra([("m", nested.clone())].into_iter().collect())).collect(),
        plain
            .iter()
            .enumerate()
            .map(|(number, message)| match number % 9 {
                0 => message.clone().with_metadata(Object::from_iter([("m", nested.clone())]).into()),
                _ => message.clone(),
            })
            .collect(),
    ];
    for list in lists {
        let log: Log = list.iter().cloned().collect();
        let fs = sim();
        let mut events = create(&fs, &[]);
        events.checkpoint(&log, &[]).unwrap();
        events.append_message(&user("more"), &[], Durability::Written).unwrap();
        let reading = reading(&fs);
        let EventKind::Checkpoint(found) = &reading.events[0].kind else { panic!() };
        assert_eq!(found.len(), list.len());
        assert!(found.iter().zip(&list).all(|(found, message)| found.is_stored_alike(message)));
        assert!(verify(&reading).is_intact());
        // What is odd about a message is reported with its place in the list.
        let odd: Vec<usize> = reading
            .report
            .iter()
            .map(|oddity| match oddity.kind {
                convlog_eventlog::OddityKind::OddMessage { index, .. } => index,
                ref other => panic!("{other:?}"),
            })
            .collect();
        let expected: Vec<usize> = (0..list.len()).filter(|index| !list[*index].extra().is_empty()).collect();
        assert_eq!(odd, expected);
    }
}
