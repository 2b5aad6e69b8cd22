//! Files: a first line that says what the job is, no more lines than a reader can hold, no printing in
//! libraries.

use std::fs;

use anyhow::{Context as _, Result};

use crate::run::{command, output, root};

const MOST_LINES: usize = 500;

/// Files that may be longer, each with its reason.
const LONG: &[(&str, &str)] = &[];

/// Macros that print; a library hands results to its caller.
const PRINTING: &[&str] = &["println!", "eprintln!", "print!(", "eprint!(", "dbg!"];

/// The crates that are programs, and print.
const PROGRAMS: &[&str] = &["crates/cli/", "crates/trust/"];

pub(super) fn check() -> Result<Vec<String>> {
    let listed = output(command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let mut faults = Vec::new();
    for path in listed.lines().filter(|path| path.ends_with(".rs") || path.ends_with(".py")) {
        let full = root().join(path);
        if !full.exists() {
            continue;
        }
        let text = fs::read_to_string(&full).with_context(|| format!("cannot read {path}"))?;
        let first = text.lines().next().unwrap_or_default();
        let says_its_job = ["//! ", "#![doc = include_str!", "\"\"\""].iter().any(|start| first.starts_with(start));
        if !says_its_job {
            faults.push(format!("{path}:1: the first line does not say what the file's job is"));
        }
        let lines = text.lines().count();
        if lines > MOST_LINES && !LONG.iter().any(|(long, _)| *long == path) {
            faults.push(format!("{path}: {lines} lines; split it, or give a reason in xtask/src/tidy/files.rs"));
        }
        let is_library = !PROGRAMS.iter().any(|program| path.starts_with(program));
        if path.starts_with("crates/") && path.contains("/src/") && is_library {
            faults.extend(printing(path, &text));
        }
    }
    for (long, _) in LONG.iter().filter(|(long, _)| !root().join(long).exists()) {
        faults.push(format!("{long} stands in the list of long files and does not exist"));
    }
    Ok(faults)
}

fn printing(path: &str, text: &str) -> Vec<String> {
    // What stands behind the first test module is test code.
    let code = text.split("#[cfg(test)]").next().unwrap_or(text);
    let prints = |line: &str| !line.trim_start().starts_with("//") && PRINTING.iter().any(|word| line.contains(word));
    let numbered = code.lines().zip(1..).filter(|(line, _)| prints(line));
    numbered.map(|(_, number)| format!("{path}:{number}: a library does not print")).collect()
}
