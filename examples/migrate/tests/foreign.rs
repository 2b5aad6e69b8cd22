//! Foreign lines become conversations; what is no message is told; a second run changes nothing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_query::LogsDir;
use convlog_store::{Session, SessionOptions, Transcript};

const FOREIGN: &str = r#"{"chat": "a1", "from": "human", "text": "What is 6 × 7?", "at": 1767323045}
{"chat": "b2", "from": "human", "text": "hi", "at": 1767323050}
{"chat": "a1", "from": "bot", "text": "42", "at": 1767323046, "model": "some-model"}
{"chat": "a1", "from": "cat", "text": "meow", "at": 1767323047}
{"chat": "a1", "from": "hum
"#;

fn migrate(directory: &Path) -> (String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_example-migrate"));
    command.arg(directory).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(FOREIGN.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn foreign_lines_become_conversations() {
    let directory = tempfile::tempdir().unwrap();
    let (out, err) = migrate(directory.path());
    assert_eq!(out, "a1: 2 messages, 2 of them new\nb2: 1 messages, 1 of them new\n");
    assert!(err.starts_with("line 4: nobody knows who \"cat\" is; left out\nline 5: "), "{err}");

    let logs = LogsDir::new(Arc::new(RealFs), directory.path());
    let reading = logs.find("a1").unwrap().read(&Transcript::Main).unwrap();
    assert!(reading.report.is_empty(), "{:?}", reading.report);
    let said: Vec<_> = reading.log.iter().map(|m| (m.role().as_str(), m.content(), m.metadata().model())).collect();
    assert_eq!(said, [("user", "What is 6 × 7?", None), ("assistant", "42", Some("some-model"))]);
    assert_eq!(reading.log.last().unwrap().timestamp().isoformat(), "2026-01-02T03:04:06+00:00");

    assert_eq!(migrate(directory.path()).0, "a1: 2 messages, 0 of them new\nb2: 1 messages, 0 of them new\n");
    // As if the first run had been cut short.
    let session = Session::open(Arc::new(RealFs), directory.path().join("a1"), SessionOptions::default());
    session.unwrap().undo(1).unwrap();
    assert!(migrate(directory.path()).0.starts_with("a1: 2 messages, 1 of them new\n"));
}
