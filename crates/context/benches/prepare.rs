//! Preparing logs of 1,000, 10,000 and 100,000 messages, whole and to a limit.

use convlog_context::{Options, prepare};
use convlog_message::{Message, Role, Timestamp};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Turns of five messages, of 60 to 600 letters each; every tenth call is ephemeral.
fn log(length: usize) -> Vec<Message> {
    let say = |role, text: &str| Message::new(role, text, Timestamp::now_utc());
    let turn = |at: usize| {
        let ttl = (at.is_multiple_of(10)).then_some(3);
        [
            say(Role::User, &format!("{at}: {}", "Please go on with the next part. ".repeat(4))),
            say(Role::Assistant, &format!("Sure.\n@shell(c{at}): {{\"command\": \"ls {at}\"}}"))
                .with_ephemeral_ttl(ttl),
            say(Role::System, &"a-file-name.txt\n".repeat(20)).with_call_id(Some(&format!("c{at}"))),
            say(Role::System, "Saved to memory.").with_hide(true),
            say(Role::Assistant, &"This is what it says. ".repeat(25)),
        ]
    };
    let start = say(Role::System, &"You are helpful. ".repeat(40)).with_pinned(true);
    std::iter::once(start).chain((0..).flat_map(turn)).take(length).collect()
}

fn preparing(c: &mut Criterion) {
    let letters = |text: &str| text.len();
    let mut group = c.benchmark_group("prepare");
    for length in [1_000_usize, 10_000, 100_000] {
        let log = log(length);
        let half = log.iter().map(|message| message.content().len()).sum::<usize>() / 2;
        group.throughput(Throughput::Elements(length as u64));
        group.bench_with_input(BenchmarkId::new("whole", length), &log, |b, log| {
            b.iter(|| prepare(log, &Options::new()));
        });
        let options = Options::new().with_counter(&letters).with_limit(half);
        group.bench_with_input(BenchmarkId::new("half", length), &log, |b, log| b.iter(|| prepare(log, &options)));
        let estimated = Options::new().with_limit(half / 4);
        group.bench_with_input(BenchmarkId::new("half, estimated", length), &log, |b, log| {
            b.iter(|| prepare(log, &estimated));
        });
    }
    group.finish();
}

criterion_group!(benches, preparing);
criterion_main!(benches);
