//! The examples of every help are run as they stand there, line after line, in a shell.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod common;

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{ended, root, run};

/// What each line needs beside a conversation `ID`: done before the examples of the verb are run.
const BEFORE: &[(&str, &str)] = &[
    ("backtrack", "convlog mark ID before-the-rewrite"),
    ("diff", "convlog branch ID idea --at 6; convlog undo ID 2"),
    ("delete", "convlog append ID1 --create one; convlog append ID2 --create two"),
    ("edit", "convlog branch ID dev; convlog export ID --to toml --output corrected.toml"),
    ("import", "convlog export ID --to toml --output talk.toml; convlog export ID --to jsonl --output talk.jsonl"),
    ("marks", "convlog mark ID here"),
    ("restore", "convlog undo ID 2"),
    ("show", "convlog branch ID dev"),
];

/// Programs that the examples name, and what stands in for them.
const OTHERS: &[(&str, &str)] = &[
    ("code", "true"),
    ("git", "echo a difference"),
    ("jq", "cat"),
    ("man", "cat"),
    ("my-agent", "echo '{\"role\": \"assistant\", \"content\": \"42\"}'"),
    ("summarise", "echo '{\"role\": \"system\", \"content\": \"in short\"}'"),
];

/// The verbs of the help.
fn verbs() -> Vec<String> {
    let help = run(&["help"]).out;
    let commands = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let names = commands.lines().filter(|line| !line.starts_with("   ")).map(|line| line.split_whitespace().next());
    names.map(|name| name.unwrap().to_owned()).filter(|name| name != "help").collect()
}

/// The lines under `Examples:`, without what explains them.
fn examples(verb: Option<&str>) -> Vec<String> {
    let help = run(&verb.into_iter().chain(["--help"]).collect::<Vec<_>>()).out;
    let (_, shown) = help.split_once("Example").unwrap_or_else(|| panic!("{verb:?} shows no example"));
    let lines = shown.lines().skip(1).take_while(|line| !line.is_empty());
    lines.map(|line| line.trim().split("  ").next().unwrap().to_owned()).collect()
}

/// A home with conversations, in which examples may do what they like.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        let home = Self(tempfile::tempdir().unwrap());
        for directory in ["logs", "bin", ".config/fish/completions", ".local/share/man/man1"] {
            std::fs::create_dir_all(home.path(directory)).unwrap();
        }
        for (name, does) in OTHERS {
            let path = home.path("bin").join(name);
            std::fs::write(&path, format!("#!/bin/sh\n{does}\n")).unwrap();
            std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        }
        for file in ["notes.txt", "plot.png"] {
            std::fs::write(home.path(file), file).unwrap();
        }
        let fixture = root().join("fixtures/logs/2026-01-12-fixing-the-parser");
        let copied = Command::new("cp").arg("-r").arg(fixture).arg(home.path("logs")).status().unwrap();
        assert!(copied.success());
        let lines: String = (0..16).map(|number| message(number) + "\n").collect();
        std::fs::write(home.path("talk"), lines).unwrap();
        home.does("convlog append ID --create --jsonl - < talk");
        let trashed = home.path("logs/.convlog-trash/OLD");
        std::fs::create_dir_all(&trashed).unwrap();
        std::fs::write(trashed.join("conversation.jsonl"), "").unwrap();
        home
    }

    fn path(&self, relative: &str) -> PathBuf {
        self.0.path().join(relative)
    }

    /// Runs a line in a shell and expects that it works out.
    fn does(&self, line: &str) {
        let program = Path::new(env!("CARGO_BIN_EXE_convlog")).parent().unwrap();
        let path = format!("{}:{}:/usr/bin:/bin", program.display(), self.path("bin").display());
        // What follows a conversation never ends by itself.
        let is_endless = line.contains(" follow ");
        let mut shell = Command::new("timeout");
        shell
            .args([if is_endless { "1" } else { "60" }, "bash", "-o", "pipefail", "-c", line])
            .current_dir(self.0.path());
        shell.env_clear().env("PATH", path).env("HOME", self.0.path()).env("GPTME_LOGS_HOME", self.path("logs"));
        let ended = ended(&shell.env("EDITOR", "true").output().unwrap());
        let wanted = if is_endless { 124 } else { 0 };
        assert_eq!((ended.code, &*ended.err), (wanted, ""), "{line}\n{}", ended.out);
    }
}

/// One of the messages of `ID`.
fn message(number: usize) -> String {
    let (role, content) = match number {
        3 => ("assistant", "```shell\\nls\\n```".to_owned()),
        4 => ("user", "this fixes #12, the deadlock".to_owned()),
        _ => ("user", format!("message {number}")),
    };
    format!("{{\"role\": \"{role}\", \"content\": \"{content}\", \"timestamp\": \"2026-01-02T03:04:{number:02}\"}}")
}

#[test]
fn the_examples_of_each_verb_work() {
    for verb in verbs() {
        let home = Home::new();
        if let Some((_, before)) = BEFORE.iter().find(|(of, _)| *of == verb) {
            home.does(before);
        }
        let lines = examples(Some(&verb));
        assert!(!lines.is_empty(), "{verb}");
        for line in lines {
            assert!(line.contains("convlog "), "{verb}: {line}");
            home.does(&line);
        }
    }
}

#[test]
fn the_first_examples_work() {
    let home = Home::new();
    for line in examples(None) {
        home.does(&line);
    }
}

/// A help says first what the verb does, and its own options before those of every verb.
#[test]
fn every_help_begins_with_what_is_special() {
    for verb in verbs() {
        let help = run(&[&verb, "--help"]).out;
        let own = help.find("Options:\n").unwrap();
        assert!(own < help.find("Options of every verb:\n").unwrap(), "{help}");
        assert!(help.starts_with(|c: char| c.is_ascii_uppercase()), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 100), "{help}");
    }
}
