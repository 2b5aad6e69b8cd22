//! Branches: listed, made, compared, restored, removed; backups cleaned up.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use std::process::Stdio;

use common::{Logs, root, run, tree};

#[test]
fn a_branch_is_made_compared_restored_and_removed() {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    let seen = logs.session(&[
        "branch talk idea --at 1",
        "--json branch talk other --from idea",
        "undo talk",
        "branch talk",
        "--json branch talk",
        "--format quiet branch talk",
        "diff talk main idea",
        "diff talk main-undo-0 main",
        "--json diff talk main main-undo-0",
        "diff talk other idea",
        "--json diff talk other idea",
        "restore talk main-undo-0",
        "--json restore talk idea",
        "branch talk other --delete",
        "--json branch talk idea --delete",
        "branch talk",
    ]);
    insta::assert_snapshot!("branches", seen);
    assert_eq!(logs.contents("talk"), ["one"]);
    assert_eq!(logs.contents_of("talk", &["--branch", "main-edit-0"]), ["one", "two"]);
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn every_verb_takes_a_branch() {
    let logs = Logs::with_talk(&["one", "two"]);
    logs.run(&["branch", "talk", "dev", "--at", "1"]);
    logs.append("talk", &["--branch", "dev"], &["aside"]);
    let dev = |verb: &[&str]| {
        let run = logs.run(&[&["--json"], verb, &["--branch", "dev"]].concat());
        assert_eq!(run.code, 0, "{verb:?}: {}", run.err);
        run.out
    };
    assert!(dev(&["context", "talk"]).contains("one\\n\\naside"));
    assert_eq!(dev(&["next", "talk"]), "{\"next\":\"generate\",\"reason\":null}\n");
    assert!(dev(&["events", "talk"]).contains("aside"));
    assert!(dev(&["recover", "talk"]).contains("\"messages\":2"));
    assert!(dev(&["recover", "talk", "--dry-run"]).contains("\"dry_run\":true"));
    assert!(dev(&["compact", "talk"]).starts_with("{\"dropped\":"));
    assert!(dev(&["mark", "talk", "here"]).contains("\"index\":2"));
    assert!(dev(&["marks", "talk"]).contains("\"stale\":false"));
    assert!(dev(&["backtrack", "talk", "1"]).contains("\"backup\":\"dev-edit-0\""));
    assert!(dev(&["undo", "talk", "1"]).contains("\"backup\":\"dev-undo-0\""));
    let from = logs.run_with(
        &["edit", "talk", "--branch", "dev", "--from", "-"],
        "{\"role\": \"user\", \"content\": \"only\", \"timestamp\": \"2026-01-02T03:00:00\"}\n",
    );
    assert_eq!(from.code, 0, "{}", from.err);
    assert_eq!(logs.contents_of("talk", &["--branch", "dev"]), ["only"]);
    assert_eq!(logs.contents("talk"), ["one", "two"], "main is as it was");
    // `main` is no other branch than none.
    assert_eq!(logs.run(&["append", "talk", "--branch", "main", "three"]).code, 0);
    assert_eq!(logs.contents("talk"), ["one", "two", "three"]);
    let events = logs.run(&["events", "talk", "--branch", "dev"]).out;
    assert!(!events.contains("three") && logs.run(&["events", "talk"]).out.contains("three"));
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_changed() {
    let logs = Logs::with_talk(&["one", "two"]);
    logs.run(&["branch", "talk", "idea"]);
    std::fs::create_dir_all(logs.file("branches/odd.jsonl")).unwrap();
    let before = logs.state();
    let seen = logs.session(&[
        "branch talk idea",
        "branch talk main",
        "branch talk con",
        "branch talk a:b",
        "branch talk new --at 3",
        "branch talk new --from none",
        "branch talk new --from odd",
        "branch talk none --delete",
        "branch talk main --delete",
        "branch none idea",
        "branch tal new",
        "diff talk main none",
        "diff talk odd main",
        "restore talk none",
        "restore talk odd",
        "append talk --branch none x",
        "undo talk --branch odd",
        "show talk --branch none",
        "context talk --branch none",
        "--json restore talk none",
        "branch talk",
    ]);
    insta::assert_snapshot!("branch-errors", seen);
    let long = logs.run(&["branch", "talk", &"x".repeat(201)]);
    assert!(long.code == 1 && long.err.contains("is longer than 200 bytes"), "{}", long.err);
    assert_eq!(logs.state(), before);
    for usage in [
        &["branch", "talk", "../../esc"][..],
        &["branch", "talk", "a/b"],
        &["branch", "talk", ""],
        &["branch", "talk", "--from", "idea"],
        &["branch", "talk", "--at", "1"],
        &["branch", "talk", "--delete"],
        &["branch", "talk", "new", "--at", "-1"],
        &["branch", "talk", "new", "--at", "1", "--delete"],
        &["diff", "talk", "main"],
        &["restore", "talk"],
        &["restore", "talk", "../x"],
        &["verify", "talk", "--branch", "idea"],
    ] {
        assert_eq!(logs.run(usage).code, 2, "{usage:?}");
    }
    assert_eq!(logs.state(), before);
}

#[test]
fn a_locked_conversation_is_exit_code_3_for_every_verb_that_writes() {
    let logs = Logs::with_talk(&["one", "two"]);
    logs.run(&["undo", "talk"]);
    let mut holder = logs.command(&["append", "talk", "--jsonl", "-"]);
    let mut holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // The lock is held once the first line is answered.
    let (mut stdin, stdout) = (holder.stdin.take().unwrap(), holder.stdout.take().unwrap());
    std::io::Write::write_all(&mut stdin, b"{\"role\": \"user\", \"content\": \"held\"}\n").unwrap();
    std::io::BufRead::read_line(&mut std::io::BufReader::new(stdout), &mut String::new()).unwrap();
    let before = logs.state();
    for verb in [
        "branch talk new",
        "branch talk main-undo-0 --delete",
        "restore talk main-undo-0",
        "view talk --switch x",
        "view talk --main",
        "view talk x --delete",
        "mark talk here",
        "backtrack talk 1",
        "fork talk copy",
        "undo talk",
        "append talk x",
        "clean --branches --keep 0 --delete",
        "clean --branches --keep 0 --delete talk",
    ] {
        let refused = logs.run(&verb.split(' ').collect::<Vec<_>>());
        assert_eq!(refused.code, 3, "{verb}: {}", refused.err);
        assert!(refused.err.contains(&format!("process {}", holder.id())), "{verb}: {}", refused.err);
    }
    // Reading goes on.
    for verb in ["branch talk", "diff talk main main-undo-0", "view talk", "marks talk", "clean --branches --keep 0"] {
        assert_eq!(logs.run(&verb.split(' ').collect::<Vec<_>>()).code, 0, "{verb}");
    }
    assert_eq!(logs.state(), before);
    // What is not locked is cleaned all the same; a failure outweighs a lock.
    logs.append("free", &["--create"], &["a", "b"]);
    logs.run(&["undo", "free"]);
    let cleaned = logs.run(&["clean", "--branches", "--keep", "0", "--delete"]);
    assert_eq!((cleaned.code, cleaned.err.lines().count()), (3, 1), "{}", cleaned.err);
    assert!(cleaned.out.contains("free  main-undo-0"), "{}", cleaned.out);
    assert_eq!(logs.run(&["branch", "free"]).out.lines().count(), 1);
    assert_eq!(logs.run(&["clean", "--branches", "--keep", "0", "--delete", "talk", "none"]).code, 1);
    drop(stdin);
    holder.wait().unwrap();
}

#[test]
fn backups_are_listed_and_removed_beyond_the_newest() {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    logs.append("next", &["--create"], &["a", "b"]);
    for content in ["x", "y"] {
        logs.run(&["undo", "talk"]);
        logs.append("talk", &[], &[content]);
        logs.run(&["restore", "talk", "main-undo-0"]);
    }
    logs.run(&["undo", "next"]);
    logs.run(&["branch", "talk", "main-undo-mine"]);
    std::fs::create_dir(std::path::Path::new(logs.path()).join("no-conversation")).unwrap();
    let seen = logs.session(&[
        "clean --branches --keep 1",
        "--json clean --branches --keep 1 --dry-run talk",
        "clean --branches --keep 9",
        "clean --branches --keep 1 --delete",
        "clean --branches --keep 0 tal",
        "branch talk",
        "--json clean --branches --keep 0 --delete next",
        "clean --branches --keep 0 --delete tal",
        "clean --branches --keep 0 none",
    ]);
    insta::assert_snapshot!("clean", seen);
    assert_eq!(logs.run(&["verify", "--all"]).code, 0);
    for usage in [
        &["clean", "--branches"][..],
        &["clean", "--keep", "1"],
        &["clean", "--branches", "--keep", "x"],
        &["clean", "--branches", "--keep", "1", "--max-messages", "1"],
        &["clean", "some-id"],
    ] {
        assert_eq!(logs.run(usage).code, 2, "{usage:?}");
    }
}

#[test]
fn what_gptme_wrote_is_listed_and_not_touched() {
    let fixtures = root().join("fixtures/logs");
    let before = tree(&fixtures);
    let mut branches = 0;
    for entry in std::fs::read_dir(&fixtures).unwrap() {
        let id = entry.unwrap().file_name().into_string().unwrap();
        for verb in ["branch", "view", "marks"] {
            let listed = run(&["--logs", "fixtures/logs", verb, &id]);
            assert_eq!(listed.code, 0, "{verb} {id}: {}", listed.err);
            branches += if verb == "branch" { listed.out.lines().count() - 1 } else { 0 };
        }
    }
    assert!(branches > 0);
    assert_eq!(run(&["--logs", "fixtures/logs", "clean", "--branches", "--keep", "0"]).code, 0);
    assert_eq!(run(&["--logs", "fixtures/logs", "diff", "2026-01-19", "main", "split.v2"]).code, 0);
    assert!(before == tree(&fixtures));
}
