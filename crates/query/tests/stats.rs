//! Counting.
//!
//! | case | test |
//! |---|---|
//! | B026 a cost that is no number | `b026_…` |
//! | B126 forks | `b126_a_shared_history_counts_once` |
//! | B128 tokens from the cache | `b128_…` |
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use common::{World, line, tree, written};
use convlog_message::{Message, Metadata, Timestamp, Usage, Zone};
use convlog_query::{Stats, StatsOptions};

const TIME: &str = "2026-01-02T03:04:05";

fn stats(world: &World, change: impl FnOnce(&mut StatsOptions<'_>)) -> Stats {
    let mut options = StatsOptions::default();
    options.zone = Zone::UTC;
    options.threads = 2.try_into().unwrap();
    change(&mut options);
    let (stats, skipped) = world.logs().stats(&options, || {}).unwrap();
    assert!(skipped.is_empty(), "{skipped:?}");
    stats
}

fn answer(content: &str, time: &str, input: u64) -> String {
    let mut usage = Usage::default();
    usage.input_tokens = Some(input);
    usage.output_tokens = Some(1);
    let metadata = Metadata::new().with("model", "m").with_cost(0.25).with_usage(usage);
    written(&Message::new("assistant", content, time.parse::<Timestamp>().unwrap()).with_metadata(metadata))
}

#[test]
fn b126_a_shared_history_counts_once() {
    let world = World::new();
    let shared = [line("user", "hi", TIME), answer("one", "2026-01-02T03:05:00", 100)];
    let untimed = "{\"role\":\"user\",\"content\":\"any\"}\n".to_owned();
    world.transcript("a", &[shared[0].clone(), shared[1].clone(), untimed.clone()]);
    let more = answer("two", "2026-01-03T03:05:00", 50);
    world.transcript("b", &[shared[0].clone(), shared[1].clone(), more, untimed]);
    let all = stats(&world, |_| {});
    assert_eq!((all.input_tokens, all.cost, all.shared, all.messages), (150, 0.5, 2, 5));
    assert_eq!((all.conversations, all.by_model["m"].messages), (2, 2));
    let of = |id: &str| stats(&world, |o| o.ids = vec![id.parse().unwrap()]).input_tokens;
    assert_eq!((of("a"), of("b")), (100, 150));
}

#[test]
fn the_same_message_twice_in_one_conversation_counts_twice() {
    let world = World::new();
    world.transcript("a", &[line("user", "again", TIME), line("user", "again", TIME)]);
    world.transcript("b", &[line("user", "other", TIME)]);
    assert_eq!(stats(&world, |_| {}).messages, 3);
}

#[test]
fn b128_tokens_from_the_cache_are_told_apart() {
    let world = World::new();
    let usage = "{\"input_tokens\":5,\"cache_read_tokens\":100,\"cache_creation_tokens\":10}";
    world.transcript(
        "a",
        &[format!("{{\"role\":\"assistant\",\"content\":\"x\",\"metadata\":{{\"usage\":{usage}}}}}\n")],
    );
    let stats = stats(&world, |_| {});
    assert_eq!((stats.input_tokens, stats.cache_read_tokens, stats.cache_creation_tokens), (115, 100, 10));
    assert_eq!(stats.by_model["unknown"].input_tokens, 115);
}

#[test]
fn b026_what_is_no_number_is_named_and_left_out() {
    let world = World::new();
    let of = |metadata: &str| format!("{{\"role\":\"assistant\",\"content\":\"x\",\"metadata\":{metadata}}}\n");
    world.transcript(
        "a",
        &[
            of("{\"cost\":NaN}"),
            of("{\"cost\":\"much\",\"usage\":{\"input_tokens\":-1,\"output_tokens\":null}}"),
            of("{\"usage\":[1]}"),
            of("{\"cost\":0.5,\"usage\":{\"input_tokens\":18446744073709551617}}"),
        ],
    );
    let stats = stats(&world, |_| {});
    assert_eq!((stats.cost, stats.input_tokens), (0.5, 0));
    let bad: Vec<_> = stats.bad_numbers.iter().map(|bad| (bad.line, bad.member)).collect();
    assert_eq!(bad, [(1, "cost"), (2, "cost"), (2, "input_tokens"), (3, "usage"), (4, "input_tokens")]);
}

fn calls(_: &Message) -> Vec<String> {
    vec!["shell".to_owned()]
}

#[test]
fn days_hours_roles_tools_and_time_are_counted() {
    let world = World::new();
    let metadata = |text: &str| convlog_codec::json::parse(text.as_bytes()).unwrap().value.as_object().unwrap().clone();
    let timed = metadata("{\"timings\":{\"tool_ms_by_name\":{\"shell\":1500}}}");
    let result = Message::new("system", "ok", "2026-01-03T23:00:00".parse::<Timestamp>().unwrap())
        .with_metadata(metadata("{\"tool\":\"shell\"}").into());
    let call = Message::new("assistant", "run it", "2026-01-03T22:00:00".parse::<Timestamp>().unwrap())
        .with_metadata(timed.into());
    world.transcript("a", &[line("user", "x", TIME), written(&call), written(&result), "{bad\n".to_owned()]);
    world.transcript("test-a", &[line("user", "x", TIME)]);
    let stats = stats(&world, |o| o.calls = Some(&calls));
    assert_eq!(
        stats.by_role.iter().map(|(role, n)| format!("{role} {n}")).collect::<Vec<_>>(),
        ["assistant 1", "system 1", "user 1"]
    );
    assert_eq!((stats.by_day["2026-01-02"].messages, stats.by_day["2026-01-03"].messages), (1, 2));
    assert_eq!((stats.by_hour[3], stats.by_hour[22], stats.by_hour[23]), (1, 1, 1));
    let shell = &stats.by_tool["shell"];
    assert_eq!((shell.calls, shell.results, shell.milliseconds), (1, 1, 1500.0));
    assert_eq!((stats.unreadable, stats.duration()), (1, 158_155.0));
    let recent = self::stats(&world, |o| o.since = Some(1_767_400_000.0));
    assert_eq!(recent.messages, 2);
}

#[test]
fn counting_changes_nothing() {
    let world = World::new();
    world.transcript("a", &[line("user", "x", TIME)]);
    let before = tree(world.path());
    assert_eq!(stats(&world, |_| {}).messages, 1);
    assert_eq!(before, tree(world.path()));
}
