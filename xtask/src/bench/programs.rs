//! Whole programs: lists and searches, beside gptme, `find` and ripgrep, on a made corpus.
//!
//! The start of a process is timed with it; gptme's own time is taken within Python, its start left out, but for
//! `gptme-util`. The peers take turns, so that a busy machine is busy for all of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use super::figures::{Figures, Grown, Peak, Times};
use super::{Extent, convlog, home};
use crate::corpus::{Size, make};
use crate::run::{output, root};

/// Stands in few messages of the corpus.
const QUERY: &str = "parser index memory";
const NOWHERE: &str = "no such thing anywhere";

/// Measures everything, on corpora that are made when they are not there.
pub(crate) fn measure(extent: Extent, python: Option<&Path>, figures: &mut Figures) -> Result<()> {
    let bench = Bench { rounds: if extent == Extent::Full { 9 } else { 2 }, program: convlog()?, python };
    let large = corpus(Size::default())?;
    let full = || bench.convlog(&large, &["--json", "list", "--all", "--no-index"]);
    let indexed = || bench.convlog(&large, &["--json", "list", "--all"]);
    let find = || program("find", &[&large.to_string_lossy(), "-name", "conversation.jsonl", "-printf", "%s\\n"]);
    time(indexed()?)?;
    bench.contest(
        figures,
        "list-full",
        &[("convlog", &|| time(full()?)), ("gptme", &|| bench.gptme(&large, &["time"]))],
    )?;
    bench.contest(figures, "list-index", &[("convlog", &|| time(indexed()?)), ("find", &|| time(find()))])?;
    if let Some(gptme) = figures.find("list-full", "gptme").cloned() {
        figures.times.push(Times { row: "list-index".to_owned(), ..gptme });
    }
    let search = |query| bench.convlog(&large, &["--json", "search", query, "-m", "1000"]);
    let rg = |query| program("rg", &["--ignore-case", "--count", query, &large.to_string_lossy()]);
    for (row, query) in [("search", QUERY), ("search-none", NOWHERE)] {
        let gptme = || bench.gptme(&large, &["search", query]);
        let ours = || time(search(query)?);
        bench.contest(figures, row, &[("convlog", &ours), ("rg -i", &|| time(rg(query))), ("gptme", &gptme)])?;
    }
    let many = corpus(Size { conversations: 5_000, messages: 20, ..Size::default() })?;
    let page = || time(bench.convlog(&many, &["list", "-n", "20", "--no-index"])?);
    bench.contest(figures, "list-page", &[("convlog", &page)])?;
    let few = corpus(Size { conversations: 20, ..Size::default() })?;
    let ours = || time(bench.convlog(&few, &["list"])?);
    bench.contest(figures, "list-20", &[("convlog", &ours), ("gptme-util", &|| bench.gptme_util(&few))])?;
    for (row, who, command) in [
        ("list-full", "convlog", full()?),
        ("list-index", "convlog", indexed()?),
        ("list-index", "find", find()),
        ("search", "convlog", search(QUERY)?),
        ("search", "rg -i", rg(QUERY)),
    ] {
        figures.peaks.push(Peak { row: row.to_owned(), who: who.to_owned(), bytes: peak(command)? });
    }
    for conversations in [50, 500, 5_000] {
        let logs = corpus(Size { conversations, messages: 20, ..Size::default() })?;
        let ours = || time(bench.convlog(&logs, &["--json", "list", "--all", "--no-index"])?);
        let mut times = Figures::default();
        bench.contest(&mut times, "list", &[("convlog", &ours)])?;
        let median = times.find("list", "convlog").context("nothing was measured")?.median;
        let row = "list conversations of 20 messages in full, whole process".to_owned();
        figures.growth.push(Grown { row, size: conversations, median });
    }
    Ok(())
}

struct Bench<'a> {
    rounds: usize,
    program: PathBuf,
    python: Option<&'a Path>,
}

type Turn<'a> = &'a dyn Fn() -> Result<Duration>;

impl Bench<'_> {
    /// Lets programs take turns; those that are not installed are left out, and that is said.
    fn contest(&self, figures: &mut Figures, row: &str, entrants: &[(&str, Turn<'_>)]) -> Result<()> {
        let mut times = vec![Vec::new(); entrants.len()];
        for _ in 0..self.rounds {
            for ((who, turn), times) in entrants.iter().zip(&mut times) {
                match turn() {
                    Ok(time) => times.push(time),
                    Err(error) if *who == "convlog" => return Err(error),
                    Err(error) => eprintln!("!! SKIPPED: {who}: {error:#}"),
                }
            }
        }
        for ((who, _), times) in entrants.iter().zip(times) {
            figures.add(row, who, times);
        }
        Ok(())
    }

    fn convlog(&self, logs: &Path, arguments: &[&str]) -> Result<Command> {
        let mut command = Command::new(&self.program);
        command.arg("--logs").arg(logs).args(arguments).env("XDG_CACHE_HOME", home()?.join("cache"));
        Ok(command)
    }

    /// The seconds that gptme says it took to list in full, or to search.
    fn gptme(&self, logs: &Path, arguments: &[&str]) -> Result<Duration> {
        let mut run = Command::new(self.python.context("gptme is not installed")?);
        run.arg(root().join("crates/query/tests/gptme/conversations.py")).arg(logs).arg("full").args(arguments);
        let seconds = output({
            run.stderr(Stdio::null());
            run
        })?;
        Ok(Duration::from_secs_f64(seconds.trim().parse().context("gptme said no time")?))
    }

    /// gptme's own program for lists, as a whole process.
    fn gptme_util(&self, logs: &Path) -> Result<Duration> {
        let util = self.python.context("gptme is not installed")?.with_file_name("gptme-util");
        let mut command = Command::new(util);
        command.args(["chats", "list"]).env("GPTME_LOGS_HOME", logs);
        for variable in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            command.env(variable, home()?.join("gptme"));
        }
        time(command)
    }
}

/// A directory of conversations; made when it is not there.
fn corpus(size: Size) -> Result<PathBuf> {
    let path = home()?.join(format!("{}x{}-{}", size.conversations, size.messages, size.words));
    if !path.exists() {
        make(&path, size)?;
    }
    Ok(path)
}

fn program(name: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments);
    command
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

/// The peak of a program's memory in bytes, as it was within a fraction of a millisecond before it ended.
fn peak(mut command: Command) -> Result<u64> {
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0_u64;
    while child.try_wait()?.is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let kib = text.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB"));
        peak = kib.and_then(|kib| kib.parse().ok()).unwrap_or(0).max(peak);
        sleep(Duration::from_micros(200));
    }
    Ok(peak.saturating_mul(1_024))
}
