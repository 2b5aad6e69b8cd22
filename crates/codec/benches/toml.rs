//! TOML of 1,000 messages, out and in. Beside gptme: `speed_beside_gptme` in `tests/toml_gptme.rs`.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::hint::black_box;

use convlog_codec::toml;
use convlog_message::{Log, Message, Metadata, Timestamp, Usage};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// Questions, answers and tool output of about 1 KB, with quotes, backslashes and code.
fn log() -> Log {
    let text = "the parser fails on an \"empty\" list: naïve 日本 self.items[0]\n    return None  # C:\\dir\n";
    (0..1_000_usize)
        .map(|index| {
            let role = ["user", "assistant", "system"][index % 3];
            let time: Timestamp = format!("2026-01-02T{:02}:{:02}:05.123456", index / 60, index % 60).parse().unwrap();
            let message = Message::new(role, text.repeat(1 + index % 3 * 8), time);
            let mut usage = Usage::default();
            usage.input_tokens = Some(1_000);
            let metadata = Metadata::new().with("model", "anthropic/claude-sonnet").with_cost(0.0123).with_usage(usage);
            if role == "assistant" { message.with_metadata(metadata) } else { message }
        })
        .collect()
}

fn benches(c: &mut Criterion) {
    let (log, now) = (log(), Timestamp::now());
    let text = toml::write_log(&log);
    let mut group = c.benchmark_group("TOML of 1,000 messages");
    group.throughput(Throughput::Bytes(text.len() as u64));
    group.sample_size(30);
    group.bench_function("write_log", |b| b.iter(|| toml::write_log(black_box(&log))));
    group.bench_function("read_log", |b| b.iter(|| toml::read_log(black_box(&text), &now).unwrap()));
    group.bench_function("read_edited", |b| b.iter(|| toml::read_edited(&log, black_box(&text), &now).unwrap()));
    group.finish();
}

criterion_group!(toml_benches, benches);
criterion_main!(toml_benches);
