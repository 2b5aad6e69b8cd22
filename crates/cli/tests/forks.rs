//! Forks: a copy beside the original, whole or not at all.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use common::Logs;

#[test]
fn a_fork_is_a_whole_conversation_of_its_own() {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    logs.run(&["branch", "talk", "dev", "--at", "1"]);
    logs.run(&["undo", "talk"]);
    std::fs::write(logs.file("notes.txt"), "somebody else's").unwrap();
    let seen = logs.session(&[
        "fork talk whole",
        "--json fork talk short --at 1",
        "fork talk on-dev --branch dev --at 0",
        "branch whole",
        "branch on-dev",
    ]);
    insta::assert_snapshot!("forks", seen);
    assert_eq!(logs.contents("short"), ["one"]);
    assert_eq!(std::fs::read(Path::new(logs.path()).join("whole/notes.txt")).unwrap(), b"somebody else's");
    logs.append("whole", &[], &["more"]);
    assert_eq!(logs.contents("talk"), ["one", "two"]);
    assert_eq!(logs.run(&["verify", "--all"]).code, 0);
}

#[test]
fn a_fork_lies_beside_its_original_wherever_that_is() {
    let logs = Logs::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let home = elsewhere.path().join("talk");
    logs.append(home.to_str().unwrap(), &["--create"], &["one"]);
    let forked = logs.run(&["fork", home.to_str().unwrap(), "copy"]);
    assert_eq!(forked.code, 0, "{}", forked.err);
    assert!(elsewhere.path().join("copy/conversation.jsonl").exists());
    assert_eq!(std::fs::read_dir(logs.path()).unwrap().count(), 0);
}

#[test]
fn with_an_active_view_main_loses_the_same_messages() {
    let logs = Logs::with_talk(&["one", "two"]);
    let sum = "{\"role\": \"user\", \"content\": \"sum\"}\n";
    logs.run_with(&["view", "talk", "short", "--from", "-"], sum);
    logs.run(&["view", "talk", "--switch", "short"]);
    logs.append("talk", &[], &["three", "four"]);
    assert_eq!(logs.run(&["fork", "talk", "copy", "--at", "2"]).code, 0);
    assert_eq!(logs.contents_of("copy", &["--view", "short"]), ["sum", "three"]);
    assert_eq!(logs.contents("copy"), ["one", "two", "three"]);
    let within = logs.run(&["fork", "talk", "none", "--at", "0"]);
    assert!(within.code == 1 && within.err.contains("stands for several of main"), "{}", within.err);
    assert!(!Path::new(logs.path()).join("none").exists());
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_stays() {
    let logs = Logs::with_talk(&["one"]);
    logs.append("there", &["--create"], &["x"]);
    std::fs::write(Path::new(logs.path()).join("a-file"), "x").unwrap();
    let before = logs.state();
    let seen = logs.session(&[
        "fork talk there",
        "fork talk talk",
        "fork talk a-file",
        "fork talk ../out",
        "fork talk nul.txt",
        "fork talk new --at 2",
        "fork none new",
        "fork tal new",
        "fork talk new --branch none",
    ]);
    insta::assert_snapshot!("fork-errors", seen);
    assert_eq!(logs.state(), before);
    assert_eq!(logs.run(&["fork", "talk"]).code, 2);
}
