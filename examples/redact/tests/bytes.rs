//! Words go, everything else stays as it was to the byte, and no other crate of convlog is needed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::io::Write as _;
use std::process::{Command, Stdio};

const TRANSCRIPT: &str = r#"{"role": "user", "content": "my key is hunter2", "timestamp": "2026-01-02T03:04:05", "pinned": true}
{"content":  "an odd \ud83d line", "role": "user", "future": 1.50, "timestamp": "2026-01-02T03:04:05"}
{"role": "assis
"#;

#[test]
fn words_go_and_the_rest_stays() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_example-redact"));
    command.arg("hunter2").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(TRANSCRIPT.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    let lines: Vec<_> = TRANSCRIPT.lines().collect();
    let blackened = lines[0].replace("hunter2", "\\u2588\\u2588\\u2588\\u2588\\u2588");
    assert_eq!(out, format!("{blackened}\n{}\n", lines[1]));
    assert!(err.starts_with("line 3 "), "{err}");
}

/// Nothing that does I/O comes along.
#[test]
fn two_crates_are_enough() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["tree", "--package", env!("CARGO_PKG_NAME"), "--edges", "normal", "--prefix", "none", "--offline"]);
    let tree = String::from_utf8(cargo.output().unwrap().stdout).unwrap();
    let mut ours: Vec<_> = tree.lines().filter_map(|line| line.strip_prefix("convlog-")?.split(' ').next()).collect();
    ours.sort_unstable();
    ours.dedup();
    assert_eq!(ours, ["codec", "message"]);
}
