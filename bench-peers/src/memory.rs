//! Peak memory: each program does its work once, first of all, in a process of its own.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use convlog_store::CheckpointPolicy;
use serde_json::json;

use crate::bench::Bench;
use crate::measure::report_memory;
use crate::sqlite::{self, Sqlite, Synchronous};
use crate::{plain, read};

/// By how many bytes reading and recovering raise the peak of a process.
pub fn all(bench: &Bench) -> Result<()> {
    let home = read::appended(bench, "memory", CheckpointPolicy::default())?;
    let database = home.join("db");
    Sqlite::create(&database, Synchronous::Normal)?.fill(&bench.plain)?;
    let path = home.join("conversation.jsonl");
    for (row, who, from) in [
        ("read", "convlog", &home),
        ("read", "serde_json", &path),
        ("read", "sonic-rs", &path),
        ("read", "SQLite", &database),
        ("recover", "convlog", &home),
    ] {
        let mut child = Command::new(std::env::current_exe()?);
        let output = child.args(["--peak", &format!("{row} {who}")]).arg(from).output()?;
        ensure!(output.status.success(), "{row} {who}: {}", String::from_utf8_lossy(&output.stderr));
        report_memory(row, who, String::from_utf8(output.stdout)?.trim().parse()?);
    }
    let requests =
        [("read", json!({ "do": "read", "path": path })), ("recover", json!({ "do": "recover", "dir": home }))];
    for (row, mut request) in requests {
        let Some(mut gptme) = bench.gptme()? else { continue };
        request["op"] = "memory".into();
        let bytes = gptme.ask(&request)?["bytes"].as_u64().context("gptme gave no bytes")?;
        report_memory(row, "gptme", bytes);
    }
    Ok(())
}

/// Does the work of one program, and prints by how much that raised the peak.
pub fn child(what: &str, from: &Path) -> Result<()> {
    let before = peak()?;
    match what {
        "read convlog" => drop(read::open_and_read(from)?),
        "read serde_json" => drop(plain::read(from, plain::by_serde_json)?),
        "read sonic-rs" => drop(plain::read(from, plain::by_sonic_rs)?),
        "read SQLite" => drop(sqlite::read(from)?),
        "recover convlog" => drop(read::recover(from)?),
        _ => bail!("{what}: no such work"),
    }
    println!("{}", peak()?.saturating_sub(before));
    Ok(())
}

/// The most memory that this process had, as Linux counts it.
fn peak() -> Result<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse()?;
    Ok(kib * 1_024)
}
