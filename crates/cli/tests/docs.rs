//! What the docs show is what comes out: the README's commands, `docs/cli.md`, and every verb and option they name.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::string_slice)]

mod common;

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use common::{Logs, Run, ended, root, run};

/// Set to have `docs/cli.md` written instead of compared.
const WRITE: &str = "CONVLOG_WRITE_DOCS";

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap()
}

/// Each `$ command` of the `console` blocks with what is shown below it.
fn shown(markdown: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    let mut fence = None;
    for line in markdown.lines() {
        match (&fence, line.strip_prefix("$ ")) {
            (None, _) => {
                fence = line.strip_suffix("console").filter(|ticks| ticks.starts_with("```")).map(str::to_owned);
            }
            (Some(end), _) if line == end => fence = None,
            (Some(_), Some(command)) => found.push((command.to_owned(), String::new())),
            (Some(_), None) => {
                let (_, output) = found.last_mut().unwrap();
                *output += &format!("{line}\n");
            }
        }
    }
    found
}

#[test]
fn the_readme_shows_what_the_program_prints() {
    let readme = read("README.md");
    let begins = "cargo run --release -p convlog-cli -- ";
    let commands: Vec<_> = shown(&readme).into_iter().filter(|(command, _)| command.starts_with(begins)).collect();
    assert_eq!(commands.len(), 2);
    for (command, output) in commands {
        let arguments: Vec<&str> = command[begins.len()..].split(' ').collect();
        assert_eq!(run(&arguments).out.trim_end(), output.trim_end(), "{command}");
    }
}

/// From nothing to a message that is appended and recovered: the lines of "Five minutes", in one shell.
#[test]
fn five_minutes_with_the_readme() {
    let readme = read("README.md");
    let section = readme.split("## Five minutes").nth(1).unwrap().split("\n## ").next().unwrap();
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(home.path().join(".local/share/gptme/logs")).unwrap();
    let bin = Path::new(env!("CARGO_BIN_EXE_convlog")).parent().unwrap();
    let lines = shown(section);
    assert!(lines.len() > 5 && lines[0].0 == "cargo install --path crates/cli");
    for (command, output) in &lines[1..] {
        let mut shell = Command::new("bash");
        shell.args(["-c", command]).env_clear().env("HOME", home.path()).env("TZ", "UTC");
        shell.env("PATH", format!("{}:/usr/bin:/bin", bin.display()));
        let Run { out, err, .. } = ended(&shell.output().unwrap());
        let seen = (err + &out).replace(home.path().to_str().unwrap(), "~");
        assert_eq!(seen.trim_end(), output.trim_end(), "{command}");
    }
}

/// A command with what it prints, as a block of a page.
fn block(command: &str, printed: &str) -> String {
    format!("````console\n$ convlog {command}\n{}\n````\n", printed.trim_end())
}

/// The page as it is today.
fn page() -> String {
    let logs = "fixtures/logs";
    let with_logs = |arguments: &[&str]| run(&[&["--logs", logs], arguments].concat());
    let mut page = "# The command line as it comes out\n\nWritten by the program itself (`crates/cli/tests/docs.rs`), on the conversations in `fixtures/logs`.\n".to_owned();
    let mut section = |title: &str, text: &str, blocks: &[String]| {
        write!(page, "\n## {title}\n\n{text}\n\n{}", blocks.join("\n")).unwrap();
    };
    section(
        "The help",
        "Each verb has its own, with examples: `convlog append --help`.",
        &[block("--help", &run(&["--help"]).out)],
    );

    let ambiguous = with_logs(&["show", "2026-01"]);
    let prefix = with_logs(&["undo", "2026-01-12"]);
    let talk = Logs::with_talk(&["What is 6 × 7?"]);
    let wrong =
        talk.run_with(&["edit", "talk", "--from", "-"], "[[messages]]\nrole = \"user\"\ncontent = \"unclosed\n");
    assert_eq!([ambiguous.code, prefix.code, wrong.code], [1, 1, 1]);
    section(
        "Errors",
        "An error says what is wrong, where, and what to do next. The exit code is 1.",
        &[
            block("show 2026-01", &ambiguous.err),
            block("undo 2026-01-12", &prefix.err),
            block("edit talk --from - < wrong.toml", &wrong.err),
        ],
    );

    let sums = with_logs(&["verify", "--all"]);
    section(
        "Is everything sound?",
        "`verify` reads everything and changes nothing.",
        &[block("verify --all", &sums.out)],
    );

    let html = with_logs(&["export", "2026-01-12", "--to", "html"]).out;
    let from = html.find("<article id=\"m2\"").unwrap();
    let to = html.find("<details id=\"m4\"").unwrap();
    let text = format!(
        "One page that needs nothing else: `convlog export 2026-01-12 --output talk.html` writes {} lines. A question and \
         its answer in it:",
        html.lines().count()
    );
    section("The HTML page", &text, &[format!("````html\n{}````\n", &html[from..to])]);
    page
}

