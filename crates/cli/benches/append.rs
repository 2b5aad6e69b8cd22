//! `convlog append`, the whole process, to a closed conversation of no message and of 100,000: what it takes does not
//! grow with the conversation.
#![allow(missing_docs, clippy::unwrap_used)]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use convlog_fs::{Durability, RealFs};
use convlog_message::{Message, Timestamp};
use convlog_store::{Session, SessionOptions};
use criterion::{Criterion, criterion_group, criterion_main};

fn closed(home: &Path, messages: usize) {
    let text = "word ".repeat(60);
    let mut session = Session::create(Arc::new(RealFs), home, SessionOptions::default(), []).unwrap();
    let batch: Vec<_> =
        (0..messages).map(|at| Message::new("user", format!("{at} {text}"), Timestamp::now())).collect();
    for batch in batch.chunks(1_000) {
        session.append_batch(batch, Durability::Written).unwrap();
    }
    session.close().unwrap();
}

fn append(c: &mut Criterion) {
    let logs = tempfile::tempdir().unwrap();
    let mut group = c.benchmark_group("convlog append, whole process");
    for messages in [0, 100_000] {
        let id = format!("of-{messages}");
        closed(&logs.path().join(&id), messages);
        group.bench_function(format!("to {messages} messages"), |b| {
            b.iter(|| {
                let mut command = Command::new(env!("CARGO_BIN_EXE_convlog"));
                command.arg("--logs").arg(logs.path()).args(["append", &id, "hello"]).stdin(Stdio::null());
                assert!(command.status().unwrap().success());
            });
        });
    }
    group.finish();
}

criterion_group!(benches, append);
criterion_main!(benches);
