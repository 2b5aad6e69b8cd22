//! Bookmarks: set, listed, gone back to, stale.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::Logs;

#[test]
fn a_bookmark_is_set_listed_and_gone_back_to() {
    let logs = Logs::with_talk(&["one", "two"]);
    let mut seen = logs.session(&["mark talk start", "--json mark talk", "marks talk"]);
    logs.append("talk", &[], &["three", "four"]);
    seen += &logs.session(&[
        "backtrack talk start --reason wrong",
        "show talk --last 1 --hidden --json",
        "backtrack talk 1",
        "--json backtrack talk 2",
        "marks talk",
        "--json marks talk",
        "backtrack talk start",
        "--format quiet marks talk",
    ]);
    insta::assert_snapshot!("bookmarks", seen);
    assert_eq!(logs.contents_of("talk", &["--branch", "main-edit-0"]), ["one", "two", "three", "four"]);
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn a_bookmark_of_another_log_is_stale_there() {
    let logs = Logs::with_talk(&["one", "two"]);
    logs.run(&["branch", "talk", "dev", "--at", "1"]);
    logs.run(&["mark", "talk", "on-main"]);
    logs.run(&["mark", "talk", "on-dev", "--branch", "dev"]);
    let stale = |options: &[&str]| -> Vec<bool> {
        let listed = logs.run(&[&["--json", "marks", "talk"], options].concat());
        listed.out.lines().map(|line| line.contains("\"stale\":true")).collect()
    };
    assert_eq!(stale(&[]), [false, true]);
    assert_eq!(stale(&["--branch", "dev"]), [true, false]);
    // gptme's own note no more than the number: good while there are so many.
    let gptmes = "{\"index\": 1, \"label\": \"old\", \"timestamp\": \"2026-01-02T03:04:05+00:00\"}\n[1]\n5\n";
    std::fs::write(logs.file("conv-checkpoints.jsonl"), gptmes).unwrap();
    let listed = logs.run(&["marks", "talk"]);
    assert_eq!(listed.out, "old  1 message  2026-01-02T03:04:05+00:00\n");
    assert!(listed.err.contains("line 2: no bookmark") && listed.err.contains("line 3"), "{}", listed.err);
    logs.run(&["mark", "talk", "two\nlines"]);
    assert!(logs.run(&["marks", "talk"]).out.contains("two␊lines  2 messages  "));
    assert!(logs.run(&["backtrack", "talk", "old"]).out.starts_with("went back 1 message, to 1 message"));
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_changed() {
    let logs = Logs::with_talk(&["one", "two"]);
    let before = logs.state();
    let seen = logs.session(&[
        "mark talk 12",
        "backtrack talk none",
        "backtrack talk 3",
        "backtrack talk ²",
        "backtrack talk 99999999999999999999999",
        "marks none",
        "mark none",
    ]);
    insta::assert_snapshot!("bookmark-errors", seen);
    assert_eq!(logs.run(&["mark", "talk", " "]).code, 1);
    assert_eq!(logs.state(), before);
    assert_eq!(logs.run(&["backtrack", "talk"]).code, 2);
}
