//! What appending costs, counted in the file layer: nothing read, and the same few calls at any length.
#![allow(clippy::unwrap_used, clippy::panic, clippy::arithmetic_side_effects)]

use std::sync::Arc;

use convlog_eventlog::CheckpointPolicy;
use convlog_fs::{Counts, Durability, FileSystem, Metered, RealFs};
use convlog_message::Message;
use convlog_store::{Session, SessionOptions};

/// Bytes of content in each message.
const SIZE: usize = 1_000;
/// Appends that the totals are taken over.
const MANY: usize = 10_000;

fn message(number: usize) -> Message {
    let content = format!("{number:06} {}", "word ".repeat(SIZE / 5));
    Message::new("user", content.get(..SIZE).unwrap(), "2026-01-02T03:04:05".parse().unwrap())
}

struct Counted {
    fs: Arc<Metered<RealFs>>,
    session: Session,
    _directory: tempfile::TempDir,
}

impl Counted {
    fn new(policy: CheckpointPolicy) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let fs = Arc::new(Metered::new(RealFs));
        let home = directory.path().join("talk");
        let options = SessionOptions::default().with_policy(policy);
        let shared = Arc::clone(&fs) as Arc<dyn FileSystem>;
        let session = Session::create(shared, home, options, Vec::new()).unwrap();
        Self { fs, session, _directory: directory }
    }

    /// What appending one more message costs.
    fn cost(&mut self, durability: Durability) -> Counts {
        let before = self.fs.snapshot();
        self.session.append_at(message(0), durability).unwrap();
        self.fs.snapshot().since(&before)
    }

    /// Bytes written by so many appends, for each byte of the messages.
    fn factor(&mut self, appends: usize) -> f64 {
        let before = self.fs.snapshot();
        for number in 0..appends {
            self.session.append(message(number)).unwrap();
        }
        let counts = self.fs.snapshot().since(&before);
        assert_eq!(counts.bytes_read(), 0);
        counts.bytes_written() as f64 / (appends * SIZE) as f64
    }
}

#[test]
fn an_append_reads_nothing_and_makes_the_same_calls_at_any_length() {
    let mut counted = Counted::new(CheckpointPolicy::every(0));
    for durability in [Durability::Written, Durability::Synced] {
        counted.cost(durability);
    }
    let mut seen = Vec::new();
    for length in [10, 100, 1_000, 10_000] {
        let missing = length - counted.session.log().len();
        let batch: Vec<_> = (0..missing).map(message).collect();
        counted.session.append_batch(&batch, Durability::Written).unwrap();
        let costs = [Durability::Written, Durability::Synced].map(|durability| {
            let counts = counted.cost(durability);
            assert_eq!(counts.bytes_read(), 0);
            (counts.total(), counts.syncs())
        });
        println!("{length} messages: {} calls written, {} synced", costs[0].0, costs[1].0);
        seen.push(costs);
    }
    assert!(seen.iter().all(|costs| Some(costs) == seen.first()), "{seen:?}");
    assert_eq!(seen[0].map(|(_, syncs)| syncs), [0, 1]);
}

#[test]
fn without_checkpoints_an_append_writes_no_more_than_2_6_times_the_message() {
    let factor = Counted::new(CheckpointPolicy::every(0)).factor(1_000);
    println!("{factor:.2} times the message");
    assert!(factor <= 2.6, "{factor}");
}

#[test]
fn with_the_default_checkpoints_ten_thousand_appends_write_no_more_than_8_times_the_messages() {
    let factor = Counted::new(CheckpointPolicy::default()).factor(MANY);
    println!("{factor:.2} times the messages");
    assert!(factor <= 8.0, "{factor}");
}
