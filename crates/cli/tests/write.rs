//! The verbs that write: what they answer, and what they leave.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Stdio;

use common::{Logs, convlog, ended, run};

#[test]
fn a_conversation_is_made_continued_undone_and_edited() {
    let logs = Logs::new();
    assert_eq!(logs.run(&["append", "talk", "hi"]).code, 1, "there is none");
    assert!(!Path::new(logs.path()).join("talk").exists());
    let made = logs.run(&["--json", "append", "talk", "--create", "hi"]);
    assert_eq!((made.code, made.out.as_str()), (0, "{\"ok\":true,\"index\":0}\n"), "{}", made.err);
    logs.run(&[
        "append",
        "talk",
        "--role",
        "assistant",
        "--metadata",
        "{\"model\": \"m\", \"cost\": 0.50}",
        "hello",
        "--sync",
    ]);
    assert_eq!(logs.contents("talk"), ["hi", "hello"]);
    let undone = logs.run(&["--json", "undo", "talk"]);
    assert_eq!(undone.out, "{\"removed\":1,\"backup\":\"main-undo-0\"}\n");
    assert_eq!(logs.contents("talk"), ["hi"]);
    assert_eq!(logs.run(&["undo", "talk", "0"]).out, "nothing to undo\n");

    let file = Path::new(logs.path()).join("new.jsonl");
    std::fs::write(&file, "{\"role\": \"user\", \"content\": \"one\"}\n{\"role\": \"user\", \"content\": \"two\"}\n")
        .unwrap();
    let from = file.to_str().unwrap();
    let edited = logs.run(&["edit", "talk", "--from", from]);
    assert_eq!(edited.out, "2 messages now; branch main-edit-0 keeps what was there\n", "{}", edited.err);
    assert_eq!(logs.contents("talk"), ["one", "two"]);
    std::fs::write(&file, "{\"role\": \"user\", \"content\": \"one\"}\n{half\n").unwrap();
    let refused = logs.run(&["edit", "talk", "--from", from]);
    assert!(
        refused.code == 1 && refused.err.contains("line 2") && refused.err.contains("nothing was changed"),
        "{}",
        refused.err
    );
    assert_eq!(logs.contents("talk"), ["one", "two"]);

    let events = logs.run(&["events", "talk"]);
    assert!(events.out.lines().all(|line| line.starts_with("{\"seq\": ") && line.ends_with("}}")), "{}", events.out);
    assert_eq!(logs.run(&["compact", "talk"]).code, 0);
    let verified = logs.run(&["verify", "talk"]);
    assert_eq!(verified.code, 0, "{}", verified.out);
    assert_eq!(logs.run(&["recover", "talk", "--dry-run"]).out, "would be done: nothing to recover\n");
}

#[test]
fn verbs_that_write_take_no_beginning_of_an_id_and_no_way_out() {
    let logs = Logs::new();
    logs.run(&["append", "talk", "--create", "hi"]);
    for verb in [&["append", "tal", "x"][..], &["undo", "tal"], &["recover", "tal"], &["compact", "tal"]] {
        assert_eq!(logs.run(verb).code, 1, "{verb:?}");
    }
    for id in ["..", "", " a", "a\tb", "nul.txt", "C:x", "a."] {
        assert_eq!(logs.run(&["append", "--create", "--", id, "x"]).code, 1, "{id:?}");
    }
    assert_eq!(logs.contents("talk"), ["hi"]);
    let names: Vec<_> = std::fs::read_dir(logs.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["talk"]);
}

