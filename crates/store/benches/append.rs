//! Appending to conversations of 100, 1,000 and 10,000 messages, written and synced, beside a bare write of
//! the same bytes to a file of its own.
#![allow(missing_docs, clippy::unwrap_used)]

use std::fs::File;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;

use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_fs::{Durability, RealFs};
use convlog_message::{Message, Timestamp};
use convlog_store::{CheckpointPolicy, Session, SessionOptions};
use criterion::{BenchmarkGroup, Criterion, criterion_group, criterion_main, measurement::WallTime};

/// A message whose line takes about 1 KB.
fn message() -> Message {
    Message::new("assistant", "twelve chars".repeat(75), Timestamp::now())
}

fn session(home: &Path, messages: usize, policy: CheckpointPolicy) -> Session {
    let initial = vec![message(); messages];
    Session::create(Arc::new(RealFs), home, SessionOptions::default().with_policy(policy), initial).unwrap()
}

fn bare(group: &mut BenchmarkGroup<'_, WallTime>, home: &Path, durability: Durability) {
    let mut line = Vec::new();
    write_line(&message(), Style::Gptme, &mut line);
    // The bytes of the line and of its event, to a file each, as `write` and nothing else.
    let mut files = [File::create(home.join("a")).unwrap(), File::create(home.join("b")).unwrap()];
    group.bench_function("bare writes of the same bytes", |b| {
        b.iter(|| {
            for file in &mut files {
                file.write_all(&line).unwrap();
            }
            if durability == Durability::Synced {
                files.first().unwrap().sync_data().unwrap();
            }
        });
    });
}

fn benches(c: &mut Criterion) {
    for (name, durability) in [("written", Durability::Written), ("synced", Durability::Synced)] {
        let mut group = c.benchmark_group(format!("append, {name}"));
        group.sample_size(40);
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
        bare(&mut group, directory.path(), durability);
        for messages in [100, 1_000, 10_000] {
            let home = directory.path().join(format!("without-checkpoints-{messages}"));
            let mut session = session(&home, messages, CheckpointPolicy::every(0));
            let message = message();
            group.bench_function(format!("at {messages} messages"), |b| {
                b.iter(|| session.append_at(message.clone(), durability).unwrap());
            });
        }
        group.finish();
    }
    let mut group = c.benchmark_group("append, written, checkpoints by the default policy");
    group.sample_size(10);
    let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let mut session = session(&directory.path().join("talk"), 10_000, CheckpointPolicy::default());
    let message = message();
    group.bench_function("2,000 appends at 10,000 messages", |b| {
        b.iter(|| (0..2_000).for_each(|_| assert!(session.append(message.clone()).is_ok())));
    });
    group.finish();
}

criterion_group!(append_benches, benches);
criterion_main!(append_benches);
