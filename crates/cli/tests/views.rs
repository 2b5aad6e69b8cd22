//! Views: listed, made, made active, left, removed; and what acts on the active one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use common::Logs;

const TOML: &str = "[[messages]]\nrole = \"system\"\ncontent = \"the sum\"\ntimestamp = \"2026-01-02T03:00:00\"\n";

/// A conversation with a view `short` that is active.
fn with_view() -> Logs {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    let made = logs.run_with(&["view", "talk", "short", "--from", "-"], TOML);
    assert_eq!(made.code, 0, "{}", made.err);
    assert_eq!(logs.run(&["view", "talk", "--switch", "short"]).code, 0);
    logs
}

#[test]
fn a_view_is_made_made_active_left_and_removed() {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    let toml = std::path::Path::new(logs.path()).join("sum.toml");
    std::fs::write(&toml, TOML).unwrap();
    let from = toml.to_str().unwrap();
    let seen = logs.session(&[
        "view talk",
        &format!("view talk short --from {from}"),
        &format!("--json view talk --from {from}"),
        "view talk --switch short",
        "view talk",
        "--json view talk",
        "--json view talk --switch compacted-001",
        "--json view talk compacted-001 --delete",
        "view talk --main",
        "--json view talk --main",
        "view talk short --delete",
        "--json view talk compacted-001 --delete",
        "--json view talk",
    ]);
    insta::assert_snapshot!("views", seen);
    assert_eq!(logs.contents("talk"), ["one", "two", "three"]);
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn a_view_from_what_show_prints_keeps_the_bytes_and_adds_no_place() {
    let logs = Logs::with_talk(&["one", "two", "three"]);
    let tail = logs.run(&["--json", "show", "talk", "--last", "2"]).out;
    assert!(tail.contains("from_end"));
    assert_eq!(logs.run_with(&["view", "talk", "tail", "--from", "-"], &tail).code, 0);
    let main = std::fs::read_to_string(logs.file("conversation.jsonl")).unwrap();
    let view = std::fs::read_to_string(logs.file("views/tail.jsonl")).unwrap();
    assert_eq!(view, main.split_inclusive('\n').skip(1).collect::<String>());
    let all = logs.run(&["--json", "show", "talk"]).out;
    let edited = logs.run_with(&["edit", "talk", "--from", "-"], &all.replace("three", "3"));
    assert_eq!(edited.out, "3 messages now; branch main-edit-0 keeps what was there\n", "{}", edited.err);
    assert_eq!(
        std::fs::read_to_string(logs.file("conversation.jsonl")).unwrap(),
        main.replace("three", "3"),
        "every other byte is as it was"
    );
}

#[test]
fn what_is_written_goes_to_the_view_and_main_stays_whole() {
    let logs = with_view();
    logs.append("talk", &[], &["four"]);
    assert_eq!(logs.contents("talk"), ["one", "two", "three", "four"]);
    assert_eq!(logs.contents_of("talk", &["--view", "short"]), ["the sum", "four"]);
    let context = logs.run(&["--json", "context", "talk"]).out;
    assert!(context.contains("the sum") && !context.contains("one"), "{context}");
    assert_eq!(logs.run(&["next", "talk"]).out, "generate\n");
    let undone = logs.run(&["--json", "undo", "talk"]).out;
    assert_eq!(undone, "{\"removed\":1,\"backup\":\"short-undo-0\"}\n");
    assert_eq!(logs.run(&["next", "talk"]).out, "input\n", "no user speaks in the view");
    assert_eq!(logs.contents("talk"), ["one", "two", "three", "four"], "main loses nothing");
    let edited = logs.run_with(&["--json", "edit", "talk", "--from", "-"], &TOML.replace("the sum", "in short"));
    assert_eq!(edited.out, "{\"messages\":1,\"changed\":true,\"backup\":\"short-edit-0\"}\n", "{}", edited.err);
    assert_eq!(logs.contents_of("talk", &["--view", "short"]), ["in short"]);
    // A branch is made of the view, as gptme makes it; restoring is of main.
    logs.run(&["branch", "talk", "short-branch"]);
    assert_eq!(logs.contents_of("talk", &["--branch", "short-branch"]), ["in short"]);
    let restored = logs.run(&["restore", "talk", "short-branch"]);
    assert!(restored.err.contains("the view short is active and stays as it is"), "{}", restored.err);
    assert!(restored.out.starts_with("1 message now"), "{}", restored.out);
    assert_eq!(logs.contents_of("talk", &["--branch", "main-edit-0"]), ["one", "two", "three", "four"]);
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn the_full_history_of_a_conversation_compacted_by_hand_is_shown_when_asked_for() {
    let logs = Logs::with_talk(&["short"]);
    std::fs::write(logs.file("lossless.jsonl"), "{\"role\": \"user\", \"content\": \"long\"}\n").unwrap();
    logs.append("talk", &[], &["more"]);
    assert_eq!(logs.contents("talk"), ["short", "more"]);
    assert_eq!(logs.contents_of("talk", &["--lossless"]), ["long", "more"]);
}

#[test]
fn what_cannot_be_done_is_said_and_nothing_is_changed() {
    let logs = with_view();
    let file = |name: &str, text: &str| {
        let path = std::path::Path::new(logs.path()).join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (good, torn) = (file("good.toml", TOML), file("torn.toml", "[[messages]]\nrole = \"user\"\ncontent = \"x\n"));
    let (half, empty) = (file("half.jsonl", "{\"role\": \"user\", \"content\": \"a\"}\n{half\n"), file("empty", ""));
    std::fs::create_dir(logs.file("views/odd.jsonl")).unwrap();
    let before = logs.state();
    let seen = logs.session(&[
        &format!("view talk short --from {good}"),
        &format!("view talk nul --from {good}"),
        &format!("view talk new --from {torn}"),
        &format!("view talk new --from {half}"),
        &format!("view talk new --from {empty}"),
        "view talk new --from none.toml",
        "view talk --switch none",
        "view talk --switch odd",
        "view talk short --delete",
        "view talk none --delete",
        "show talk --view none",
        "view tal --main",
        "view talk",
    ]);
    insta::assert_snapshot!("view-errors", seen);
    assert_eq!(logs.state(), before);
    for usage in [
        &["view", "talk", "new"][..],
        &["view", "talk", "../x", "--from", "-"],
        &["view", "talk", "a", "--switch", "b"],
        &["view", "talk", "a", "--main"],
        &["view", "talk", "--delete"],
        &["view", "talk", "--main", "--switch", "a"],
        &["view", "talk", "a", "--from", "-", "--delete"],
        &["view", "talk", "--main", "--branch", "dev"],
        &["show", "talk", "--branch", "dev", "--view", "short"],
    ] {
        assert_eq!(logs.run(usage).code, 2, "{usage:?}");
    }
}

#[test]
fn a_marker_of_a_view_that_is_missing_stops_what_would_act_on_it() {
    let logs = Logs::with_talk(&["one", "two"]);
    std::fs::create_dir_all(logs.file("views")).unwrap();
    std::fs::write(logs.file("views/.current"), "gone\n").unwrap();
    let before = logs.state();
    let seen = logs.session(&[
        "undo talk",
        "edit talk --from fixtures/logs/2026-01-12-fixing-the-parser/conversation.jsonl",
        "backtrack talk 1",
        "mark talk here",
        "fork talk copy",
        "context talk",
        "next talk",
        "marks talk",
        "--json undo talk",
        "view talk",
    ]);
    insta::assert_snapshot!("view-missing", seen);
    assert_eq!(logs.state(), before);
    // Appending writes main in any case; nothing is lost by going on.
    let appended = logs.run(&["append", "talk", "three"]);
    assert_eq!(appended.code, 0);
    assert!(appended.err.contains("names the view \"gone\"") && appended.err.contains("--main"), "{}", appended.err);
    assert_eq!(logs.contents("talk"), ["one", "two", "three"]);
    assert_eq!(logs.run(&["view", "talk", "--main"]).code, 0);
    assert!(!logs.file("views/.current").exists());
    assert_eq!(logs.run(&["undo", "talk"]).code, 0);
}
