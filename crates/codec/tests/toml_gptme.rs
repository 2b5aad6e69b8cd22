//! gptme 0.35.1 reads convlog's TOML, and convlog gptme's, over generated logs.
//!
//! Needs an interpreter with gptme: `CONVLOG_GPTME_PYTHON`, or `target/gptme-0.35.1/bin/python` in the
//! workspace. The differences that are meant stand in `docs/differences.md`, section "TOML".
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]
#![cfg(feature = "toml")]

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use convlog_codec::json::Style;
use convlog_codec::{jsonl, toml};
use convlog_message::json::{Object, Value as Json};
use convlog_message::{Log, Message, Metadata, Timestamp, Zone, arbitrary};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};

const LOGS: usize = 1_500;

/// The script `gptme/toml.py`, running.
struct Gptme(Child, Option<ChildStdin>, BufReader<ChildStdout>);

impl Gptme {
    /// Starts it. Without an interpreter says so, and in CI fails.
    fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let given = std::env::var_os("CONVLOG_GPTME_PYTHON").map(PathBuf::from);
        let python = given.unwrap_or_else(|| root.join("../../target/gptme-0.35.1/bin/python"));
        if !python.exists() {
            let reason = format!("no gptme at {}; name its interpreter in CONVLOG_GPTME_PYTHON", python.display());
            assert!(std::env::var_os("CI").is_none(), "{reason}");
            // Not `eprintln`, which the test harness would keep to itself.
            let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
            return None;
        }
        let mut command = Command::new(python);
        command.arg(root.join("tests/gptme/toml.py")).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let (input, output) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Some(Self(child, input, output))
    }

    fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.1.as_mut().unwrap(), "{question}").unwrap();
        let mut answer = String::new();
        self.2.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error} after {question}"))
    }
}

impl Drop for Gptme {
    fn drop(&mut self) {
        self.1 = None;
        let _ = self.0.wait();
    }
}

fn line(message: &Message) -> String {
    let mut line = Vec::new();
    jsonl::write_message(message, Style::Gptme, &mut line);
    String::from_utf8(line).unwrap()
}

/// The time as gptme can know it: to the second of its offset's minute, which it has to be given in UTC.
fn time_for_gptme(time: &Timestamp) -> String {
    match time.offset() {
        Some(offset) if offset.seconds_past_minute() != 0 => Timestamp::with_offset(time.to_utc(Zone::UTC)).isoformat(),
        _ => time.isoformat(),
    }
}

/// What gptme's reader should give for a message; its list reader drops `ephemeral_ttl`.
fn expected(message: &Message) -> Value {
    json!({
        "role": message.role().as_str(),
        "content": message.content(),
        "timestamp": time_for_gptme(message.timestamp()),
        "flags": [message.pinned(), message.hide(), message.ui_only()],
        "files": message.files().len(),
        "file_hashes": message.file_hashes().collect::<std::collections::BTreeMap<_, _>>(),
        "call_id": message.call_id(),
        "same_metadata": true,
    })
}

/// `gptme_loses`: what its writer cannot say of a message.
fn gptme_loses(message: &Message) -> bool {
    let unescaped = |text: &str| text.contains(['"', '\\', '\u{7f}']) || text.contains(|c| c < ' ');
    fn any(value: &Json, test: &impl Fn(&str, &Json) -> bool) -> bool {
        match value {
            Json::Array(values) => values.iter().any(|value| any(value, test) || test("", value)),
            Json::Object(object) => object.iter().any(|(key, value)| any(value, test) || test(key, value)),
            _ => false,
        }
    }
    let metadata = Json::Object(message.metadata().as_object().clone());
    let is_cut =
        |value: &Json| value.as_number().is_some_and(|number| number.as_i64().is_none() || !number.is_canonical());
    line(message).contains("[message]") // becomes `[[messages]]`
        || message.content().contains("\\n") // the backslash then joins the lines
        || unescaped(message.role().as_str())
        || message.call_id().is_some_and(unescaped)
        || any(&metadata, &|key, value| unescaped(key) || is_cut(value))
        || !message.extra().is_empty()
        || !message.timestamp().is_canonical()
}

/// The message without most of what gptme's writer loses, so that enough is left to compare.
fn tame(message: &Message) -> Message {
    let text = |text: &str| text.replace("\\n", "").replace("[message]", "[]");
    let plain = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let hashes: Vec<_> = message.file_hashes().map(|(file, hash)| (text(file), hash)).collect();
    let hard: Object = [("true", Json::from(true)), ("none", Json::Null), ("text", text(message.content()).into())]
        .into_iter()
        .collect();
    Message::new(
        plain(message.role().as_str()).as_str(),
        text(message.content()),
        Timestamp::naive(message.timestamp().local()),
    )
    .with_file_hashes(hashes)
    .with_pinned(message.pinned())
    .with_hide(message.hide())
    .with_ui_only(message.ui_only())
    .with_ephemeral_ttl(message.ephemeral_ttl())
    .with_call_id(message.call_id().map(plain).as_deref())
    .with_metadata(if message.hide() {
        Metadata::from(hard)
    } else {
        Metadata::new().with("big", u64::from(message.pinned()))
    })
}

