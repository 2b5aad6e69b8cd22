//! Attached files of an append, and messages that were interrupted while they were streamed.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{Logs, ended};
use convlog_fs::RealFs;
use convlog_message::{Message, Role, Timestamp};
use convlog_store::{Conversation, Session, SessionOptions, Transcript};

/// The contents of the files of the last message of main, as they were then.
fn stored(logs: &Logs) -> Vec<Vec<u8>> {
    let talk = Conversation::open(Arc::new(RealFs), logs.file("")).unwrap();
    let log = talk.read(&Transcript::Main).unwrap().log;
    let last = log.last().unwrap();
    last.files().iter().map(|file| talk.attachment(file, last.file_hash(file).unwrap()).unwrap()).collect()
}

#[test]
fn files_are_stored_as_they_are_now_wherever_the_program_runs() {
    let logs = Logs::with_talk(&["one"]);
    let here = tempfile::tempdir().unwrap();
    let note = here.path().join("note.txt");
    std::fs::write(&note, "v1").unwrap();
    std::fs::write(here.path().join("b.bin"), [0, 255]).unwrap();
    let within = |arguments: &[&str]| ended(&logs.command(arguments).current_dir(here.path()).output().unwrap());
    let appended = within(&["--json", "append", "talk", "--file", "note.txt", "--file", "./b.bin", "see"]);
    assert_eq!((appended.out.as_str(), appended.err.as_str()), ("{\"ok\":true,\"index\":1}\n", ""));
    assert_eq!(stored(&logs), [b"v1".to_vec(), vec![0, 255]]);
    std::fs::write(&note, "v2").unwrap();
    assert_eq!(stored(&logs)[0], b"v1", "the message keeps what it was given");
    let mut lines = logs.command(&["append", "talk", "--jsonl", "-"]);
    lines.current_dir(here.path()).stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut lines = lines.spawn().unwrap();
    let line = b"{\"role\": \"user\", \"content\": \"again\", \"files\": [\"note.txt\"]}\n";
    std::io::Write::write_all(&mut lines.stdin.take().unwrap(), line).unwrap();
    assert_eq!(ended(&lines.wait_with_output().unwrap()).out, "{\"ok\":true,\"index\":2}\n");
    assert_eq!(stored(&logs), [b"v2"]);
    let shown = logs.run(&["--json", "show", "talk", "--last", "1"]).out;
    let real = note.canonicalize().unwrap();
    assert!(shown.contains(&format!("\"files\":[{:?}]", real.to_str().unwrap())), "{shown}");
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn a_file_that_cannot_be_stored_is_a_warning_and_the_message_is_written() {
    let logs = Logs::with_talk(&["one"]);
    let missing = logs.run(&["append", "talk", "--file", "/none.txt", "--file", "https://example.org/x", "see"]);
    assert_eq!(missing.code, 0);
    assert_eq!(missing.err, "warning: /none.txt (of message 1) is not stored: there is no such file\n");
    let json = logs.run(&["--json", "append", "talk", "--file", "/", "see"]);
    assert_eq!(json.out, "{\"ok\":true,\"index\":2}\n");
    assert!(json.err.starts_with("{\"level\":\"warning\",") && json.err.contains("it is a directory"), "{}", json.err);
    assert_eq!(logs.contents("talk"), ["one", "see", "see"]);
    assert_eq!(logs.run(&["append", "talk", "--file", "/none.txt"]).code, 2, "a message has a text");
    assert_eq!(logs.run(&["append", "talk", "--jsonl", "-", "--file", "/none.txt"]).code, 2);
}

/// Leaves a message half way, as a program does that dies while it streams.
fn interrupt(logs: &Logs, branch: Option<&str>) {
    let options = SessionOptions::default();
    let options = branch.map_or(options.clone(), |branch| options.on_branch(branch.parse().unwrap()));
    let mut session = Session::open(Arc::new(RealFs), logs.file(""), options).unwrap();
    let time: Timestamp = "2026-01-02T03:04:05".parse().unwrap();
    let mut draft = session.begin_draft(Message::new(Role::Assistant, "Forty-", time)).unwrap();
    draft.push("tw").unwrap();
    drop(draft);
    session.close().unwrap();
}

#[test]
fn an_interrupted_message_is_told_of_kept_or_dropped() {
    let logs = Logs::with_talk(&["one"]);
    logs.run(&["branch", "talk", "dev"]);
    interrupt(&logs, None);
    let mut seen = logs.session(&["undo talk 0", "append talk two", "append talk --interrupted keep"]);
    interrupt(&logs, Some("dev"));
    seen += &logs.session(&[
        "mark talk here",
        "append talk --interrupted keep",
        "--json append talk --branch dev --interrupted keep",
        "append talk --interrupted keep",
    ]);
    interrupt(&logs, None);
    seen += &logs.session(&["append talk --interrupted drop", "append talk --interrupted drop three"]);
    interrupt(&logs, None);
    seen += &logs.session(&["--json append talk --interrupted drop three", "undo talk 0"]);
    insta::assert_snapshot!("interrupted", seen);
    assert_eq!(logs.contents("talk"), ["one", "two", "Forty-tw", "three"]);
    assert_eq!(logs.contents_of("talk", &["--branch", "dev"]), ["one", "Forty-tw"]);
    assert_eq!(logs.run(&["append", "talk", "--interrupted", "maybe"]).code, 2);
    assert!(!Path::new(&logs.file(".convlog-draft.jsonl")).exists());
}
