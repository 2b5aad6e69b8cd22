//! Reading and writing 10,000 messages, beside `serde_json` on the same lines in the same run.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::collections::BTreeMap;
use std::hint::black_box;

use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_message::{Log, Message, Metadata, Timestamp, Usage};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MESSAGES: u64 = 10_000;

/// A message as anybody would read it with `serde_json`: the same fields, owned.
#[derive(serde::Serialize, serde::Deserialize)]
struct Plain {
    role: String,
    content: String,
    timestamp: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    file_hashes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pinned: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    hide: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    ui_only: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ephemeral_ttl: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    call_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    metadata: Option<serde_json::Map<String, serde_json::Value>>,
}

/// A small generator of numbers (SplitMix64): the same messages in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }
}

/// Messages like those of an agent: short questions, answers of 1 to 3 KB with code, tool output with a
/// long tail. About 1 KB each; one escape in some 30 characters, as in real text with code in it.
fn messages() -> Vec<Message> {
    const WORDS: [&str; 16] = [
        "the",
        "parser",
        "fails",
        "on",
        "an",
        "empty",
        "list",
        "because",
        "it",
        "reads",
        "one",
        "element",
        "first;",
        "self.items",
        "return",
        "None",
    ];
    let mut random = Random(1);
    let mut text = |length: u64| {
        let mut text = String::new();
        while (text.len() as u64) < length {
            text += match random.below(60) {
                0 => "naïve",
                1 => "日本",
                2 => "\"quoted\"",
                _ => WORDS[random.below(16) as usize],
            };
            text += if random.below(11) == 0 { "\n    " } else { " " };
        }
        text
    };
    let mut sizes = Random(2);
    (0..MESSAGES)
        .map(|index| {
            let time: Timestamp =
                format!("2026-01-02T{:02}:{:02}:05.123456", index / 60 % 24, index % 60).parse().unwrap();
            match index % 3 {
                0 => {
                    let length = 40 + sizes.below(160);
                    Message::new("user", text(length), time)
                }
                1 => {
                    let length = 900 + sizes.below(1_200);
                    let mut usage = Usage::default();
                    usage.input_tokens = Some(1_000 + index);
                    usage.output_tokens = Some(300);
                    let metadata = Metadata::new().with("model", "anthropic/claude-sonnet").with_cost(0.0123);
                    Message::new("assistant", text(length), time).with_metadata(metadata.with_usage(usage))
                }
                _ => {
                    let length = if sizes.below(50) == 0 { 20_000 } else { 300 + sizes.below(800) };
                    Message::new("system", text(length), time)
                }
            }
        })
        .collect()
}

fn benches(c: &mut Criterion) {
    let messages = messages();
    let mut transcript = Vec::new();
    messages.iter().for_each(|message| jsonl::write_line(message, Style::Gptme, &mut transcript));
    let now = Timestamp::now();
    let log = jsonl::read(&transcript, &now).log;
    assert_eq!(log.len() as u64, MESSAGES);
    assert!(log.iter().all(|message| message.source().is_none()));

    let mut group = c.benchmark_group("read 10,000 messages");
    group.throughput(Throughput::Bytes(transcript.len() as u64));
    group.sample_size(30);
    let read_plain = |bytes: &[u8]| -> Vec<Plain> {
        bytes
            .split(|b| *b == b'\n')
            .filter(|line| !line.is_empty())
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect()
    };
    group.bench_function("convlog", |b| b.iter(|| jsonl::read(black_box(&transcript), &now).log));
    group.bench_function("serde_json", |b| b.iter(|| read_plain(black_box(&transcript))));
    group.finish();

    let mut group = c.benchmark_group("write 10,000 messages");
    group.throughput(Throughput::Bytes(transcript.len() as u64));
    group.sample_size(30);
    let plain = read_plain(&transcript);
    group.bench_function("convlog", |b| b.iter(|| write(&log, transcript.len())));
    group.bench_function("serde_json", |b| {
        b.iter(|| {
            let mut out = Vec::with_capacity(transcript.len());
            for message in &plain {
                serde_json::to_writer(&mut out, message).unwrap();
                out.push(b'\n');
            }
            out
        });
    });
    group.finish();
}

fn write(log: &Log, capacity: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(capacity);
    log.iter().for_each(|message| jsonl::write_line(message, Style::Gptme, &mut out));
    out
}

criterion_group!(jsonl_benches, benches);
criterion_main!(jsonl_benches);