/// Normalised by Python's `Path` when gptme reads the line, which is before it writes TOML.
fn without_files(message: &Message) -> Message {
    message.clone().with_files(Vec::<String>::new())
}

#[test]
fn gptme_reads_ours_and_we_read_gptmes() {
    let Some(mut gptme) = Gptme::start() else { return };
    let now: Timestamp = "2026-03-01".parse().unwrap();
    let mut runner = TestRunner::deterministic();
    let (mut lossless, mut only_we) = (0, 0);
    for index in 0..LOGS {
        let mut log: Log = arbitrary::log().new_tree(&mut runner).unwrap().current();
        if index % 3 == 0 {
            log = log.iter().map(tame).collect();
        }
        if log.is_empty() {
            continue;
        }
        let ours = toml::write_log(&log);
        let lines: Vec<_> = log.iter().map(line).collect();
        let answer =
            gptme.ask(&json!({ "toml": ours, "single": toml::write_message(log.first().unwrap()), "lines": lines }));
        let wanted: Value = log.iter().map(expected).collect();
        assert_eq!(answer["read"], wanted, "{ours}");
        assert_eq!(answer["single"][0], wanted[0], "{ours}");

        let Some(written) = answer["written"].as_str() else { continue };
        let read = toml::read_log(written, &now);
        if let Some(theirs) = answer["reread"].as_array() {
            let read = read.as_ref().unwrap_or_else(|error| panic!("{error}\n{written}"));
            for (theirs, message) in theirs.iter().zip(read) {
                let mut wanted = expected(message);
                wanted["same_metadata"] = theirs["same_metadata"].clone();
                assert_eq!(*theirs, wanted, "{written}");
            }
        } else {
            only_we += usize::from(read.is_ok());
        }
        if !log.iter().any(gptme_loses) {
            let read = read.unwrap_or_else(|error| panic!("{error}\n{written}"));
            for (message, original) in read.iter().zip(&log) {
                let same = without_files(message).is_stored_alike(&without_files(original));
                assert!(same, "{written}\n{:?}\n{:?}", message.clone().into_parts(), original.clone().into_parts());
            }
            lossless += 1;
        }
    }
    println!(
        "{lossless} logs came back from gptme's own TOML whole; {only_we} that gptme cannot read back, convlog can"
    );
    assert!(lossless > 300 && only_we > 200, "{lossless} {only_we}");
}

/// 1,000 messages out and in, convlog beside gptme: `cargo test --release --test toml_gptme -- --ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn speed_beside_gptme() {
    let Some(mut gptme) = Gptme::start() else { return };
    let words =
        "the parser fails on an \"empty\" list because it reads naïve 日本 self.items[0]\n    return None  # C:\\dir\n";
    let log: Log = (0..1_000_usize)
        .map(|index| {
            let role = ["user", "assistant", "system"][index % 3];
            let time = format!("2026-01-02T{:02}:{:02}:05.123456", index / 60, index % 60);
            let usage: Object = [("input_tokens", 1000), ("output_tokens", 300)].into_iter().collect();
            let metadata =
                Metadata::new().with("model", "anthropic/claude-sonnet").with_cost(0.0123).with("usage", usage);
            let message = Message::new(role, words.repeat(1 + index % 3 * 8), time.parse().unwrap());
            if role == "assistant" { message.with_metadata(metadata) } else { message }
        })
        .collect();
    let lines: Vec<_> = log.iter().map(line).collect();
    let theirs = gptme.ask(&json!({ "time": lines }))["seconds"].as_f64().unwrap();
    let now = Timestamp::now();
    let times = |work: &dyn Fn()| {
        let mut times: Vec<f64> = (0..15)
            .map(|_| {
                let begin = Instant::now();
                work();
                begin.elapsed().as_secs_f64()
            })
            .collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let text = toml::write_log(&log);
    let out = times(&|| drop(toml::write_log(&log)));
    let back = times(&|| drop(toml::read_log(&text, &now).unwrap()));
    let (out_ms, in_ms, gptme_ms) = (out * 1e3, back * 1e3, theirs * 1e3);
    println!(
        "{} bytes: out {out_ms:.2} ms, in {in_ms:.2} ms; gptme {gptme_ms:.0} ms; ratio {:.0}",
        text.len(),
        theirs / (out + back)
    );
}
