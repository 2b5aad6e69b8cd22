//! What a person sees at a terminal, which `script` makes, and what a program gets.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::{has_terminals, run};

/// Logs with one conversation, which holds what steers terminals, code, and long lines.
fn logs() -> tempfile::TempDir {
    let logs = tempfile::tempdir().unwrap();
    std::fs::create_dir(logs.path().join("talk")).unwrap();
    let lines = format!(
        "{}\n{}\n{}\n",
        r#"{"role": "user", "content": "red \u001b[31m\u009b2J title \u001b]0;x\u0007", "timestamp": "2026-01-02T03:04:05"}"#,
        r#"{"role": "assistant", "content": "```py\ndef f():\n    return 1\n```", "timestamp": "2026-01-02T03:04:06"}"#,
        format_args!(
            r#"{{"role": "system", "content": "Saved to a.md\n{}", "timestamp": "2026-01-02T03:04:07"}}"#,
            "word \\u65e5\\u672c ".repeat(300)
        ),
    );
    std::fs::write(logs.path().join("talk/conversation.jsonl"), lines).unwrap();
    logs
}

/// What a terminal of 40 columns gets; `None` (said loudly) when none can be made.
fn at_a_terminal(logs: &Path, arguments: &str) -> Option<String> {
    if !has_terminals() {
        return None;
    }
    let program = env!("CARGO_BIN_EXE_convlog");
    let command = format!("stty cols 40 rows 50; '{program}' --logs '{}' {arguments}", logs.display());
    let mut script = Command::new("/usr/bin/script");
    script.args(["-qec", &command, "/dev/null"]).env_clear().env("PATH", "/usr/bin:/bin").env("PAGER", "");
    let output = script.env("TERM", "xterm").env("TZ", "UTC").stdin(Stdio::null()).output().unwrap();
    Some(String::from_utf8(output.stdout).unwrap().replace("\r\n", "\n"))
}

fn colors_taken_away(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

#[test]
fn a_person_sees_colours_and_nothing_that_steers() {
    let logs = logs();
    let Some(shown) = at_a_terminal(logs.path(), "show talk") else { return };
    assert!(shown.contains("\u{1b}[1m\u{1b}[34mdef\u{1b}[0m"), "code is highlighted: {shown:?}");
    let text = colors_taken_away(&shown);
    assert!(text.contains("red \u{241b}[31m\u{fffd}2J title \u{241b}]0;x\u{2407}"), "{text}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(text.contains("✅") && text.contains("lines left out; `--full` shows them"), "{text}");
    insta::assert_snapshot!("terminal-show", text);

    let plain = at_a_terminal(logs.path(), "--color never show talk --full").unwrap();
    assert!(!plain.contains('\u{1b}') && !plain.contains("left out"), "{plain:?}");
    let exported = at_a_terminal(logs.path(), "export talk").unwrap();
    assert!(exported.contains("red \u{241b}[31m") && !exported.contains('\u{1b}'), "{exported:?}");
    let blocks = at_a_terminal(logs.path(), "codeblocks talk").unwrap();
    assert!(colors_taken_away(&blocks).contains("  1 line 0  py\n  def f():\n"), "{blocks:?}");
}

/// An export is the document, byte for byte, whatever it holds.
#[test]
fn a_program_gets_the_document_as_it_is() {
    let logs = logs();
    let path = logs.path().to_str().unwrap();
    let piped = run(&["--logs", path, "export", "talk"]).out;
    assert!(piped.contains("red \u{1b}[31m\u{9b}2J title \u{1b}]0;x\u{7}"), "{piped:?}");
    let file = logs.path().join("talk.md");
    run(&["--logs", path, "export", "talk", "--output", file.to_str().unwrap()]);
    assert_eq!(std::fs::read_to_string(file).unwrap(), piped);
}