#[test]
fn lines_are_answered_one_by_one() {
    let logs = Logs::new();
    let mut child = convlog(&["--logs", logs.path(), "append", "talk", "--create", "--jsonl", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    for (line, answer) in [
        ("{\"role\": \"user\", \"content\": \"a\"}", "{\"ok\":true,\"index\":0}"),
        ("{half", "{\"ok\":false,"),
        (
            "{\"role\": \"user\", \"content\": \"b\", \"timestamp\": \"2026-01-02T03:04:05\"}",
            "{\"ok\":true,\"index\":1}",
        ),
        ("[]", "{\"ok\":false,"),
    ] {
        writeln!(stdin, "{line}").unwrap();
        let given = answers.next().unwrap().unwrap();
        assert!(given.starts_with(answer), "{given}");
    }
    // The lock is held throughout; reading goes on.
    let second = logs.run(&["append", "talk", "x"]);
    assert_eq!(second.code, 3, "{}", second.err);
    assert!(second.err.contains(&format!("process {}", child.id())), "{}", second.err);
    assert_eq!(logs.run(&["append", "talk", "--create", "x"]).code, 3);
    assert_eq!(logs.contents("talk"), ["a", "b"]);
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(1), "not every line was a message");
    assert_eq!(logs.run(&["append", "talk", "c"]).code, 0);
    assert_eq!(logs.contents("talk"), ["a", "b", "c"]);
}

/// A byte changed anywhere that convlog vouches for is found, with file and line.
#[test]
fn a_changed_byte_is_found() {
    let logs = Logs::new();
    for n in 0..4 {
        logs.run(&["append", "talk", "--create", &format!("message number {n}")]);
    }
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
    for file in ["conversation.jsonl", "events.jsonl"] {
        let path = Path::new(logs.path()).join("talk").join(file);
        let whole = std::fs::read(&path).unwrap();
        let step = whole.len() / 40 + 1;
        // The last line of the log is its closing; the hash in it covers all but its last three bytes.
        for at in (0..whole.len() - 3).step_by(step) {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            std::fs::write(&path, &changed).unwrap();
            let verified = logs.run(&["verify", "talk"]);
            assert_eq!(verified.code, 1, "{file} at byte {at} ({:?}): {}", char::from(whole[at]), verified.out);
            assert!(verified.out.contains(file) && verified.out.contains("line "), "{}", verified.out);
        }
        std::fs::write(&path, &whole).unwrap();
    }
}

#[test]
fn a_disk_that_refuses_is_a_clear_error() {
    let logs = Logs::new();
    logs.run(&["append", "talk", "--create", "hi"]);
    // No file may grow beyond half a kilobyte: a real short write.
    let script = format!(
        "trap '' XFSZ; ulimit -f 1; exec '{}' --logs '{}' append talk \"$(printf 'x%.0s' $(seq 3000))\"",
        env!("CARGO_BIN_EXE_convlog"),
        logs.path()
    );
    let refused =
        ended(&std::process::Command::new("bash").args(["-c", &script]).env("HOME", "/nonexistent").output().unwrap());
    assert_eq!(refused.code, 1, "{}", refused.err);
    assert!(refused.err.contains("events.jsonl") || refused.err.contains("conversation.jsonl"), "{}", refused.err);
    assert_eq!(logs.contents("talk"), ["hi"]);
    assert_eq!(logs.run(&["append", "talk", "more"]).code, 0);
    assert_eq!(logs.contents("talk"), ["hi", "more"]);
    // A transcript that is a directory.
    std::fs::create_dir_all(Path::new(logs.path()).join("odd/conversation.jsonl")).unwrap();
    let odd = logs.run(&["append", "odd", "x"]);
    assert!(odd.code == 1 && odd.err.contains("is a directory, not a file"), "{}", odd.err);
}

#[test]
fn what_only_the_event_log_holds_can_be_had_back() {
    let logs = Logs::new();
    for content in ["a", "b", "c"] {
        logs.run(&["append", "talk", "--create", content]);
    }
    let path = Path::new(logs.path()).join("talk/conversation.jsonl");
    let whole = std::fs::read_to_string(&path).unwrap();
    let first = whole.lines().next().unwrap().to_owned() + "\n";
    std::fs::write(&path, &first).unwrap();
    let planned = logs.run(&["recover", "talk", "--dry-run"]);
    assert!(
        planned.out.contains("the event log holds more than the transcript (3 messages in all)"),
        "{}",
        planned.out
    );
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first, "nothing was done");
    let recovered = logs.run(&["recover", "talk", "--from-events"]);
    assert_eq!(recovered.code, 0, "{}", recovered.err);
    assert_eq!(logs.contents("talk"), ["a", "b", "c"]);
    std::fs::remove_file(&path).unwrap();
    assert!(logs.run(&["recover", "talk"]).out.contains("the transcript was missing and is made from the event log"));
    assert_eq!(logs.contents("talk"), ["a", "b", "c"]);
}

#[test]
fn context_is_what_a_model_gets() {
    let shown = run(&["--logs", "fixtures/logs", "--json", "context", "2026-01-12"]);
    let roles: Vec<_> = shown.out.lines().map(|line| line.split('"').nth(3).unwrap()).collect();
    assert_eq!(roles[..3], ["system", "user", "assistant"], "the two prompts are joined");
    assert!(!shown.out.contains("timestamp") && !shown.out.contains("metadata"));
    let full = run(&["--logs", "fixtures/logs", "--json", "context", "2026-01-12", "--full"]);
    assert_eq!(full.out.lines().count(), 10);
    let short = run(&["--logs", "fixtures/logs", "--json", "context", "2026-01-12", "--limit", "60"]);
    assert!(short.out.lines().count() < shown.out.lines().count());
    assert_eq!(run(&["context", "x", "--limit", "5", "--full"]).code, 2);
}

/// What writes takes no beginnings of ids, and tells which one could be meant.
#[test]
fn the_beginning_of_an_id_is_answered_with_the_whole() {
    let logs = Logs::with_talk(&["one"]);
    for verb in [&["append", "ta", "x"][..], &["undo", "ta"], &["rename", "ta", "x"], &["delete", "ta", "--yes"]] {
        let refused = logs.run(verb);
        assert_eq!(refused.code, 1, "{verb:?}");
        assert!(refused.err.ends_with("what writes wants a whole id, is talk meant?\n"), "{verb:?}: {}", refused.err);
        let unknown: Vec<_> = verb.iter().map(|word| if *word == "ta" { "x" } else { word }).collect();
        assert!(logs.run(&unknown).err.contains("`convlog list` shows what there is"), "{verb:?}");
    }
    assert_eq!(logs.contents("talk"), ["one"]);
}
