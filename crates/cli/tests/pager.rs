//! Long text goes through `$PAGER` at a terminal, and nowhere else.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use common::Logs;
use common::terminal::{Terminal, convlog, shown};
use pty_process::blocking::Command;

/// What these arguments show through a pager that marks each line.
fn paged(logs: &Logs, pager: &str, arguments: &[&str]) -> String {
    shown(command(logs, pager, arguments), 80)
}

fn command(logs: &Logs, pager: &str, arguments: &[&str]) -> Command {
    convlog(&[&["--logs", logs.path()], arguments].concat()).env("PAGER", pager)
}

const MARKED: &str = "sed s/^/paged:/";

#[test]
fn long_text_goes_through_the_pager() {
    let logs = Logs::with_talk(&["one\\n```sh\\nls\\n```", "two"]);
    let long: [&[&str]; 7] = [
        &["list"],
        &["show", "talk"],
        &["search", "two"],
        &["context", "talk"],
        &["codeblocks", "talk"],
        &["export", "talk"],
        &["diff", "talk", "main", "main"],
    ];
    for arguments in long {
        let text = paged(&logs, MARKED, arguments);
        assert!(!text.is_empty() && text.lines().all(|line| line.starts_with("paged:")), "{arguments:?}: {text:?}");
        let json = paged(&logs, MARKED, &[&["--json"], arguments].concat());
        assert!(arguments[0] == "export" || !json.contains("paged:"), "{arguments:?}: {json:?}");
    }
    assert_eq!(logs.run(&["show", "talk"]).out, paged(&logs, "", &["--color", "never", "show", "talk"]));
}

#[test]
fn colours_reach_the_pager_unless_they_are_unwanted() {
    let logs = Logs::with_talk(&["one"]);
    assert!(paged(&logs, "cat", &["show", "talk"]).contains("\u{1b}["));
    assert!(!paged(&logs, "cat", &["--color", "never", "show", "talk"]).contains('\u{1b}'));
    let without = shown(command(&logs, "cat", &["list"]).env("NO_COLOR", "1"), 80);
    assert!(without.contains("talk") && !without.contains('\u{1b}'), "{without:?}");
}

#[test]
fn without_a_pager_the_text_comes_all_the_same() {
    let logs = Logs::with_talk(&["one"]);
    for none in ["", " ", "/nonexistent/pager"] {
        assert!(paged(&logs, none, &["show", "talk"]).contains("one"), "{none:?}");
    }
    let error = paged(&logs, MARKED, &["show", "none"]);
    assert!(error.contains("no conversation \"none\"") && !error.contains("paged:"), "{error}");
}

/// Whoever leaves the pager has had enough; that is no error.
#[test]
fn a_pager_may_be_left_early() {
    let logs = Logs::new();
    logs.append("talk", &["--create"], &[&"one of many lines\\n".repeat(20_000)]);
    let (text, status) = Terminal::start(command(&logs, "head -n 1", &["show", "talk"]), 80).ended();
    assert!(status.success() && text.lines().count() == 1, "{status}: {text:?}");
}

/// Ctrl-C is the pager's, as in `less`, where it ends a search: the program waits until the pager is left.
#[test]
fn an_interrupt_is_left_to_the_pager() {
    let logs = Logs::with_talk(&["one"]);
    let pager = logs.file("pager");
    // An interrupt ends a `read` in one shell and not in another.
    let script = "trap 'echo INTERRUPTED' INT; echo READY; cat > /dev/null; \
                  read -r key < /dev/tty || read -r key < /dev/tty; echo \"LEFT by $key\"";
    std::fs::write(&pager, script).unwrap();
    let mut terminal = Terminal::start(command(&logs, &format!("sh {}", pager.display()), &["show", "talk"]), 80);
    terminal.shows("READY");
    terminal.types("\u{3}");
    terminal.shows("INTERRUPTED");
    terminal.types("q\n");
    let (text, status) = terminal.ended();
    assert!(status.success() && text.contains("LEFT by q"), "{status}: {text:?}");
}
