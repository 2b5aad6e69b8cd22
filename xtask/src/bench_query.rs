//! `cargo xtask bench-query`: lists and searches beside gptme, `find` and ripgrep, on a made corpus.
//!
//! Whole programs are timed, the start of the process included; gptme's own time is taken within Python, its
//! start left out. The peers take turns, so that a busy machine is busy for all of them; what counts is the ratio.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::corpus::{Size, make};
use crate::gptme;
use crate::run::{command, root, step};

/// How often each is run; the median counts.
const ROUNDS: usize = 7;
/// gptme takes seconds.
const GPTME_ROUNDS: usize = 3;
/// Stands in few messages of the corpus.
const QUERY: &str = "parser index memory";

/// One thing that was measured.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) what: &'static str,
    pub(crate) ours: Duration,
    /// Each peer with its time.
    pub(crate) peers: Vec<(&'static str, Duration)>,
}

/// Measures and prints.
pub(crate) fn run() -> Result<()> {
    for row in measure()? {
        print!("{:<44} {:>8.1} ms", row.what, millis(row.ours));
        for (peer, time) in &row.peers {
            let ratio = time.as_secs_f64() / row.ours.as_secs_f64().max(f64::MIN_POSITIVE);
            print!("   {peer} {:.1} ms ({ratio:.2} times)", millis(*time));
        }
        println!();
    }
    Ok(())
}

/// Measures everything, on corpora that are made in `target/` when they are not there.
pub(crate) fn measure() -> Result<Vec<Row>> {
    let mut build = command("cargo", &["build", "--release", "--package", "convlog-cli"]);
    build.stdout(Stdio::null());
    step("convlog, optimised", build)?;
    let home = root().join("target/bench-query");
    let (large, many) = (home.join("2000x60"), home.join("5000x20"));
    for (path, size) in
        [(&large, Size::default()), (&many, Size { conversations: 5_000, messages: 20, ..Size::default() })]
    {
        if !path.exists() {
            make(path, size)?;
        }
    }
    let bench = Bench { logs: large, cache: home.join("cache") };
    let mut rows = vec![
        bench.list_without_index()?,
        bench.list_with_index()?,
        bench.search("search, in few messages", QUERY)?,
        bench.search("search, in none", "no such thing anywhere")?,
    ];
    let page = Bench { logs: many, cache: home.join("cache") };
    rows.push(Row {
        what: "the first 20 of 5,000, without index",
        ours: median(ROUNDS, || time(page.convlog(&["list", "-n", "20", "--no-index"])))?,
        peers: Vec::new(),
    });
    Ok(rows)
}

struct Bench {
    logs: PathBuf,
    cache: PathBuf,
}

impl Bench {
    fn list_without_index(&self) -> Result<Row> {
        let arguments = ["--json", "list", "--all", "--no-index"];
        let mut row = self.beside("list in full, without index", &arguments, &[])?;
        row.peers.extend(self.gptme(&["full", "time"])?);
        Ok(row)
    }

    fn list_with_index(&self) -> Result<Row> {
        let arguments = ["--json", "list", "--all"];
        time(self.convlog(&arguments))?;
        let mut find = Command::new("find");
        find.arg(&self.logs).args(["-name", "conversation.jsonl", "-printf", "%s\n"]);
        self.beside("list in full, index unchanged", &arguments, &[("find", find)])
    }

    fn search(&self, what: &'static str, query: &str) -> Result<Row> {
        let mut rg = Command::new("rg");
        rg.args(["--ignore-case", "--count", query]).arg(&self.logs);
        let arguments = ["--json", "search", query, "-m", "1000"];
        let mut row = self.beside(what, &arguments, &[("rg -i", rg)])?;
        row.peers.extend(self.gptme(&["full", "search", query])?);
        Ok(row)
    }

    /// convlog and others in turns; those that are not installed are left out, and that is said.
    fn beside(&self, what: &'static str, arguments: &[&str], peers: &[(&'static str, Command)]) -> Result<Row> {
        let mut ours = Vec::new();
        let mut theirs = vec![Vec::new(); peers.len()];
        for _ in 0..ROUNDS {
            ours.push(time(self.convlog(arguments))?);
            for ((name, peer), times) in peers.iter().zip(&mut theirs) {
                let mut again = Command::new(peer.get_program());
                again.args(peer.get_args());
                match time(again) {
                    Ok(time) => times.push(time),
                    Err(error) => eprintln!("!! SKIPPED: {name}: {error:#}"),
                }
            }
        }
        let names = peers.iter().map(|(name, _)| *name);
        let peers = names.zip(theirs).filter_map(|(name, times)| Some((name, middle(times)?))).collect();
        Ok(Row { what, ours: middle(ours).context("nothing was measured")?, peers })
    }

    fn convlog(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(root().join("target/release/convlog"));
        command.arg("--logs").arg(&self.logs).args(arguments).env("XDG_CACHE_HOME", &self.cache);
        command
    }

    /// The seconds that gptme says it took.
    fn gptme(&self, arguments: &[&str]) -> Result<Option<(&'static str, Duration)>> {
        let Some(python) = gptme::python()? else { return Ok(None) };
        let script = root().join("crates/query/tests/gptme/conversations.py");
        let took = median(GPTME_ROUNDS, || {
            let mut run = Command::new(&python);
            let output = run.arg(&script).arg(&self.logs).args(arguments).stderr(Stdio::null()).output()?;
            let seconds: f64 = String::from_utf8(output.stdout)?.trim().parse().context("gptme said no time")?;
            Ok(Duration::from_secs_f64(seconds))
        })?;
        Ok(Some(("gptme", took)))
    }
}

/// How long a program takes; its output goes nowhere. That nothing was found is no failure.
fn time(mut command: Command) -> Result<Duration> {
    let start = Instant::now();
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.with_context(|| format!("cannot start {}", Path::new(command.get_program()).display()))?;
    let took = start.elapsed();
    if status.code().is_none_or(|code| code > 1) {
        bail!("{command:?} failed ({status})");
    }
    Ok(took)
}

fn median(rounds: usize, mut run: impl FnMut() -> Result<Duration>) -> Result<Duration> {
    let times = (0..rounds).map(|_| run()).collect::<Result<Vec<_>>>()?;
    middle(times).context("nothing was measured")
}

fn middle(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
