//! Growth: the same work at a size, ten times and a hundred times that size.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use convlog_store::CheckpointPolicy;

use crate::bench::{Bench, Extent};
use crate::measure::report_growth;
use crate::read::{open_and_read, recover};

/// Appends measured at each size.
const APPENDS: usize = 500;
const ROUNDS: usize = 7;

pub fn all(bench: &Bench) -> Result<()> {
    let first = match bench.extent {
        Extent::Quick => 100,
        Extent::Full => 1_000,
    };
    let sizes = [first, 10 * first, 100 * first];
    let mut appending = Vec::new();
    let (mut opening, mut recovering) = (Vec::new(), Vec::new());
    for size in sizes {
        let mut session = bench.session("growth", size, CheckpointPolicy::every(0))?;
        let times = (0..APPENDS).map(|_| {
            let message = bench.message();
            timed(|| Ok(drop(session.append(message)?)))
        });
        appending.push(median(times.collect::<Result<_>>()?));
        let home = session.layout().home().to_path_buf();
        session.close()?;
        let opened = (0..ROUNDS).map(|_| timed(|| Ok(ensure!(open_and_read(&home)?.items == (size + APPENDS) as u64))));
        opening.push(median(opened.collect::<Result<_>>()?));
        let home = appended(bench, size)?;
        let recovered = (0..ROUNDS).map(|_| timed(|| Ok(ensure!(recover(&home)?.items == size as u64))));
        recovering.push(median(recovered.collect::<Result<_>>()?));
    }
    for (row, times) in [
        ("append 1 KB at so many messages, written", appending),
        ("open and read so many messages", opening),
        ("recover after so many appends, no checkpoint", recovering),
    ] {
        sizes.iter().zip(times).for_each(|(size, time)| report_growth(row, *size, time));
    }
    Ok(())
}

/// A conversation to which so many messages were appended, without a checkpoint.
fn appended(bench: &Bench, size: usize) -> Result<std::path::PathBuf> {
    let mut session = bench.session("growth-events", 0, CheckpointPolicy::every(0))?;
    for message in bench.messages.iter().cycle().take(size) {
        session.append(message.clone())?;
    }
    let home = session.layout().home().to_path_buf();
    session.close()?;
    Ok(home)
}

fn timed(work: impl FnOnce() -> Result<()>) -> Result<Duration> {
    let start = Instant::now();
    work()?;
    Ok(start.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}
