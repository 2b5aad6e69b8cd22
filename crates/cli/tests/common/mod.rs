//! Running the program as a user does, in a fixed environment.
#![allow(dead_code, unreachable_pub, clippy::unwrap_used, clippy::panic)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The program, run in the root of the workspace with a home that does not exist, in UTC.
pub fn convlog(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_convlog"));
    command.args(arguments).current_dir(root()).env_clear().env("TZ", "UTC").env("HOME", "/nonexistent");
    command
}

/// Whether `script` can make a terminal; said loudly when it cannot.
pub fn has_terminals() -> bool {
    let has = Path::new("/usr/bin/script").exists();
    if !has {
        // Not `eprintln`, which the test harness would keep to itself.
        let _ = writeln!(std::io::stderr(), "SKIPPED: no /usr/bin/script; nothing was tried at a terminal");
    }
    has
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