#[test]
fn the_page_of_the_command_line_is_of_today() {
    let path = root().join("docs/cli.md");
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(&path, page()).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page(),
        "docs/cli.md is not what comes out; `{WRITE}=1 cargo test -p convlog-cli --test docs` writes it"
    );
}

/// Every `convlog VERB --option` in the documents is one that there is.
#[test]
fn the_docs_name_verbs_and_options_that_exist() {
    let listed = Command::new("git").args(["ls-files", "*.md"]).current_dir(root()).output().unwrap();
    let documents: Vec<_> = String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect();
    assert!(documents.len() > 10, "{documents:?}");
    let mut seen = 0;
    for document in documents.iter().filter(|document| root().join(document).exists()) {
        for (at, line) in read(document).lines().enumerate() {
            // In a block of commands a line begins with `$`; in a text it stands in backticks.
            let quoted = line.split('`').skip(1).step_by(2);
            let typed = line.strip_prefix("$ ").and_then(|line| line.split("  ").next());
            let piped = quoted.chain(typed).flat_map(|command| command.split('|'));
            for command in piped.filter_map(|command| command.trim().strip_prefix("convlog ")) {
                check(command, &format!("{document}:{}", at + 1));
                seen += 1;
            }
        }
    }
    assert!(seen > 40, "{seen}");
}

/// Asks the help of the verb for each long option.
fn check(command: &str, place: &str) {
    let words: Vec<_> = command.split_whitespace().collect();
    let global = ["--json", "--version", "--help", "--logs", "--format", "--color", "-v", "…"];
    let Some(verb) = words.iter().find(|word| !word.starts_with('-') && !global.contains(word)) else { return };
    // `convlog VERB` names none.
    if verb.chars().all(|c| c.is_ascii_uppercase()) || *verb == "help" {
        return;
    }
    let help = run(&[verb, "--help"]);
    assert_eq!(help.code, 0, "{place}: there is no verb {verb}: {command}");
    for option in words.iter().filter(|word| word.starts_with("--")) {
        let option = option.trim_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        assert!(help.out.contains(option), "{place}: {verb} has no {option}: {command}");
    }
}

/// The sizes that `docs/scaling.md` reckons with.
#[test]
fn conversations_are_as_large_as_the_sums_say() {
    let sums = read("docs/scaling.md");
    let text = "nine letters and a blank ".repeat(36);
    assert_eq!(text.len(), 900);
    for (messages, factor) in [(20, "1.32"), (100, "1.03")] {
        let logs = Logs::new();
        let line = format!("{{\"role\": \"assistant\", \"content\": \"{text}\"}}\n");
        let appended = logs.run_with(&["append", "talk", "--create", "--jsonl", "-"], &line.repeat(messages));
        assert_eq!(appended.code, 0, "{}", appended.err);
        let size = |name: &str| std::fs::metadata(logs.file(name)).unwrap().len() as f64;
        let (transcript, events) = (size("conversation.jsonl"), size("events.jsonl"));
        let a_message = transcript / messages as f64;
        assert!(sums.contains("| 978 bytes |") && (970.0..990.0).contains(&a_message), "{a_message}");
        assert!(sums.contains(&format!("| {factor} times the transcript |")), "{factor}");
        let measured = events / transcript;
        assert!((measured - factor.parse::<f64>().unwrap()).abs() < 0.03, "{messages}: {measured}");
    }
}
