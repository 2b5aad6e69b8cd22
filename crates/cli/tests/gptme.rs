//! The real gptme on what the verbs leave, and the verbs on what gptme leaves.
//!
//! Needs an interpreter with gptme: `CONVLOG_GPTME_PYTHON`, or `target/gptme-0.35.1/bin/python` in the workspace.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Logs, ended, root};
use serde_json::{Value, json};

const VARIABLE: &str = "CONVLOG_GPTME_PYTHON";

/// The interpreter that has gptme 0.35.1; `None`, said loudly, when there is none.
fn python() -> Option<PathBuf> {
    let installed = || root().join("target/gptme-0.35.1/bin/python");
    let python = std::env::var_os(VARIABLE).map_or_else(installed, PathBuf::from);
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "gptme is needed in CI, and {} is missing", python.display());
    eprintln!("!! SKIPPED: gptme is missing ({}); set {VARIABLE}", python.display());
    None
}

/// What gptme sees in a conversation on a branch; given a text, after it appended that.
fn sees(python: &Path, logs: &Logs, id: &str, branch: &str, text: Option<&str>) -> Value {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(python);
    command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gptme/sees.py"));
    command.arg(Path::new(logs.path()).join(id)).arg(branch).args(text);
    command.env_clear().current_dir(home.path()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
    for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
        command.env(variable, home.path());
    }
    command.env("GPTME_LOGS_HOME", logs.path()).env("TZ", "UTC").env("PYTHONDONTWRITEBYTECODE", "1");
    let run = ended(&command.output().unwrap());
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn ok(logs: &Logs, command: &str) -> String {
    let run = logs.run(&command.split(' ').collect::<Vec<_>>());
    assert_eq!(run.code, 0, "{command}: {}", run.err);
    run.out
}

#[test]
fn gptme_goes_on_with_the_view_that_was_made_active() {
    let Some(python) = python() else { return };
    let logs = Logs::with_talk(&["one", "two"]);
    logs.run_with(&["view", "talk", "--from", "-"], "{\"role\": \"system\", \"content\": \"sum\"}\n");
    ok(&logs, "view talk --switch compacted-001");
    logs.append("talk", &[], &["three"]);
    let seen = sees(&python, &logs, "talk", "main", Some("four"));
    assert_eq!(seen["view"], "compacted-001");
    assert_eq!(seen["log"], json!(["sum", "three", "four"]));
    assert_eq!(seen["main"], json!(["one", "two", "three", "four"]));
    // And back again.
    logs.append("talk", &[], &["five"]);
    assert_eq!(logs.contents("talk"), ["one", "two", "three", "four", "five"]);
    assert_eq!(logs.contents_of("talk", &["--view", "compacted-001"]), ["sum", "three", "four", "five"]);
    ok(&logs, "undo talk 2");
    let seen = sees(&python, &logs, "talk", "main", None);
    assert_eq!(seen["log"], json!(["sum", "three"]));
    assert_eq!(seen["main"], json!(["one", "two", "three", "four", "five"]));
    ok(&logs, "view talk --main");
    let seen = sees(&python, &logs, "talk", "main", None);
    assert_eq!((&seen["view"], seen["log"].as_array().unwrap().len()), (&Value::Null, 5));
    ok(&logs, "view talk compacted-001 --delete");
    assert_eq!(sees(&python, &logs, "talk", "main", None)["views"], json!({}));
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

#[test]
fn gptme_goes_on_with_a_branch() {
    let Some(python) = python() else { return };
    let logs = Logs::with_talk(&["one", "two"]);
    ok(&logs, "branch talk dev --at 1");
    logs.append("talk", &["--branch", "dev"], &["aside"]);
    let seen = sees(&python, &logs, "talk", "dev", Some("more"));
    assert_eq!(seen["log"], json!(["one", "aside", "more"]));
    assert_eq!(seen["main"], json!(["one", "two"]));
    logs.append("talk", &["--branch", "dev"], &["again"]);
    ok(&logs, "restore talk dev");
    let seen = sees(&python, &logs, "talk", "main", None);
    assert_eq!(seen["log"], json!(["one", "aside", "more", "again"]));
    assert_eq!(seen["branches"]["main-edit-0"], json!(["one", "two"]));
    ok(&logs, "branch talk dev --delete");
    ok(&logs, "clean --branches --keep 0 --delete");
    let branches = sees(&python, &logs, "talk", "main", None)["branches"].clone();
    assert_eq!(branches.as_object().unwrap().keys().collect::<Vec<_>>(), ["main"]);
}

#[test]
fn gptme_goes_on_with_a_fork_and_finds_bookmarks() {
    let Some(python) = python() else { return };
    let logs = Logs::with_talk(&["one", "two"]);
    ok(&logs, "mark talk here");
    logs.append("talk", &[], &["three"]);
    ok(&logs, "fork talk copy");
    let seen = sees(&python, &logs, "copy", "main", Some("four"));
    assert_eq!(seen["log"], json!(["one", "two", "three", "four"]));
    assert_eq!(seen["bookmarks"], json!([[2, "here"]]));
    ok(&logs, "backtrack copy here");
    let seen = sees(&python, &logs, "copy", "main", None);
    assert_eq!(seen["log"], json!(["one", "two", "[Backtracked 2 message(s) to index 2 (checkpoint: 'here')]"]));
    assert_eq!(logs.contents("talk"), ["one", "two", "three"]);
    assert_eq!(logs.run(&["verify", "--all"]).code, 0);
}

#[test]
fn gptme_finds_what_was_attached_and_keeps_the_hash() {
    let Some(python) = python() else { return };
    let logs = Logs::with_talk(&["one"]);
    let directory = tempfile::tempdir().unwrap();
    let note = directory.path().join("note.txt");
    std::fs::write(&note, "v1").unwrap();
    let attached = logs.run(&["append", "talk", "--file", note.to_str().unwrap(), "see"]);
    assert_eq!((attached.code, attached.err.as_str()), (0, ""));
    std::fs::write(&note, "v2").unwrap();
    let seen = sees(&python, &logs, "talk", "main", Some("and now?"));
    assert_eq!(seen["files"], json!([["v1"]]));
    assert_eq!(sees(&python, &logs, "talk", "main", None)["files"], json!([["v1"]]));
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}
