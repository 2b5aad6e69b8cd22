//! Appending, and reading 10,000 events, beside `serde_json` on the same lines in the same run.
#![allow(missing_docs, clippy::unwrap_used, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::hint::black_box;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use convlog_eventlog::{CheckpointPolicy, EventLog, Options, Place, read, replay};
use convlog_fs::{Durability, FileId, FileSystem, FileTime, RealFs, read_all};
use convlog_message::{Log, Message, Metadata, Role};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const MESSAGES: u64 = 10_000;

/// A message of about 1 KB, with an escape in some 30 characters.
fn message(number: u64) -> Message {
    let mut content = format!("Message {number}: ");
    while content.len() < 900 {
        content.push_str("the parser \"fails\" on an empty list;\nit wants `one` element — ");
    }
    let role = if number.is_multiple_of(2) { Role::User } else { Role::Assistant };
    let message = Message::new(role, content, "2026-01-02T03:04:05.123456".parse().unwrap());
    if number.is_multiple_of(2) {
        message
    } else {
        message.with_metadata(Metadata::new().with("model", "m").with_cost(0.0123))
    }
}

fn place(start: u64) -> Place {
    let birth = Some(FileTime { secs: 1_767_319_445, nanos: 123_456_789 });
    let id = FileId { dev: 64_769, ino: 1_234_567, birth };
    Place { file: "conversation.jsonl".into(), id, range: start..start + 1_100 }
}

fn create(dir: &Path, messages: u64) -> EventLog {
    let fs: Arc<dyn FileSystem> = Arc::new(RealFs);
    let options = Options::default().with_policy(CheckpointPolicy::every(0));
    let mut log = EventLog::create(fs, dir, options, &Log::new(), &[]).unwrap();
    for number in 0..messages {
        log.append_message(&message(number), &[place(number * 1_100)], Durability::Written).unwrap();
    }
    log
}

fn appending(c: &mut Criterion) {
    let mut group = c.benchmark_group("append an event of 1 KB");
    let message = message(7);
    let places = [place(0)];
    for length in [100, 10_000] {
        let dir = tempfile::tempdir().unwrap();
        let mut log = create(dir.path(), length);
        group.bench_function(format!("written, after {length}"), |b| {
            b.iter(|| log.append_message(black_box(&message), &places, Durability::Written).unwrap());
        });
    }
    let dir = tempfile::tempdir().unwrap();
    let mut log = create(dir.path(), 100);
    group.sample_size(30);
    group.bench_function("synced", |b| {
        b.iter(|| log.append_message(black_box(&message), &places, Durability::Synced).unwrap());
    });

    let line = vec![b'x'; 1_350];
    let mut bare = std::fs::File::create(dir.path().join("bare")).unwrap();
    group.bench_function("a bare write", |b| b.iter(|| bare.write_all(black_box(&line)).unwrap()));
    group.bench_function("a bare write and sync", |b| {
        b.iter(|| {
            bare.write_all(black_box(&line)).unwrap();
            bare.sync_data().unwrap();
        });
    });
    group.finish();
}

fn reading(c: &mut Criterion) {
    let dir = tempfile::tempdir().unwrap();
    drop(create(dir.path(), MESSAGES));
    let path = dir.path().join(convlog_eventlog::EVENTS_FILE);
    let bytes = read_all(&RealFs, &path).unwrap();
    let mut group = c.benchmark_group("read 10,000 events");
    group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(20);
    group.bench_function("convlog, with replay and the chain", |b| {
        b.iter(|| {
            let reading = read(&RealFs, dir.path()).unwrap().unwrap();
            assert_eq!(replay(&reading.events).unwrap().len() as u64, MESSAGES);
            reading
        });
    });
    group.bench_function("the file alone", |b| b.iter(|| read_all(&RealFs, &path).unwrap()));
    group.bench_function("serde_json, values", |b| {
        b.iter(|| {
            let bytes = read_all(&RealFs, &path).unwrap();
            let lines = bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
            lines.map(|line| serde_json::from_slice(line).unwrap()).collect::<Vec<serde_json::Value>>()
        });
    });
    group.finish();

    let log: Log = (0..MESSAGES).map(message).collect();
    let dir = tempfile::tempdir().unwrap();
    let mut events = create(dir.path(), 0);
    let mut group = c.benchmark_group("a checkpoint of 10,000 messages");
    group.sample_size(20);
    group.bench_function("written and synced", |b| b.iter(|| events.checkpoint(&log, &[]).unwrap()));
    group.bench_function("read, with replay and the chain", |b| {
        b.iter(|| read(&RealFs, dir.path()).unwrap().unwrap().replay().unwrap().len());
    });
    group.finish();
}

criterion_group!(benches, appending, reading);
criterion_main!(benches);
