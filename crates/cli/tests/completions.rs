//! What a shell offers, asked as shells ask, and typed at a real one; the pages of the manual.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use common::terminal::{Terminal, program};
use common::{Logs, convlog, ended, run};

/// What is offered for the last word.
fn offered(logs: &Logs, words: &[&str]) -> Vec<String> {
    let typed = [&["convlog", "--logs", logs.path()], words].concat();
    // The script calls the program like this; see `convlog completions bash`.
    let mut command = convlog(&[&["--"], &*typed].concat());
    command.env("CONVLOG_COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", typed.len().saturating_sub(1).to_string());
    let output = ended(&command.output().unwrap());
    assert_eq!((output.code, &*output.err), (0, ""));
    output.out.lines().map(str::to_owned).collect()
}

#[test]
fn what_there_is_is_offered() {
    let logs = Logs::with_talk(&["one", "two"]);
    logs.append("another", &["--create"], &["three"]);
    for made in [&["branch", "talk", "idea"][..], &["undo", "talk"], &["mark", "talk", "here"]] {
        assert_eq!(logs.run(made).code, 0);
    }
    let view = logs.run_with(&["view", "talk", "short", "--from", "-"], "{\"role\": \"user\", \"content\": \"one\"}\n");
    assert_eq!(view.code, 0, "{}", view.err);
    for (words, offers) in [
        (&["show", ""][..], &["another", "talk"][..]),
        (&["show", "ta"], &["talk"]),
        (&["verify", "another", "t"], &["talk"]),
        (&["search", "query", "an"], &["another"]),
        (&["show", "talk", "--branch", ""], &["main", "idea", "main-undo-0"]),
        (&["show", "ta", "--branch", "i"], &["idea"]),
        (&["diff", "talk", "main", "main-"], &["main-undo-0"]),
        (&["restore", "talk", "i"], &["idea"]),
        (&["show", "talk", "--view", ""], &["short"]),
        (&["view", "talk", "--switch", ""], &["short"]),
        (&["backtrack", "talk", ""], &["here"]),
        (&["append", "talk", "--role", "a"], &["assistant"]),
        (&["export", "talk", "--to", "ht"], &["html"]),
        (&["list", "--sort", "co"], &["cost"]),
        (&["verif"], &["verify"]),
        (&["show", "talk", "--vi"], &["--view"]),
        // Nothing to offer is nothing to complain about.
        (&["show", "none", "--branch", ""], &["main"]),
        (&["backtrack", "none", ""], &[]),
    ] {
        let mut found = offered(&logs, words);
        found.retain(|word| offers.contains(&&**word) || !word.starts_with('-'));
        found.sort();
        let mut offers = offers.to_vec();
        offers.sort_unstable();
        assert_eq!(found, offers, "{words:?}");
    }
}

/// Somebody types the beginning and presses the tabulator, in bash.
#[test]
fn a_person_completes_at_a_shell() {
    let logs = Logs::with_talk(&["one"]);
    logs.run(&["branch", "talk", "idea"]);
    let bin = std::path::Path::new(env!("CARGO_BIN_EXE_convlog")).parent().unwrap();
    let shell = program("/bin/bash", &["--norc", "-i"])
        .env("PATH", format!("{}:/usr/bin:/bin", bin.display()))
        .env("GPTME_LOGS_HOME", logs.path())
        .env("PS1", "$ ");
    let mut terminal = Terminal::start(shell, 120);
    terminal.types("source <(convlog completions bash); echo is-\"\"ready\n");
    terminal.shows("is-ready");
    terminal.types("convlog --color never show ta\t--branch id\t");
    terminal.shows("show talk --branch idea");
    terminal.types("\n");
    terminal.shows("0 user  2026-01-02 03:00");
    terminal.types("exit\n");
    terminal.ended();
}

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        assert!(script.code == 0 && script.out.contains("CONVLOG_COMPLETE"), "{shell}: {}", script.out);
    }
    assert_eq!(run(&["completions", "tcsh"]).code, 2);
}

#[test]
fn the_manual_says_what_the_help_says() {
    let logs = Logs::new();
    let written = logs.run(&["man", "--output", logs.path()]);
    assert_eq!((written.code, &*written.err), (0, ""));
    let help = run(&["help"]).out;
    let verbs = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ")).map(|(verb, _)| verb);
    let verbs: Vec<_> = verbs.filter(|verb| verb.chars().all(|c| c.is_ascii_lowercase()) && !verb.is_empty()).collect();
    assert!(verbs.len() > 29 && verbs.contains(&"append"), "{verbs:?}");
    for verb in verbs.into_iter().filter(|verb| *verb != "help") {
        let page = std::fs::read_to_string(format!("{}/convlog-{verb}.1", logs.path())).unwrap();
        assert!(page.contains(".SH DESCRIPTION") && page.contains("Example"), "{verb}: {page}");
        assert_eq!(run(&["man", verb]).out, page, "{verb}");
    }
    let first = run(&["man"]).out;
    assert!(first.contains("convlog\\-append(1)") && first.contains("Exit codes"), "{first}");
    let wrong = run(&["man", "frobnicate"]);
    assert!(wrong.code == 2 && wrong.err.contains("`convlog help` lists them"), "{}", wrong.err);
    assert_eq!(run(&["man", "--output", "/nonexistent"]).code, 1);
}
