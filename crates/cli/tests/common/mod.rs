//! Running the program as a user does, in a fixed environment.
#![allow(
    dead_code,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects
)]

pub mod terminal;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program, run in the root of the workspace with a home that does not exist, in UTC.
pub fn convlog(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convlog"));
    command.args(arguments).current_dir(root()).env_clear().env("TZ", "UTC").env("HOME", "/nonexistent");
    command
}

pub struct Run {
    pub code: i32, // -1: ended by a signal
    pub out: String,
    pub err: String,
}

pub fn run(arguments: &[&str]) -> Run {
    ended(&convlog(arguments).output().unwrap())
}

pub fn ended(output: &Output) -> Run {
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout.clone()).unwrap(),
        err: String::from_utf8(output.stderr.clone()).unwrap(),
    }
}

impl Run {
    /// Everything that a user sees, for a snapshot.
    pub fn transcript(&self) -> String {
        format!("exit code {}\n── stdout\n{}── stderr\n{}", self.code, self.out, self.err)
    }
}

/// Every path below a directory with its content, times and mode, to see that nothing changed.
pub fn tree(directory: &Path) -> Vec<String> {
    use std::os::unix::fs::MetadataExt as _;
    let mut found = Vec::new();
    let mut waiting = vec![directory.to_path_buf()];
    while let Some(path) = waiting.pop() {
        let metadata = std::fs::symlink_metadata(&path).unwrap();
        let content = if metadata.is_file() { std::fs::read(&path).unwrap_or_default() } else { Vec::new() };
        found.push(format!(
            "{} {:o} {}.{} {content:?}",
            path.display(),
            metadata.mode(),
            metadata.mtime(),
            metadata.mtime_nsec()
        ));
        if metadata.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    found.sort();
    found
}

/// A directory of conversations for one test.
pub struct Logs(tempfile::TempDir);

impl Logs {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The same with a conversation `talk` of these messages, one a minute, all the user's.
    pub fn with_talk(contents: &[&str]) -> Self {
        let logs = Self::new();
        logs.append("talk", &["--create"], contents);
        logs
    }

    /// Appends messages of a fixed time, so that every byte is the same each time.
    pub fn append(&self, id: &str, options: &[&str], contents: &[&str]) {
        let one = |(minute, content): (usize, &&str)| {
            format!(
                "{{\"role\": \"user\", \"content\": \"{content}\", \"timestamp\": \"2026-01-02T03:{minute:02}:00\"}}\n"
            )
        };
        let lines: String = contents.iter().enumerate().map(one).collect();
        let appended = self.run_with(&[&["append", id, "--jsonl", "-"], options].concat(), &lines);
        assert_eq!(appended.code, 0, "{}", appended.err);
    }

    pub fn path(&self) -> &str {
        self.0.path().to_str().unwrap()
    }

    /// A file of the conversation `talk`.
    pub fn file(&self, relative: &str) -> PathBuf {
        self.0.path().join("talk").join(relative)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        convlog(&[&["--logs", self.path()], arguments].concat())
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        ended(&self.command(arguments).output().unwrap())
    }

    /// The same with something on standard input.
    pub fn run_with(&self, arguments: &[&str], input: &str) -> Run {
        let mut command = self.command(arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        // The program may have ended without reading it.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        ended(&child.wait_with_output().unwrap())
    }

    /// What a person sees who types these commands, one after the other; paths and today's times are taken out.
    pub fn session(&self, commands: &[&str]) -> String {
        let mut seen = String::new();
        for command in commands {
            let arguments: Vec<_> = command.split(' ').collect();
            let run = self.run(&arguments);
            seen += &format!("$ convlog {command}\n{}{}", run.out, run.err);
            if run.code != 0 {
                seen += &format!("exit code {}\n", run.code);
            }
        }
        without_today(&seen.replace(self.path(), "LOGS"))
    }

    pub fn contents(&self, id: &str) -> Vec<String> {
        self.contents_of(id, &[])
    }

    /// The same of a branch or a view: `--branch dev`.
    pub fn contents_of(&self, id: &str, options: &[&str]) -> Vec<String> {
        let shown = self.run(&[&["--json", "show", id], options].concat());
        assert_eq!(shown.err, "");
        let content = |line: &str| {
            let value = convlog_codec::json::parse(line.as_bytes()).unwrap().value;
            value.as_object().unwrap().get("content").unwrap().as_str().unwrap().to_owned()
        };
        shown.out.lines().map(content).collect()
    }

    /// Every file but event logs and locks: what a verb that fails leaves as it is.
    pub fn state(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut found = Vec::new();
        let mut waiting = vec![self.0.path().to_path_buf()];
        while let Some(path) = waiting.pop() {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() {
                waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
                found.push((path, Vec::new()));
            } else if name != "events.jsonl" && !name.ends_with(".lock") {
                found.push((path.clone(), std::fs::read(&path).unwrap_or_default()));
            }
        }
        found.sort();
        found
    }
}

/// A text with `NOW` for each time but those that the messages of tests bear.
fn without_today(text: &str) -> String {
    let is_now = |word: &str| {
        let bytes = word.as_bytes();
        word.len() > 19 && bytes[4] == b'-' && bytes[10] == b'T' && !word.starts_with("2026-01-02")
    };
    let ends = [' ', '\n', '"'];
    let mut seen = String::new();
    for part in text.split_inclusive(ends) {
        let word = part.trim_end_matches(ends);
        seen += if is_now(word) { "NOW" } else { word };
        seen += &part[word.len()..];
    }
    seen
}
