//! Each kind of fault through `list`, `show` and `verify`: no other conversation suffers, what is
//! readable is shown, standard error says which line and why, and nothing on disk changes.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::{root, run, tree};

const LOGS: &str = "fixtures/damaged";

fn cases() -> Vec<String> {
    let entries = std::fs::read_dir(root().join(LOGS)).unwrap();
    let mut cases: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    cases.sort();
    assert!(cases.len() > 40);
    cases
}

#[test]
fn each_is_shown_as_far_as_it_goes() {
    let before = tree(&root().join(LOGS));
    for id in cases() {
        // Times that stand in for missing ones are those of the checkout.
        let shown = run(&["--logs", LOGS, "show", &id]);
        let text = shown.transcript();
        let text: Vec<_> = text.lines().map(|line| line.split("  ~2").next().unwrap()).collect();
        insta::assert_snapshot!(format!("show-{id}"), text.join("\n"));
        assert_eq!(shown.code, 0, "{id}");
    }
    assert!(before == tree(&root().join(LOGS)), "something was written");
}

#[test]
fn all_are_listed() {
    let listed = run(&["--logs", LOGS, "--json", "list", "--all"]);
    assert_eq!(listed.code, 0, "{}", listed.err);
    assert_eq!(listed.out.lines().count(), cases().len());
    for id in cases() {
        assert!(listed.out.contains(&format!("{{\"id\":\"{id}\"")), "{id}");
    }
    // Each that has lines which cannot be read is named once, as JSON.
    assert!(listed.err.lines().count() > 5);
    for line in listed.err.lines() {
        assert!(line.starts_with("{\"level\":\"warning\"") && line.contains("cannot be read"), "{line}");
    }
    let text = run(&["--logs", LOGS, "list", "--all"]);
    assert_eq!(text.out.lines().count(), cases().len());
}

#[test]
fn what_cannot_be_read_is_a_fault() {
    for (id, code) in [("b005-not-json", 1), ("b001-torn-last-line", 1), ("b017-unknown-member", 0), ("b015-crlf", 0)] {
        assert_eq!(run(&["--logs", LOGS, "verify", id]).code, code, "{id}");
    }
    insta::assert_snapshot!(
        "verify",
        run(&["--logs", LOGS, "-v", "verify", "b005-not-json", "b017-unknown-member"]).transcript()
    );
}

/// Of all together: what is wrong, how often, and what to do about it.
#[test]
fn all_are_summed_up() {
    let text = run(&["--logs", LOGS, "verify", "--all"]);
    assert_eq!(text.code, 1);
    let (_, summary) = text.out.split_once("41 conversations").unwrap();
    insta::assert_snapshot!("verify-all", format!("41 conversations{summary}"));
    assert!(!text.out.contains(": sound"), "what is sound is named only when asked for");
    assert!(run(&["--logs", LOGS, "-v", "verify", "--all"]).out.contains("b015-crlf: sound"));

    let json = run(&["--logs", LOGS, "--json", "verify", "--all"]);
    insta::assert_snapshot!("verify-all-json", json.out.lines().last().unwrap());
    assert_eq!(json.out.lines().filter(|line| line.contains("\"ok\":")).count(), 42, "one each, and the sum");
}
