//! `cargo xtask trust --mutants`: the sabotages that need other source text, each in a copy of the tree that the harness
//! must find fault with.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use crate::run::{command, output, root};

/// One change of the source, and what must notice it.
struct Mutant {
    name: &'static str,
    file: &'static str,
    was: &'static str,
    is: &'static str,
    noticed_by: &'static [&'static str],
}

/// The histories of the sabotage; they end at a dozen failures.
const CRASHES: &[&str] = &["run", "--quiet", "--profile", "trust", "--package", "convlog-trust", "--", "--layer", "11"];
const HISTORIES: &[&str] =
    &["test", "--quiet", "--profile", "trust", "--package", "convlog-store", "--test", "histories"];
const EVENTS: &[&str] = &["test", "--quiet", "--profile", "trust", "--package", "convlog-eventlog", "--test", "cases"];
const LOCKS: &[&str] = &["test", "--quiet", "--profile", "trust", "--package", "convlog-store", "--test", "locks"];

const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "the transcript first, then its event",
        file: "crates/store/src/session/append.rs",
        was: "        match self.journal.events.append_batch(&events, durability) {
            Ok(_) => {}
            Err(error) => return Err(self.event_failed(error)),
        }
        if let Err(error) = self.journal.append(&lines.bytes) {
            return Err(self.transcript_failed(error));
        }
",
        is: "        if let Err(error) = self.journal.append(&lines.bytes) {
            return Err(self.transcript_failed(error));
        }
        match self.journal.events.append_batch(&events, durability) {
            Ok(_) => {}
            Err(error) => return Err(self.event_failed(error)),
        }
",
        noticed_by: CRASHES,
    },
    Mutant {
        name: "no newline before the next line of a transcript",
        file: "crates/store/src/session/transcript.rs",
        was: "if self.ends_in_newline { b\"\" } else { b\"\\n\" }",
        is: "b\"\"",
        noticed_by: HISTORIES,
    },
    Mutant {
        name: "no newline before the next event",
        file: "crates/eventlog/src/log/append.rs",
        was: "if !self.ends_in_newline {",
        is: "if self.buffer.len() > usize::MAX / 2 {",
        noticed_by: EVENTS,
    },
    Mutant {
        name: "the recorded range is not looked at before a line is put there",
        file: "crates/store/src/recovery/redo.rs",
        was: "if !standing.iter().zip(&expected).all(|(stands, right)| stands == right || *stands == 0) {",
        is: "if expected.is_empty() {",
        noticed_by: HISTORIES,
    },
    Mutant {
        name: "no close event",
        file: "crates/store/src/session/close.rs",
        was: "        match events.close(&figures, Durability::Synced) {",
        is: "        if !figures.is_empty() {
            return Ok(());
        }
        match events.close(&figures, Durability::Synced) {",
        noticed_by: CRASHES,
    },
    Mutant {
        name: "a file is told by its inode alone",
        file: "crates/store/src/recovery/redo.rs",
        was: "place.id == id)",
        is: "place.id.ino == id.ino)",
        noticed_by: HISTORIES,
    },
    Mutant {
        name: "a lock that believes the PID in its text",
        file: "crates/store/src/session/lock.rs",
        was: "                match file.try_lock() {",
        is: "                let text = convlog_fs::read_all(fs, &path).unwrap_or_default();
                let pid = String::from_utf8_lossy(&text).trim_start_matches(\"pid\").trim().to_owned();
                let lives = !pid.is_empty() && Path::new(\"/proc\").join(&pid).exists();
                match Ok::<_, Error>(if lives { Locked::Held } else { Locked::Acquired }) {",
        noticed_by: LOCKS,
    },
];

/// Makes each mutant, and fails when one is not noticed.
pub(super) fn run() -> Result<()> {
    let copy = root().join("target/mutants/tree");
    let mut unnoticed = Vec::new();
    for mutant in MUTANTS {
        copy_tree(&copy)?;
        let path = copy.join(mutant.file);
        let text = fs::read_to_string(&path)?;
        if text.matches(mutant.was).count() != 1 {
            bail!("{}: `{}` does not stand there once", mutant.file, mutant.was.trim());
        }
        fs::write(&path, text.replace(mutant.was, mutant.is))?;
        let cargo = |arguments: &[&str]| {
            let mut cargo = command("cargo", arguments);
            cargo.current_dir(&copy).env("CARGO_TARGET_DIR", root().join("target/mutants/target"));
            cargo.env("CARGO_NET_OFFLINE", "true").stdout(Stdio::null()).stderr(Stdio::null());
            cargo.status().with_context(|| format!("cannot run {arguments:?}"))
        };
        if !cargo(&["check", "--quiet", "--profile", "trust", "--package", "convlog-store"])?.success() {
            bail!("{}: it does not compile", mutant.name);
        }
        let is_noticed = !cargo(mutant.noticed_by)?.success();
        println!("   {}: {}", if is_noticed { "noticed" } else { "NOT NOTICED" }, mutant.name);
        if !is_noticed {
            unnoticed.push(mutant.name);
        }
    }
    if unnoticed.is_empty() {
        println!("── {} changes of the source, all noticed", MUTANTS.len());
        return Ok(());
    }
    bail!("nobody notices: {}", unnoticed.join("; "))
}

/// Copies what git knows of into a directory.
fn copy_tree(to: &Path) -> Result<()> {
    let listed = output(command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    for path in listed.lines() {
        let (from, to) = (root().join(path), to.join(path));
        if !from.is_file() {
            continue;
        }
        fs::create_dir_all(to.parent().context("a file has a directory")?)?;
        // What did not change keeps its time, and is not compiled again.
        let text = fs::read(&from)?;
        if fs::read(&to).ok().as_deref() != Some(&text) {
            fs::write(&to, text)?;
        }
    }
    Ok(())
}
