//! How much memory it takes, held to by a limit on the process.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::fmt::Write as _;
use std::process::Command;

/// Runs the program with at most so many KiB of address space.
fn within(kib: u32, logs: &str, arguments: &str) -> common::Run {
    let script = format!("ulimit -v {kib}; exec '{}' --logs '{logs}' {arguments}", env!("CARGO_BIN_EXE_convlog"));
    common::ended(&Command::new("sh").args(["-c", &script]).env_clear().env("HOME", "/nonexistent").output().unwrap())
}

#[test]
fn ten_megabytes_are_read_in_thirty() {
    let logs = tempfile::tempdir().unwrap();
    let mut text = String::new();
    let content = "a word and \\\"another\\\"\\n".repeat(45);
    while text.len() < 10_000_000 {
        writeln!(text, "{{\"role\": \"user\", \"content\": \"{content}\", \"timestamp\": \"2026-01-02T03:04:05\"}}")
            .unwrap();
    }
    for (id, text) in [("ten", text.as_str()), ("empty", "")] {
        std::fs::create_dir(logs.path().join(id)).unwrap();
        std::fs::write(logs.path().join(id).join("conversation.jsonl"), text).unwrap();
    }
    let logs = logs.path().to_str().unwrap();
    // What the program takes with nothing to read: code, libraries, stack.
    let base = (1..500).map(|n| n * 4_096).find(|kib| within(*kib, logs, "next empty").code == 0).unwrap();
    let whole = within(base + 30_000, logs, "next ten");
    assert_eq!((whole.code, whole.out.as_str()), (0, "generate\n"), "{}", whole.err);
    let streamed = within(base + 4_096, logs, "--format quiet show ten");
    assert_eq!(streamed.code, 0, "{}", streamed.err);
}
