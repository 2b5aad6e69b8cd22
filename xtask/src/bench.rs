//! `cargo xtask bench`: convlog beside what people would use in its place, on the same work, in the same run.
//!
//! The peers live in `bench-peers/`, a workspace of its own, which does the work of single crates in one process;
//! whole programs are started from here. A full run writes `docs/benchmarks.md`; any other prints it.

mod aims;
mod figures;
mod machine;
mod page;
mod programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};

use crate::corpus::{Size, make_talk};
use crate::gptme;
use crate::run::{command, output, root, step};
use figures::Figures;

/// What is written by a full run.
const PAGE: &str = "docs/benchmarks.md";
/// 10,000 messages in 10 MB.
const TALK: Size = Size { conversations: 1, messages: 10_000, words: 125, seed: 11 };
/// What `--only` takes for the programs that are started from here; all else is in `bench-peers`.
const PROGRAMS: &str = "query";

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// A few rounds: whether it works, and roughly how fast.
    Quick,
    Full,
}

/// Measures as the arguments of the command line say.
pub(crate) fn run(options: &[&str]) -> Result<()> {
    let (mut extent, mut only) = (Extent::Full, None);
    let mut options = options.iter();
    while let Some(option) = options.next() {
        match *option {
            "--quick" => extent = Extent::Quick,
            "--only" => only = Some(*options.next().context("--only needs a name")?),
            other => bail!("bench knows no {other}"),
        }
    }
    let python = gptme::python()?;
    let mut figures = Figures::default();
    if only != Some(PROGRAMS) {
        figures.read(&peers(extent, only, python.as_deref())?)?;
    }
    if only.is_none_or(|only| only == PROGRAMS) {
        programs::measure(extent, python.as_deref(), &mut figures)?;
    }
    let page = page::write(&figures, &machine::describe()?);
    if only.is_none() && extent == Extent::Full && python.is_some() {
        let path = root().join(PAGE);
        fs::write(&path, page).with_context(|| format!("cannot write {}", path.display()))?;
        println!("── bench: written {PAGE}");
    } else {
        print!("{page}");
    }
    Ok(())
}

/// Builds `bench-peers`, runs it, and gives what it prints.
fn peers(extent: Extent, only: Option<&str>, python: Option<&Path>) -> Result<String> {
    let home = home()?;
    let talk = home.join(format!("talk-{}-{}.jsonl", TALK.messages, TALK.words));
    if !talk.exists() {
        make_talk(&talk, TALK)?;
    }
    let target = root().join("target/bench-peers");
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked"]).current_dir(root().join("bench-peers"));
    step("the peers, optimised", {
        build.env("CARGO_TARGET_DIR", &target).stdout(Stdio::null());
        build
    })?;
    let mut run = Command::new(target.join("release/bench-peers"));
    run.arg("--talk").arg(talk).arg("--work").arg(&home).stderr(Stdio::inherit());
    if let Some(python) = python {
        run.arg("--python").arg(python);
    }
    if extent == Extent::Quick {
        run.arg("--quick");
    }
    if let Some(only) = only {
        run.args(["--only", only]);
    }
    output(run)
}

/// Where corpora and what is made of them lie.
fn home() -> Result<PathBuf> {
    let home = root().join("target/bench");
    fs::create_dir_all(&home).with_context(|| format!("cannot make {}", home.display()))?;
    Ok(home)
}

/// The convlog program, optimised.
fn convlog() -> Result<PathBuf> {
    let mut build = command("cargo", &["build", "--release", "--package", "convlog-cli"]);
    build.stdout(Stdio::null());
    step("convlog, optimised", build)?;
    Ok(root().join("target/release/convlog"))
}
