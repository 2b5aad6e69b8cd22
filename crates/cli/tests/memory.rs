//! How much memory it takes, held to by a limit on the process.
#![allow(clippy::unwrap_used, clippy::panic, clippy::arithmetic_side_effects)]

mod common;

use std::fmt::Write as _;
use std::io::{Seek as _, SeekFrom, Write as _};
use std::process::Command;

/// Runs the program with at most so many KiB of address space.
fn within(kib: u32, logs: &str, arguments: &str) -> common::Run {
    // One heap for all threads: each further one would reserve 64 MiB of addresses.
    let script = format!(
        "export MALLOC_ARENA_MAX=1; ulimit -v {kib}; exec '{}' --logs '{logs}' {arguments}",
        env!("CARGO_BIN_EXE_convlog")
    );
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

/// A transcript of many messages, a hole in its middle (as a crash leaves on some file systems), and one message
/// more.
fn large(path: &std::path::Path, text: u64, hole: u64) {
    let line = format!(
        "{{\"role\": \"user\", \"content\": \"{}\", \"timestamp\": \"2026-01-02T03:04:05\"}}\n",
        "a word and \\\"another\\\"\\n".repeat(45)
    );
    let last = line.replace("a word", "the needle").replace("2026-01", "2026-02");
    let mut file = std::io::BufWriter::new(std::fs::File::create(path).unwrap());
    for _ in 0..text / line.len() as u64 {
        file.write_all(line.as_bytes()).unwrap();
    }
    let mut file = file.into_inner().unwrap();
    let length = file.metadata().unwrap().len();
    file.set_len(length + hole).unwrap();
    file.seek(SeekFrom::End(0)).unwrap();
    file.write_all(format!("\n{last}").as_bytes()).unwrap();
}

/// B172, B176: listed, searched and tailed in memory that does not grow with it.
fn within_sixty_four_mib(text: u64, hole: u64) {
    let logs = tempfile::tempdir().unwrap();
    for id in ["large", "empty"] {
        std::fs::create_dir(logs.path().join(id)).unwrap();
    }
    std::fs::write(logs.path().join("empty/conversation.jsonl"), "").unwrap();
    large(&logs.path().join("large/conversation.jsonl"), text, hole);
    let logs = logs.path().to_str().unwrap();
    let base = (1..500).map(|n| n * 4_096).find(|kib| within(*kib, logs, "next empty").code == 0).unwrap();
    for (arguments, expected) in [
        ("--json list --no-index", "\"last_message_preview\":\"the needle"),
        ("--json list --no-index --fast", "\"last_message_preview\":\"the needle"),
        ("--json list -n 1 --reverse", "\"id\":\"large\""),
        ("--json search needle", "\"id\":\"large\""),
        ("--json search word -m 2", "\"index\":1"),
        ("--json show large --last 1", "\"from_end\":1"),
    ] {
        let run = within(base + 65_536, logs, arguments);
        assert_eq!(run.code, 0, "{arguments}: {}", run.err);
        assert!(run.out.contains(expected), "{arguments}: {}", run.out.chars().take(300).collect::<String>());
    }
}

#[test]
fn a_large_transcript_is_listed_searched_and_tailed_in_sixty_four() {
    within_sixty_four_mib(80 << 20, 100 << 20);
}

#[test]
#[ignore = "takes 2 GB of disk and minutes; run it with --release"]
fn four_gigabytes_are_listed_searched_and_tailed_in_sixty_four() {
    within_sixty_four_mib(2 << 30, 2 << 30);
}
