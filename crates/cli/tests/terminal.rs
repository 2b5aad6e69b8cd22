//! What a person sees at a terminal, and what a program gets.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::Path;

use common::terminal::{convlog, shown, without_colors};
use common::{Logs, run};

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

/// What a terminal of 40 columns shows.
fn at_a_terminal(logs: &Path, arguments: &[&str]) -> String {
    shown(convlog(&[&["--logs", logs.to_str().unwrap()], arguments].concat()), 40)
}

#[test]
fn a_person_sees_colours_and_nothing_that_steers() {
    let logs = logs();
    let shown = at_a_terminal(logs.path(), &["show", "talk"]);
    assert!(shown.contains("\u{1b}[1m\u{1b}[34mdef\u{1b}[0m"), "code is highlighted: {shown:?}");
    let text = without_colors(&shown);
    assert!(text.contains("red \u{241b}[31m\u{fffd}2J title \u{241b}]0;x\u{2407}"), "{text}");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
    assert!(text.contains("✅") && text.contains("lines left out; `--full` shows them"), "{text}");
    insta::assert_snapshot!("terminal-show", text);

    let plain = at_a_terminal(logs.path(), &["--color", "never", "show", "talk", "--full"]);
    assert!(!plain.contains('\u{1b}') && !plain.contains("left out"), "{plain:?}");
    let exported = at_a_terminal(logs.path(), &["export", "talk"]);
    assert!(exported.contains("red \u{241b}[31m") && !exported.contains('\u{1b}'), "{exported:?}");
    let blocks = at_a_terminal(logs.path(), &["codeblocks", "talk"]);
    assert!(without_colors(&blocks).contains("  1 line 0  py\n  def f():\n"), "{blocks:?}");
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

/// `--color` has the last word, then `NO_COLOR`, then whether it is a terminal.
#[test]
fn colours_are_for_terminals_unless_told_otherwise() {
    let logs = logs();
    let arguments = ["--logs", logs.path().to_str().unwrap(), "show", "talk"];
    let is_colored = |text: &str| text.contains("\u{1b}[");
    assert!(is_colored(&shown(convlog(&arguments), 80)));
    assert!(!is_colored(&shown(convlog(&arguments).env("NO_COLOR", "1"), 80)));
    assert!(!is_colored(&shown(convlog(&arguments).env("TERM", "dumb"), 80)));
    let always = [&["--color", "always"], &arguments[..]].concat();
    assert!(is_colored(&shown(convlog(&always).env("NO_COLOR", "1"), 80)));
    assert!(!is_colored(&run(&arguments).out) && is_colored(&run(&always).out));
}

/// No line of a list is wider than the terminal, whatever that is, and letters of two columns count for two.
#[test]
fn lines_are_as_wide_as_the_terminal() {
    use unicode_width::UnicodeWidthStr;
    let logs = Logs::with_talk(&[&"word 日本 ".repeat(300)]);
    for columns in [50, 77, 97] {
        for verb in [&["list"][..], &["show", "talk"]] {
            let arguments = [&["--logs", logs.path()], verb].concat();
            let text = without_colors(&shown(convlog(&arguments), columns));
            let widest = text.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= usize::from(columns), "{widest} > {columns}: {text}");
            assert!(widest + 10 > usize::from(columns), "{widest} of {columns}: {text}");
        }
    }
}

/// A question is answered at the terminal; whoever presses Enter has not agreed.
#[test]
fn deleting_asks() {
    use common::terminal::Terminal;
    let logs = logs();
    let arguments = ["--logs", logs.path().to_str().unwrap(), "delete", "talk"];
    for (answer, is_there) in [("\n", true), ("y\n", false)] {
        let mut terminal = Terminal::start(convlog(&arguments), 80);
        terminal.shows("for good? [y/N]");
        terminal.types(answer);
        let (text, status) = terminal.ended();
        assert_eq!((status.success(), logs.path().join("talk").exists()), (!is_there, is_there), "{text}");
    }
}

/// What takes over a second shows how far it is, on a terminal only, and takes that away when it is done.
#[test]
fn what_takes_long_shows_its_progress() {
    let directory = tempfile::tempdir().unwrap();
    let logs = directory.path().join("logs");
    let arguments = ["--logs", logs.to_str().unwrap(), "verify", "--all"];
    // One long transcript under many names, so that it takes long and little room.
    let line = "{\"role\": \"user\", \"content\": \"hello\", \"timestamp\": \"2026-01-02T03:04:05\"}\n";
    let transcript = directory.path().join("transcript");
    std::fs::write(&transcript, line.repeat(50_000)).unwrap();
    let seconds_with = |count: usize| {
        for number in 0..count {
            let home = logs.join(format!("{count}-{number}"));
            std::fs::create_dir_all(&home).unwrap();
            std::fs::hard_link(&transcript, home.join("conversation.jsonl")).unwrap();
        }
        let begin = std::time::Instant::now();
        let alone = run(&arguments);
        assert_eq!((alone.code, &*alone.err), (0, ""), "no progress where it is no terminal");
        begin.elapsed().as_secs_f64()
    };
    let enough = (3..12).any(|power| seconds_with(1 << power) > 2.0);
    assert!(enough, "nothing takes long on this machine");
    let text = shown(convlog(&arguments), 80);
    assert!(text.contains("conversations verified"), "{text:?}");
    assert!(text.trim_end().ends_with("all sound"), "{text:?}");
}
