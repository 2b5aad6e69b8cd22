//! Layer 7: the kernel's own faults: `strace` injects errors, a limit of size makes real short writes, and a small disk
//! is really full.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use crate::program::{Program, offer};
use crate::run::Plan;
use crate::table::Row;

/// What `strace` injects: the calls, and the error.
const INJECTED: [(&str, &str); 8] = [
    ("write", "EIO"),
    ("write", "ENOSPC"),
    ("pwrite64", "EIO"),
    ("fsync", "EIO"),
    ("fdatasync", "EIO"),
    ("fdatasync", "ENOSPC"),
    ("rename", "EIO"),
    ("renameat,renameat2", "ENOSPC"),
];

/// At which call of its kind the error comes.
const AT: [u32; 8] = [1, 2, 3, 5, 8, 13, 30, 60];

/// Messages offered to each program that meets a fault.
const OFFERED: u64 = 120;

/// What was acknowledged is there afterwards, nothing is there twice, and what was refused does not appear.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let start = Instant::now();
    let mut row = Row::empty("7 the kernel's own faults");
    let Some(binary) = &plan.program else {
        row.skipped.push("no program was named".to_owned());
        return row;
    };
    let logs = tempfile::tempdir().unwrap();
    let program = Program::new(binary, logs.path());
    let mut runs = (0, 0, 0);
    if works("strace", &["-o", "/dev/null", "true"]) {
        for (calls, error) in INJECTED {
            for at in AT {
                let inject = format!("inject={calls}:error={error}:when={at}");
                let id = format!("{}-{error}-{at}", calls.replace(',', "-"));
                let wrapper = ["strace", "-f", "-o", "/dev/null", "-e", &inject];
                note(&mut row, &inject, survives(&program, &id, &wrapper));
                runs.0 += 1;
            }
        }
    } else {
        row.skipped.push("strace cannot trace here".to_owned());
    }
    for blocks in [1, 2, 5, 9, 14, 33] {
        // Without the signal a write beyond the limit is short, and the next one fails.
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
        let wrapper = ["bash", "-c", &script, "bash"];
        note(&mut row, &script, survives(&program, &format!("limit-{blocks}"), &wrapper));
        runs.1 += 1;
    }
    if works("unshare", &["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]) {
        for kibibytes in [48, 96, 160] {
            note(&mut row, &format!("a disk of {kibibytes} KiB"), full_disk(binary, kibibytes));
            runs.2 += 1;
        }
    } else {
        row.skipped.push("no tmpfs can be mounted here (root is needed)".to_owned());
    }
    row.counts = format!("{} errors by strace, {} limits of size, {} full disks", runs.0, runs.1, runs.2);
    row.took = start.elapsed();
    row
}

fn note(row: &mut Row, what: &str, result: Result<(), String>) {
    if let Err(error) = result {
        row.failures.push(format!("{what}: {error}"));
    }
}

fn works(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Appends through `wrapper`, then looks at what is there without it, and appends once more.
fn survives(program: &Program, id: &str, wrapper: &[&str]) -> Result<(), String> {
    let mut child = program.appending(id, wrapper).spawn().unwrap();
    let appended = offer(&mut child, 0, OFFERED, 300, |_| {});
    let _ = child.wait().unwrap();
    if appended.acknowledged.is_empty() && program.numbers(id).is_err() {
        // It was never created.
        return Ok(());
    }
    program.recover(id)?;
    let there = program.numbers(id)?;
    if there != appended.acknowledged {
        return Err(format!("acknowledged were {:?}, there are {there:?}", appended.acknowledged));
    }
    let mut child = program.appending(id, &[]).spawn().unwrap();
    let more = offer(&mut child, OFFERED, 1, 300, |_| {});
    let _ = child.wait().unwrap();
    if more.acknowledged.len() != 1 || program.numbers(id)?.len() != there.len() + 1 {
        return Err(format!("it takes nothing more: {:?}", more.refused));
    }
    Ok(())
}

/// The same where the disk is really full: in a mount of its own, made larger afterwards.
fn full_disk(binary: &Path, kibibytes: u32) -> Result<(), String> {
    let directory = tempfile::tempdir().unwrap();
    let script = format!(
        "set -e; mount -t tmpfs -o size={kibibytes}k tmpfs {0}; \
         seq 1 400 | sed 's/.*/{{\"role\": \"user\", \"content\": \"& text text text text text text text text text\"}}/' \
         | {1} --logs {0} append talk --create --jsonl - > /dev/shm/acknowledged.$$ || true; \
         mount -o remount,size=64m {0}; {1} --logs {0} recover talk; {1} --logs {0} verify talk; \
         a=$(grep -c '\"ok\":true' /dev/shm/acknowledged.$$ || true); rm /dev/shm/acknowledged.$$; \
         b=$({1} --logs {0} --json show talk | wc -l); \
         if [ \"$a\" != \"$b\" ]; then echo \"$a acknowledged, $b there\" >&2; exit 9; fi",
        directory.path().display(),
        binary.display()
    );
    let output = Command::new("unshare").args(["-m", "bash", "-c", &script]).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said).into_owned()) }
}
