//! What was measured: times of programs at a piece of work, peaks of memory, and times at growing sizes.

use std::time::Duration;

use anyhow::{Context as _, Result};
use serde_json::Value;

/// The times of one program at one piece of work.
#[derive(Clone, Debug)]
pub(crate) struct Times {
    pub(crate) row: String,
    pub(crate) who: String,
    pub(crate) median: Duration,
    pub(crate) mean: Duration,
    /// The one that was disturbed least.
    pub(crate) least: Duration,
    /// How many were taken.
    pub(crate) count: u64,
}

/// By how many bytes the work raised the peak of a process.
#[derive(Clone, Debug)]
pub(crate) struct Peak {
    pub(crate) row: String,
    pub(crate) who: String,
    pub(crate) bytes: u64,
}

/// The time of a piece of work at one size.
#[derive(Clone, Debug)]
pub(crate) struct Grown {
    pub(crate) row: String,
    pub(crate) size: u64,
    pub(crate) median: Duration,
}

#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) times: Vec<Times>,
    pub(crate) peaks: Vec<Peak>,
    pub(crate) growth: Vec<Grown>,
}

impl Figures {
    /// Takes the lines of JSON that `bench-peers` prints.
    pub(crate) fn read(&mut self, lines: &str) -> Result<()> {
        for line in lines.lines() {
            self.line(&serde_json::from_str(line)?).with_context(|| format!("no figure: {line}"))?;
        }
        Ok(())
    }

    fn line(&mut self, line: &Value) -> Result<()> {
        let text = |key: &str| line.get(key).and_then(Value::as_str).map(str::to_owned).context(key.to_owned());
        let number = |key: &str| line.get(key).and_then(Value::as_u64).context(key.to_owned());
        let time = |key: &str| number(key).map(Duration::from_nanos);
        let row = text("row")?;
        if let Ok(bytes) = number("bytes") {
            self.peaks.push(Peak { row, who: text("who")?, bytes });
        } else if let Ok(size) = number("size") {
            self.growth.push(Grown { row, size, median: time("median")? });
        } else {
            let (median, mean, least) = (time("median")?, time("mean")?, time("least")?);
            self.times.push(Times { row, who: text("who")?, median, mean, least, count: number("count")? });
        }
        Ok(())
    }

    /// Adds the times of a program that was started from here.
    pub(crate) fn add(&mut self, row: &str, who: &str, mut times: Vec<Duration>) {
        times.sort_unstable();
        let count = times.len() as u64;
        let (Some(median), Some(least)) = (times.get(times.len() / 2).copied(), times.first().copied()) else { return };
        let mean = Duration::from_secs_f64(times.iter().map(Duration::as_secs_f64).sum::<f64>() / count as f64);
        self.times.push(Times { row: row.to_owned(), who: who.to_owned(), median, mean, least, count });
    }

    pub(crate) fn find(&self, row: &str, who: &str) -> Option<&Times> {
        self.times.iter().find(|times| times.row == row && times.who == who)
    }
}
