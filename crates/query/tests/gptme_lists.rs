//! Lists beside those that gptme 0.35.1 itself makes, over the fixtures and over a made corpus.
//!
//! The differences that are meant are those of `docs/differences.md`, "Listing".
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::print_stderr
)]

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use common::World;
use convlog_fs::RealFs;
use convlog_message::Zone;
use convlog_query::{ConversationMeta, Detail, ListOptions, LogsDir, StatsOptions, Tests};
use serde_json::Value;

/// The Python that has gptme; `None` (said loudly) when there is none, which is no excuse under `CI`.
fn python() -> Option<PathBuf> {
    let given = std::env::var_os("CONVLOG_GPTME_PYTHON").map(PathBuf::from);
    let python = given.unwrap_or_else(|| root().join("../../target/gptme-0.35.1/bin/python"));
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "no gptme at {}", python.display());
    eprintln!("SKIPPED: no gptme at {}; nothing was compared with it", python.display());
    None
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What gptme says, by id; its clock is in UTC.
fn theirs(python: &Path, logs: &Path, detail: &str) -> BTreeMap<String, Value> {
    let script = root().join("tests/gptme/conversations.py");
    let output = Command::new(python).arg(script).arg(logs).arg(detail).env("TZ", "UTC").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = String::from_utf8(output.stdout).unwrap();
    let rows = rows.lines().map(|row| serde_json::from_str::<Value>(&row.replace("NaN", "null")).unwrap());
    rows.map(|row| (row["id"].as_str().unwrap().to_owned(), row)).collect()
}

fn ours(logs: &Path, detail: Detail) -> Vec<ConversationMeta> {
    let mut options = ListOptions::default();
    (options.zone, options.detail, options.threads) = (Zone::UTC, detail, 2.try_into().unwrap());
    let listing = LogsDir::new(Arc::new(RealFs), logs).listing(&options, None).unwrap();
    assert!(listing.skipped.is_empty());
    listing.conversations.into_iter().map(|listed| listed.meta).collect()
}

/// A copy that both may look at: gptme makes directories by looking.
fn copy(from: &Path, to: &Path) {
    assert!(Command::new("cp").arg("-a").arg(from).arg(to).status().unwrap().success());
}

/// Compares what both say, member by member; `may_differ` names the differences that are meant.
fn compare(logs: &Path, python: &Path, detail: Detail, may_differ: impl Fn(&str, &str, &Value, &Value) -> bool) {
    let mut theirs = theirs(python, logs, if detail == Detail::Full { "full" } else { "fast" });
    for meta in ours(logs, detail) {
        let theirs = theirs.remove(&meta.id).unwrap();
        let ours = serde_json::to_value(&meta).unwrap();
        for (key, theirs) in theirs.as_object().unwrap() {
            let ours = &ours[key];
            let is_same = match (ours.as_f64(), theirs.as_f64()) {
                (Some(ours), Some(theirs)) => (ours - theirs).abs() <= 1e-9 * theirs.abs(),
                _ => same(ours, theirs),
            };
            assert!(is_same || may_differ(&meta.id, key, ours, theirs), "{} {key}: {ours} {theirs}", meta.id);
        }
    }
    assert!(theirs.is_empty(), "not listed: {:?}", theirs.keys());
}

/// Equal, whatever the order of keys and whether `1` is written as `1.0`.
fn same(ours: &Value, theirs: &Value) -> bool {
    match (ours, theirs) {
        (Value::Number(ours), Value::Number(theirs)) => {
            (ours.as_f64().unwrap() - theirs.as_f64().unwrap()).abs() <= 1e-9 * theirs.as_f64().unwrap().abs()
        }
        (Value::Object(ours), Value::Object(theirs)) => {
            ours.len() == theirs.len()
                && ours.iter().all(|(key, value)| theirs.get(key).is_some_and(|other| same(value, other)))
        }
        _ => ours == theirs,
    }
}

/// The differences of `docs/differences.md` that occur in the fixtures.
fn is_meant(id: &str, key: &str, ours: &Value, theirs: &Value) -> bool {
    // Costs and counts that are no number, or beyond 64 bits.
    let odd_numbers = ["2026-02-03-flaky-provider", "2026-01-17-cost-accounting"].contains(&id);
    let is_sum = key.starts_with("total_") || key == "models_usage";
    // The last line with the bytes `"user"` anywhere.
    let mentions = id == "2026-01-17-cost-accounting" && key.starts_with("last_message");
    // The fast list looks farther than gptme's 8 KiB: for the model in 64, for what was said as far as it takes.
    let is_looked_for = key == "model" || key.starts_with("last_message");
    let is_farther = is_looked_for && theirs.is_null() && !ours.is_null();
    (odd_numbers && is_sum) || mentions || is_farther
}

