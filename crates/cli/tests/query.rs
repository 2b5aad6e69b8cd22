//! `list`, `search`, `stats`, `rename`, `delete`, `clean` and `follow`, as a user runs them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use common::{Run, convlog, ended, run, tree};

const FIXTURES: &str = "fixtures/logs";

/// A directory of conversations of one message each, with the time of that message.
fn logs(conversations: &[(&str, &str, &str)]) -> tempfile::TempDir {
    let logs = tempfile::tempdir().unwrap();
    for (id, content, time) in conversations {
        std::fs::create_dir(logs.path().join(id)).unwrap();
        std::fs::write(logs.path().join(id).join("conversation.jsonl"), line(content, time)).unwrap();
    }
    logs
}

fn line(content: &str, time: &str) -> String {
    format!("{{\"role\": \"user\", \"content\": \"{content}\", \"timestamp\": \"{time}\"}}\n")
}

fn on(logs: &Path, arguments: &[&str]) -> Run {
    run(&[&["--logs", logs.to_str().unwrap()], arguments].concat())
}

/// A user whose home exists, so that there is a place for the index.
fn at_home(home: &Path, logs: &Path, arguments: &[&str]) -> Run {
    let mut command = convlog(&[&["--logs", logs.to_str().unwrap()], arguments].concat());
    ended(&command.env("HOME", home).output().unwrap())
}

#[test]
fn all_of_it_is_pleasant_to_read() {
    insta::assert_snapshot!(
        "search",
        run(&["--logs", FIXTURES, "search", "parser", "2026-01-12", "-C", "1"]).transcript()
    );
    insta::assert_snapshot!("stats", run(&["--logs", FIXTURES, "stats"]).transcript());
    insta::assert_snapshot!("stats-one", run(&["--logs", FIXTURES, "stats", "2026-01-12"]).transcript());
    insta::assert_snapshot!("clean", run(&["--logs", FIXTURES, "clean", "--max-messages", "3"]).transcript());
}

#[test]
fn looking_changes_nothing() {
    let before = tree(&common::root().join(FIXTURES));
    for verb in [&["list", "--fast"][..], &["search", "a"], &["stats"], &["clean"], &["clean", "--delete", "--dry-run"]]
    {
        let all = [&["--logs", FIXTURES][..], verb].concat();
        assert_eq!(run(&all).code, 0, "{verb:?}");
    }
    assert!(before == tree(&common::root().join(FIXTURES)), "something was written");
}

#[test]
fn the_index_lies_in_the_users_cache_and_changes_no_list() {
    let home = tempfile::tempdir().unwrap();
    let logs = logs(&[("a", "hi", "2026-01-02T03:04:05"), ("b", "ho", "2026-01-03T03:04:05")]);
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    for id in ["a", "b"] {
        let path = logs.path().join(id).join("conversation.jsonl");
        std::fs::File::open(path).unwrap().set_modified(old).unwrap();
    }
    // What was written this second is not remembered.
    std::thread::sleep(std::time::Duration::from_millis(2_200));
    let plain = at_home(home.path(), logs.path(), &["--json", "list", "--no-index"]);
    assert!(std::fs::read_dir(home.path()).unwrap().next().is_none());
    for _ in 0..2 {
        assert_eq!(at_home(home.path(), logs.path(), &["--json", "list"]).out, plain.out);
    }
    let kept: Vec<PathBuf> =
        std::fs::read_dir(home.path().join(".cache/convlog")).unwrap().map(|e| e.unwrap().path()).collect();
    assert_eq!(kept.len(), 1);
    std::fs::write(&kept[0], "rubbish").unwrap();
    assert_eq!(at_home(home.path(), logs.path(), &["--json", "list"]).out, plain.out);
}

