//! Tables that gptme 0.35.1 and its libraries made: times, floats, single lines.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

mod common;

use common::{rows, text};
use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_message::json::Number;
use convlog_message::{Message, Timestamp};

/// Forms that dateutil reads only because Python's `int` takes blanks, signs and underscores. Not meant
/// by anybody; docs/differences.md lists them.
fn is_pythons_int_at_work(text: &str) -> bool {
    let second = text.get(1..).unwrap_or_default();
    let in_date = text.get(..10).is_some_and(|date| date.contains(['_', '+', ' ']));
    in_date
        || text.starts_with(' ')
        || second.contains("+ ")
        || [":+", ": ", "T ", "++", "-+", "+-", "0 :", "+05-30", "+05:3", "-1_", "-+01", "-1_0"]
            .iter()
            .any(|odd| text.contains(odd))
        || text.ends_with(":5")
}

/// Forms that convlog reads beyond dateutil (FORMAT §2): a leap second, a blank before the offset, an
/// offset with seconds.
fn is_read_beyond_dateutil(text: &str) -> bool {
    text.contains(":60") || text.contains(" Z") || text.contains(" +") || text.matches(':').count() > 3
}

#[test]
fn timestamps_are_read_as_dateutil_reads_them() {
    let mut read = 0;
    for row in rows("oracle/timestamps.json") {
        let given = text(&row, "text").unwrap();
        let found = given.parse::<Timestamp>().ok();
        if let Some(time) = &found {
            assert_eq!(time.to_string(), given, "the text is kept");
            read += 1;
        }
        match (found.map(|time| time.isoformat()), text(&row, "iso")) {
            (None, Some(_)) => assert!(is_pythons_int_at_work(given), "{given:?} is not read"),
            (Some(found), None) => assert!(is_read_beyond_dateutil(given), "{given:?} is read as {found}"),
            (found, expected) => assert_eq!(found.as_deref(), expected, "{given:?}"),
        }
    }
    assert!(read > 100);
}

#[test]
fn floats_are_written_as_python_writes_them() {
    for row in rows("oracle/floats.json") {
        let value = f64::from_bits(u64::from_str_radix(text(&row, "bits").unwrap(), 16).unwrap());
        let expected = text(&row, "repr").unwrap();
        assert_eq!(Number::from_f64(value).unwrap().text(), expected);
        assert!(expected.parse::<Number>().unwrap().is_canonical(), "{expected}");
    }
}

/// Each line that gptme reads, convlog reads; each is written back byte for byte; and a line that is what
/// gptme writes is written in the same bytes when made anew.
#[test]
fn single_lines() {
    let mut canonical = 0;
    for row in rows("oracle/lines.json") {
        let (about, line) = (text(&row, "about").unwrap(), text(&row, "line").unwrap());
        let Some(written) = text(&row, "written") else { continue };
        let reading = jsonl::read(line.as_bytes(), &"2026-03-01T12:00:00+00:00".parse().unwrap());
        let [message] = reading.log.iter().collect::<Vec<_>>()[..] else { panic!("{about}: no message") };
        assert_eq!(bytes(message), line.trim(), "{about}: kept");
        if line == written && reading.report.is_empty() && !about.contains("not a number") {
            let anew = message.clone().with_content(message.content());
            assert_eq!(bytes(&anew), written, "{about}: made anew");
            canonical += 1;
        }
    }
    assert!(canonical > 10);
}

fn bytes(message: &Message) -> String {
    let mut out = Vec::new();
    jsonl::write_message(message, Style::Gptme, &mut out);
    String::from_utf8(out).unwrap()
}
