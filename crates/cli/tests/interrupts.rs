//! Ctrl-C and closed pipes: what was acknowledged is there, the lock is free, and nobody is told off.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::io::Write as _;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;

use common::Logs;
use common::terminal::{Terminal, convlog, program};

const INTERRUPT: i32 = 2;

fn line(number: usize) -> String {
    format!("{{\"role\": \"user\", \"content\": \"message {number}\"}}\n")
}

/// Somebody types messages and is cut off amid one.
#[test]
fn an_interrupt_while_typing_loses_nothing_and_frees_the_lock() {
    let logs = Logs::new();
    let arguments = ["--logs", logs.path(), "append", "talk", "--create", "--jsonl", "-"];
    let mut terminal = Terminal::start(convlog(&arguments), 80);
    for number in 0..3 {
        terminal.types(&line(number));
        terminal.shows(&format!("{{\"ok\":true,\"index\":{number}}}"));
    }
    let locked = logs.run(&["append", "talk", "from elsewhere"]);
    assert_eq!(locked.code, 3, "the lock is held: {}", locked.err);
    terminal.types("{\"role\": \"user\", \"content\": \"half a mess");
    terminal.types("\u{3}");
    let (text, status) = terminal.ended();
    assert_eq!(status.signal(), Some(INTERRUPT), "{text}");

    assert_eq!(logs.contents("talk"), ["message 0", "message 1", "message 2"]);
    let after = logs.run(&["append", "talk", "after"]);
    assert_eq!((after.code, &*after.err), (0, ""), "the lock is free, and there is nothing to heal");
    assert_eq!(logs.contents("talk").len(), 4);
    assert_eq!(logs.run(&["verify", "talk"]).code, 0);
}

/// A program pours messages in as fast as they are taken; whenever the interrupt comes, every acknowledged one is there.
#[test]
fn an_interrupt_amid_a_stream_keeps_all_that_was_acknowledged() {
    for wanted in [1, 40, 300] {
        let logs = Logs::new();
        let arguments = ["--logs", logs.path(), "append", "talk", "--create", "--jsonl", "-"];
        let mut terminal = Terminal::start(convlog(&arguments).stdin(Stdio::piped()), 80);
        let mut stdin = terminal.stdin();
        let pouring = std::thread::spawn(move || {
            // The program is cut off before it has taken them all.
            (0..).take_while(|number| stdin.write_all(line(*number).as_bytes()).is_ok()).count()
        });
        let acknowledged = |text: &str| text.matches("\"ok\":true").count();
        terminal.read_until(|text| acknowledged(text) >= wanted, "acknowledgements");
        terminal.types("\u{3}");
        let (text, status) = terminal.ended();
        assert_eq!(status.signal(), Some(INTERRUPT));
        let poured = pouring.join().unwrap();

        let after = logs.run(&["append", "talk", "after"]);
        assert_eq!(after.code, 0, "the lock is free: {}", after.err);
        let kept = logs.contents("talk").len() - 1;
        assert!((acknowledged(&text)..=poured).contains(&kept), "{} <= {kept} <= {poured}", acknowledged(&text));
        let expected: Vec<_> = (0..kept).map(|number| format!("message {number}")).collect();
        assert_eq!(logs.contents("talk")[..kept], expected);
        let verified = logs.run(&["verify", "talk"]);
        assert_eq!(verified.code, 0, "{}", verified.out);
    }
}

#[test]
fn following_ends_with_an_interrupt() {
    let logs = Logs::with_talk(&["one"]);
    let mut terminal = Terminal::start(convlog(&["--logs", logs.path(), "--json", "follow", "talk"]), 80);
    // What is there already is not printed again.
    std::thread::sleep(std::time::Duration::from_millis(500));
    logs.append("talk", &[], &["two"]);
    terminal.shows("\"content\":\"two\"");
    terminal.types("\u{3}");
    assert_eq!(terminal.ended().1.signal(), Some(INTERRUPT));
}

/// `convlog … | head -1` says nothing but that one line, and the program counts it as done.
#[test]
fn a_closed_pipe_is_no_error_at_a_terminal() {
    let logs = Logs::new();
    logs.append("talk", &["--create"], &[&"one of many lines\\n".repeat(20_000)]);
    for verb in ["show talk", "--json show talk", "export talk", "search line", "context talk", "events talk"] {
        let convlog = format!("'{}' --logs '{}' {verb}", env!("CARGO_BIN_EXE_convlog"), logs.path());
        let script = format!("{convlog} | head -n 1 > /dev/null; echo ended ${{PIPESTATUS[0]}}");
        let (text, _) = Terminal::start(program("/bin/bash", &["-c", &script]), 80).ended();
        assert_eq!(text, "ended 0\n", "{verb}");
    }
}