#[test]
fn fixtures_are_listed_as_by_gptme() {
    let Some(python) = python() else { return };
    let world = World::new();
    let logs = world.path().join("logs");
    copy(&root().join("../../fixtures/logs"), &logs);
    // gptme makes the `workspace` directory of those that have none, so it looks first.
    theirs(&python, &logs, "full");
    compare(&logs, &python, Detail::Full, is_meant);
    compare(&logs, &python, Detail::Fast, |id, key, ours, theirs| {
        // Of a small file gptme reads everything even so; convlog has no sums in a fast list, ever.
        is_meant(id, key, ours, theirs) || key.starts_with("total_") || key == "models_usage"
    });
}

#[test]
fn a_made_corpus_is_listed_and_counted_as_by_gptme() {
    let Some(python) = python() else { return };
    let world = World::new();
    for number in 0..60_u64 {
        let mut lines = Vec::new();
        for index in 0..number {
            lines.push(made_line(number, index));
        }
        world.transcript(&format!("talk-{number:02}"), &lines);
        if number % 3 == 0 {
            world.write(&format!("talk-{number:02}"), "config.toml", format!("[chat]\nname = \"n{number}\"\n"));
        }
        for branch in 0..number % 4 {
            world.write(&format!("talk-{number:02}"), &format!("branches/b{branch}.jsonl"), "");
        }
    }
    let logs = world.path().join("logs");
    theirs(&python, &logs, "full");
    compare(&logs, &python, Detail::Full, |_, _, _, _| false);
    compare(&logs, &python, Detail::Fast, |id, key, ours, theirs| {
        is_meant(id, key, ours, theirs) || key.starts_with("total_") || key == "models_usage"
    });

    // Sums over all, as gptme's statistics make them of the same figures. No message is shared here.
    let theirs = self::theirs(&python, &logs, "full");
    let sum = |key: &str| theirs.values().map(|row| row[key].as_f64().unwrap()).sum::<f64>();
    let mut options = StatsOptions::default();
    (options.zone, options.tests) = (Zone::UTC, Tests::With);
    let (stats, _) = LogsDir::new(Arc::new(RealFs), &logs).stats(&options, || {}).unwrap();
    assert_eq!(stats.shared, 0);
    assert_eq!(stats.messages as f64, sum("messages"));
    assert_eq!(stats.input_tokens as f64, sum("total_input_tokens"));
    assert_eq!(stats.output_tokens as f64, sum("total_output_tokens"));
    assert_eq!(stats.cache_read_tokens as f64, sum("total_cache_read_tokens"));
    assert!((stats.cost - sum("total_cost")).abs() < 1e-9);
    for (model, tally) in &stats.by_model {
        let cost: f64 = theirs.values().filter_map(|row| row["models_usage"][model]["cost"].as_f64()).sum();
        assert!((tally.cost - cost).abs() < 1e-9, "{model}");
    }
}

/// A line of every shape that gptme writes: roles, models that are named or not, counts nested, flat or missing.
fn made_line(number: u64, index: u64) -> String {
    let kind = (number * 31 + index * 17) % 11;
    let role = ["system", "user", "assistant"][(index % 3) as usize];
    let content = match kind {
        0 => String::new(),
        1 => "<think>hm</think>  said \\\"so\\\"\\n\\nand more".to_owned(),
        2 => "caf\\u00e9 \\ud83d\\ude00 ".repeat(40),
        3 => "long ".repeat(2_000),
        _ => format!("message {index} of {number}"),
    };
    let mut line = format!(
        "{{\"role\": \"{role}\", \"content\": \"{content}\", \"timestamp\": \"2026-{:02}-{:02}T03:04:05.{:06}\"",
        number % 12 + 1,
        index % 28 + 1,
        number * 1_000 + index + 1
    );
    let metadata = match kind {
        4 => "{\"model\": \"a/b\", \"cost\": 0.1, \"usage\": {\"input_tokens\": 5, \"output_tokens\": 7}}",
        5 => {
            "{\"cost\": 1e-07, \"usage\": {\"input_tokens\": 1, \"cache_read_tokens\": 100, \"cache_creation_tokens\": 10}}"
        }
        6 => "{\"model\": \"c\", \"input_tokens\": 3, \"output_tokens\": 2, \"cache_read_tokens\": 1}",
        7 => "{\"tool\": \"shell\"}",
        8 => "{\"model\": \"a/b\", \"usage\": {}, \"cost\": null}",
        _ => "",
    };
    if !metadata.is_empty() {
        write!(line, ", \"metadata\": {metadata}").unwrap();
    }
    line + "}\n"
}
