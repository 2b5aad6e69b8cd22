//! Measures convlog beside its peers in one process, and prints a line of JSON for each figure.
//!
//! `cargo xtask bench` starts it with a corpus and makes `docs/benchmarks.md` of what it prints.

mod append;
mod bench;
mod gptme;
mod growth;
mod measure;
mod memory;
mod plain;
mod read;
mod sqlite;
mod synced;
mod text;
mod undo;
mod zeph;

use std::path::PathBuf;

use anyhow::{Context as _, Result, bail};

use bench::{Bench, Extent};

type Measurement = fn(&Bench) -> Result<()>;

/// All measurements, each with the name that `--only` takes.
const MEASUREMENTS: &[(&str, Measurement)] = &[
    ("append", append::growing),
    ("append", append::floor),
    ("append", synced::each),
    ("append", synced::batch),
    ("read", read::transcript),
    ("recover", read::events),
    ("undo", undo::undo),
    ("text", text::toml),
    ("text", text::codeblocks),
    ("memory", memory::all),
    ("growth", growth::all),
];

fn main() -> Result<()> {
    let (mut talk, mut work, mut python, mut only) = (None, None, None, None);
    let mut extent = Extent::Full;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            "--talk" => talk = Some(PathBuf::from(value()?)),
            "--work" => work = Some(PathBuf::from(value()?)),
            "--python" => python = Some(PathBuf::from(value()?)),
            "--only" => only = Some(value()?),
            "--quick" => extent = Extent::Quick,
            // The child of a measurement of memory.
            "--peak" => return memory::child(&value()?, &PathBuf::from(value()?)),
            other => bail!("unknown argument {other}"),
        }
    }
    let (talk, work) = (talk.context("--talk is missing")?, work.context("--work is missing")?);
    let bench = Bench::new(&talk, &work, python, extent)?;
    let wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    for (_, measurement) in MEASUREMENTS.iter().filter(|(name, _)| wanted(name)) {
        measurement(&bench)?;
    }
    Ok(())
}
