//! The machine and the versions that figures were taken with.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::gptme;
use crate::run::{command, output, root};

/// Peers whose versions `bench-peers/Cargo.lock` has.
const PEERS: &[&str] = &["serde_json", "sonic-rs", "rusqlite", "libsqlite3-sys", "zeph-session"];

/// A table of them.
pub(crate) fn describe() -> Result<String> {
    let mut table = String::from("| | |\n|---|---|\n");
    let mut line = |what: &str, value: &str| {
        // Writing to a String cannot fail.
        let _ = writeln!(table, "| {what} | {value} |");
    };
    let cpu = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpu.lines().find_map(|line| line.strip_prefix("model name")).unwrap_or("unknown");
    let cores = std::thread::available_parallelism()?;
    line("processor", &format!("{} ({cores} cores)", model.trim_start_matches(['\t', ' ', ':'])));
    let memory = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let kib = memory.lines().find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix(" kB"));
    let gigabytes = kib.and_then(|kib| kib.parse::<f64>().ok()).map_or(f64::NAN, |kib| kib * 1_024.0 / 1e9);
    line("memory", &format!("{gigabytes:.0} GB"));
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load: Vec<&str> = load.split(' ').take(3).collect();
    line("programs that wanted a core meanwhile (load average)", &load.join(", "));
    line("system", output(command("uname", &["-sr"]))?.trim());
    line("file system", &file_system()?);
    line("Rust", output(command("rustc", &["--version"]))?.trim());
    line("gptme", gptme::VERSION);
    for (program, arguments) in [("rg", ["--version"]), ("find", ["--version"])] {
        let version = output(command(program, &arguments));
        line(program, version.as_deref().ok().and_then(|text| text.lines().next()).unwrap_or("not installed"));
    }
    for peer in PEERS {
        line(peer, &locked(peer)?);
    }
    Ok(table)
}

/// The type of the file system that the corpora lie on.
fn file_system() -> Result<String> {
    let mut stat = Command::new("stat");
    stat.args(["--file-system", "--format", "%T"]).arg(root());
    Ok(output(stat)?.trim().to_owned())
}

fn locked(package: &str) -> Result<String> {
    let lock = fs::read_to_string(root().join("bench-peers/Cargo.lock"))?;
    let entry = format!("name = \"{package}\"\nversion = \"");
    let (_, rest) = lock.split_once(&entry).with_context(|| format!("{package} is not locked"))?;
    Ok(rest.split('"').next().unwrap_or_default().to_owned())
}
