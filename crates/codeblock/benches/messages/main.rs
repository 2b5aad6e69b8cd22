//! The code blocks of 10,000 messages: whole, and streamed in pieces as a model sends them.
//!
//! Beside gptme on the same messages: `tests/speed.rs`.

#![allow(missing_docs, reason = "criterion_group! writes a function without")]

mod generate;

use std::hint::black_box;

use convlog_codeblock::{CodeblockStream, codeblocks};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

/// How many characters come at a time, about.
const PIECE: usize = 4;

fn bench(c: &mut Criterion) {
    let messages = generate::messages(10_000);
    let bytes = messages.iter().map(|message| message.len() as u64).sum();
    let mut group = c.benchmark_group("10,000 messages");
    group.throughput(Throughput::Bytes(bytes)).sample_size(30);
    group.bench_function("whole", |b| {
        b.iter(|| messages.iter().map(|message| codeblocks(black_box(message)).count()).sum::<usize>());
    });
    group.bench_function("streamed", |b| {
        b.iter(|| messages.iter().map(|message| streamed(black_box(message))).sum::<usize>());
    });
    group.finish();

    let hostile = "`".repeat(1 << 20);
    c.bench_function("a megabyte of backticks", |b| b.iter(|| codeblocks(black_box(&hostile)).count()));
}

fn streamed(message: &str) -> usize {
    let mut stream = CodeblockStream::new();
    let mut rest = message;
    let mut count = 0_usize;
    while !rest.is_empty() {
        let at = rest.char_indices().nth(PIECE).map_or(rest.len(), |(at, _)| at);
        let (piece, after) = rest.split_at_checked(at).unwrap_or_default();
        count = count.saturating_add(stream.feed(piece).len());
        rest = after;
    }
    count.saturating_add(stream.finish().blocks.len())
}

criterion_group!(benches, bench);
criterion_main!(benches);