#[test]
fn lists_are_cut_ordered_and_filtered() {
    let logs = logs(&[
        ("test-x", "x", "2026-01-05T00:00:00"),
        ("b", "x", "2026-01-03T00:00:00"),
        ("a", "x", "2026-01-02T00:00:00"),
    ]);
    let ids = |arguments: &[&str]| {
        let run = on(logs.path(), &[&["--json", "list"], arguments].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let id = |line: &str| line.split('"').nth(3).unwrap().to_owned();
        run.out.lines().map(id).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(ids(&[]), "test-x b a");
    assert_eq!(ids(&["--no-test"]), "b a");
    assert_eq!(ids(&["-n", "1", "--no-test"]), "b");
    assert_eq!(ids(&["--since", "2026-01-03"]), "test-x b");
    assert_eq!(ids(&["--sort", "name", "--fast"]), "a b test-x");
    assert_eq!(ids(&["-n", "0"]), "");
    assert_eq!(ids(&["-n", "1000000000000000000000000000000"]), "test-x b a");
    for wrong in [&["-n", "-5"][..], &["--since", "whenever"], &["--sort", "size"]] {
        assert_eq!(on(logs.path(), &[&["list"], wrong].concat()).code, 2, "{wrong:?}");
    }
}

#[test]
fn search_tells_where_and_ends_as_grep_does() {
    let logs = logs(&[("a", "die stra\\u00dfe", "2026-01-02T03:04:05"), ("b", "nothing", "2026-01-03T03:04:05")]);
    let found = on(logs.path(), &["--json", "search", "STRASSE"]);
    let expected = "{\"id\":\"a\",\"log\":\"main\",\"branch\":null,\"index\":0,\"role\":\"user\",\"timestamp\":\"2026-01-02T03:04:05\",\"matches\":1,\"lines\":[{\"line\":1,\"text\":\"die straße\"}]}\n";
    assert_eq!((found.code, found.out.as_str()), (0, expected));
    assert_eq!(on(logs.path(), &["search", "--case-sensitive", "STRASSE"]).code, 1);
    assert_eq!(on(logs.path(), &["--json", "search", "--regex", "^n.*g$"]).out.lines().count(), 1);
    assert_eq!(on(logs.path(), &["--json", "search", "i", "-n", "1"]).out.lines().count(), 1);
    assert_eq!(on(logs.path(), &["--json", "search", "i", "a"]).out.lines().count(), 1);
    for wrong in ["", "  "] {
        assert_eq!(on(logs.path(), &["search", wrong]).code, 2, "{wrong:?}");
    }
    assert_eq!(on(logs.path(), &["search", "--regex", "("]).code, 2);
    assert_eq!(on(logs.path(), &["search", "x", "-n", "-5"]).code, 2);
}

#[test]
fn a_conversation_is_renamed_and_deleted_by_its_whole_id() {
    let logs = logs(&[("talk", "hi", "2026-01-02T03:04:05"), ("talk-2", "ho", "2026-01-02T03:04:05")]);
    let before = tree(logs.path());
    for dry in [&["rename", "talk", "x", "--dry-run"][..], &["delete", "talk", "--dry-run"]] {
        let run = on(logs.path(), dry);
        assert!(run.code == 0 && run.out.contains("would be"), "{}", run.err);
    }
    assert_eq!(before, tree(logs.path()));
    assert_eq!(on(logs.path(), &["rename", "talk", "at last"]).out, "talk is named \"at last\"\n");
    assert!(on(logs.path(), &["--json", "list"]).out.contains("\"name\":\"at last\""));
    assert_eq!(on(logs.path(), &["rename", "tal", "x"]).code, 1);
    // Nobody can be asked here.
    assert!(on(logs.path(), &["delete", "talk"]).err.contains("--yes"));
    for outside in ["../outside", "/abs/dir", ".", "", "a/b"] {
        for verb in [&["delete", outside, "--yes"][..], &["rename", outside, "x"]] {
            assert_eq!(on(logs.path(), verb).code, 2, "{verb:?}");
        }
    }
    let deleted = on(logs.path(), &["delete", "talk", "--yes"]);
    assert!(deleted.code == 0 && deleted.out.starts_with("talk is deleted ("), "{}", deleted.err);
    assert!(!logs.path().join("talk").exists() && logs.path().join("talk-2").exists());
}

#[test]
fn what_is_open_is_not_deleted_and_the_code_says_so() {
    let logs = logs(&[("talk", "hi", "2026-01-02T03:04:05")]);
    let mut holder = convlog(&["--logs", logs.path().to_str().unwrap(), "append", "talk", "--jsonl", "-"]);
    let mut holder = holder.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    writeln!(holder.stdin.as_mut().unwrap(), "{{\"role\": \"user\", \"content\": \"x\"}}").unwrap();
    let mut answer = String::new();
    std::io::BufReader::new(holder.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
    for arguments in [&["delete", "talk", "--yes"][..], &["delete", "talk", "--dry-run"]] {
        let run = on(logs.path(), arguments);
        assert!(run.code == 3 && run.err.contains(&format!("process {}", holder.id())), "{} {}", run.code, run.err);
    }
    let cleaned = on(logs.path(), &["clean", "--max-messages", "9", "--delete"]);
    assert!(cleaned.code == 1 && cleaned.err.contains("talk stays"), "{}", cleaned.err);
    drop(holder.stdin.take());
    holder.wait().unwrap();
    assert!(logs.path().join("talk").exists());
}

#[test]
fn clean_removes_only_when_told() {
    let logs = logs(&[("talk", "hi", "2026-01-02T03:04:05")]);
    let listed = on(logs.path(), &["clean"]);
    assert!(listed.out.contains("talk") && listed.out.contains("1 conversation, 70 B"), "{}", listed.out);
    assert!(logs.path().join("talk").exists());
    assert_eq!(on(logs.path(), &["clean", "--delete"]).code, 0);
    assert!(!logs.path().join("talk").exists());
    assert_eq!(on(logs.path(), &["clean"]).out, "0 conversations, 0 B\n");
}

#[test]
fn b175_what_was_cleaned_away_can_be_put_back_or_removed_for_good() {
    let logs = logs(&[("talk", "hi", "2026-01-02T03:04:05"), ("other", "hi", "2026-01-02T03:04:05")]);
    let cleaned = on(logs.path(), &["clean", "--delete"]);
    assert!(cleaned.out.contains("talk is moved to the trash (1 file, 70 B)"), "{}", cleaned.out);
    let listed = on(logs.path(), &["clean", "--trash"]);
    assert!(listed.out.contains("2 conversations in ") && listed.out.contains("--restore ID"), "{}", listed.out);
    assert_eq!(on(logs.path(), &["clean", "--trash", "--restore", "talk"]).out, "talk is put back\n");
    assert_eq!(on(logs.path(), &["show", "talk"]).code, 0);
    let refused = on(logs.path(), &["clean", "--trash", "--restore", "talk"]);
    assert!(refused.code == 1 && refused.err.contains("no talk in the trash"), "{}", refused.err);
    assert!(on(logs.path(), &["clean", "--trash", "--delete", "--dry-run"]).out.contains("other"));
    assert!(on(logs.path(), &["--json", "clean", "--trash"]).out.contains("\"id\":\"other\""));
    assert!(on(logs.path(), &["clean", "--trash", "--delete"]).out.contains("removed for good"));
    assert!(on(logs.path(), &["clean", "--trash"]).out.starts_with("0 conversations"));
    assert!(logs.path().join("talk").exists());
}

#[test]
fn follow_prints_what_another_program_appends() {
    let logs = logs(&[("talk", "before", "2026-01-02T03:04:05")]);
    let mut child = convlog(&["--logs", logs.path().to_str().unwrap(), "--json", "follow", "talk"]);
    let mut child = child.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    // Nothing tells that it has begun; so something is appended until it is seen.
    let path = logs.path().join("talk/conversation.jsonl");
    let (done, stop) = std::sync::mpsc::channel::<()>();
    let writer = std::thread::spawn(move || {
        let mut file = std::fs::OpenOptions::new().append(true).open(path).unwrap();
        while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) =
            stop.recv_timeout(std::time::Duration::from_millis(50))
        {
            file.write_all(line("after", "2026-01-02T03:04:06").as_bytes()).unwrap();
        }
    });
    let seen = lines.next().unwrap().unwrap();
    done.send(()).unwrap();
    writer.join().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(seen.contains("\"content\":\"after\"") && seen.contains("\"index\":"), "{seen}");
}
