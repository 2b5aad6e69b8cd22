//! What must hold for every message and for any bytes at all.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

use std::io::BufReader;

use convlog_codec::json::{self, Style};
use convlog_codec::jsonl;
use convlog_message::{Message, Timestamp, arbitrary};
use proptest::collection::vec;
use proptest::prelude::*;

fn file_time() -> Timestamp {
    "2024-05-01T00:00:00+00:00".parse().unwrap()
}

fn line(message: &Message, style: Style) -> Vec<u8> {
    let mut line = Vec::new();
    jsonl::write_line(message, style, &mut line);
    line
}

/// Lines that are good, lines that are nearly so, and noise.
fn transcript() -> impl Strategy<Value = Vec<u8>> {
    let good = arbitrary::message().prop_map(|message| line(&message, Style::Gptme)).boxed();
    let utf8 = arbitrary::message().prop_map(|message| line(&message, Style::Utf8));
    let broken = (good.clone(), any::<prop::sample::Index>(), any::<Option<u8>>()).prop_map(|(mut line, at, byte)| {
        let at = at.index(line.len());
        match byte {
            Some(byte) => line[at] = byte,
            None => line.truncate(at),
        }
        line
    });
    let noise =
        prop_oneof![vec(any::<u8>(), 0..20), Just(vec![0; 9]), Just(b"\xef\xbb\xbf".to_vec()), Just(b"\r\n".to_vec())];
    vec(prop_oneof![3 => good, 1 => utf8, 3 => broken, 2 => noise], 0..6).prop_map(|lines| lines.concat())
}

/// A skimmed message, read as a whole; what was skimmed of it must agree.
fn whole(skimmed: jsonl::Skimmed<'_>) -> Message {
    match skimmed {
        jsonl::Skimmed::Odd(entry) => entry.message,
        jsonl::Skimmed::Plain(skim) => {
            let message = skim.message().unwrap();
            assert_eq!((message.role(), message.timestamp()), (skim.role(), skim.timestamp()));
            assert_eq!(jsonl::Figures::of(message.metadata()), *skim.figures());
            let content = [b"\"", skim.raw_content(), b"\""].concat();
            assert_eq!(json::parse(&content).unwrap().value.as_str(), Some(message.content()));
            message
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_message_comes_back_from_its_line_equal_in_every_stored_field(message in arbitrary::message()) {
        for style in [Style::Gptme, Style::Utf8] {
            let line = line(&message, style);
            prop_assert_eq!(line.iter().filter(|b| **b == b'\n').count(), 1);
            let reading = jsonl::read(&line, &file_time());
            prop_assert!(reading.report.skipped().next().is_none());
            prop_assert_eq!(reading.log.len(), 1);
            let back = reading.log.first().unwrap();
            prop_assert!(back.is_stored_alike(&message), "{:?}\n{:?}", back.clone().into_parts(), message.clone().into_parts());
        }
    }

    /// Skimming finds the same messages and the same oddities as reading, from the start or from any line on.
    #[test]
    fn skimming_is_reading(bytes in transcript(), capacity in 1..100_usize) {
        let reading = jsonl::read(&bytes, &file_time());
        let mut skimmer = jsonl::Skimmer::new(BufReader::with_capacity(capacity, bytes.as_slice()), file_time());
        let mut found = Vec::new();
        let mut position = Some(jsonl::Position::default());
        while skimmer.next_line(|message| found.push(whole(message))).unwrap() {
            if let Some(at) = position.filter(|at| at.offset > 0) {
                let rest = &bytes[at.offset as usize..];
                let mut resumed = jsonl::Skimmer::resume(rest, file_time(), at);
                let mut next = Vec::new();
                resumed.next_line(|message| next.push(whole(message))).unwrap();
                prop_assert!(found.ends_with(&next));
            }
            position = skimmer.position();
        }
        prop_assert_eq!(found.len(), reading.log.len());
        prop_assert!(found.iter().zip(&reading.log).all(|(left, right)| left.is_identical(right)));
        prop_assert_eq!(format!("{:?}", skimmer.into_parts().1), format!("{:?}", reading.report));
    }

    #[test]
    fn gptmes_own_lines_need_nothing_kept(message in arbitrary::message()) {
        // What only a reader of gptme's lines cannot know: keys and times that gptme would not write so.
        let plain = message.clone().with_extra(Default::default());
        prop_assume!(plain.timestamp().is_canonical() && json_is_canonical(&plain));
        let line = line(&plain, Style::Gptme);
        let reading = jsonl::read(&line, &file_time());
        prop_assert!(reading.log.first().unwrap().source().is_none());
    }

    #[test]
    fn any_bytes_are_read_and_written_back_without_changing_a_good_line(bytes in transcript()) {
        let reading = jsonl::read(&bytes, &file_time());
        let mut written = Vec::new();
        for message in &reading.log {
            let one = line(message, Style::Gptme);
            let object = &one[..one.len() - 1];
            prop_assert!(bytes.windows(object.len()).any(|window| window == object));
            written.extend_from_slice(&one);
        }
        // Once more: the same messages, and nothing that would be skipped.
        let again = jsonl::read(&written, &file_time());
        prop_assert!(again.report.skipped().next().is_none());
        prop_assert_eq!(again.log.len(), reading.log.len());
        prop_assert!(again.log.iter().zip(&reading.log).all(|(a, b)| a.is_identical(b)));
    }

    #[test]
    fn from_the_end_it_is_the_same(bytes in transcript()) {
        let forward = jsonl::read(&bytes, &file_time());
        let tail = jsonl::TailReader::new(std::io::Cursor::new(&bytes), file_time()).unwrap();
        let backward: Vec<_> = tail.map(|entry| entry.unwrap().message).collect();
        prop_assert_eq!(backward.len(), forward.log.len());
        prop_assert!(backward.iter().rev().zip(&forward.log).all(|(a, b)| a.is_identical(b)));
    }

    #[test]
    fn json_of_any_value_comes_back(value in arbitrary::value()) {
        for style in [Style::Gptme, Style::Utf8] {
            let mut text = Vec::new();
            json::write_value(&value, style, &mut text);
            prop_assert!(serde_json::from_slice::<serde_json::Value>(&text).is_ok() || overflows(&text));
            prop_assert_eq!(&json::parse(&text).unwrap().value, &value);
        }
    }

    #[test]
    fn what_serde_json_takes_is_taken(bytes in vec(prop::sample::select(b"{}[]\",:0123456789.eE+-tfn \\u\x00a".to_vec()), 0..24)) {
        let theirs = serde_json::from_slice::<serde_json::Value>(&bytes).is_ok();
        let ours = json::parse(&bytes).is_ok_and(|parsed| parsed.rest.trim_ascii().is_empty());
        prop_assert!(ours || !theirs);
    }
}

/// serde_json refuses numbers beyond the range of a double.
fn overflows(text: &[u8]) -> bool {
    text.windows(5).any(|window| window == b"1e400")
}

fn json_is_canonical(message: &Message) -> bool {
    let mut text = Vec::new();
    json::write_object(message.metadata().as_object(), Style::Gptme, &mut text);
    let text = String::from_utf8(text).unwrap();
    !["1.50", "1E5", "-0", "1e400", "0.1e-7"].iter().any(|odd| text.contains(odd))
}
