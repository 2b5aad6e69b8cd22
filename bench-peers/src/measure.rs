//! Measuring: programs take turns at one piece of work, and each says what it did and how long that took.

use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;

/// What was done, to be compared between the programs: so many things, and some sum over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    pub items: u64,
    pub sum: u64,
}

/// What one turn took: a time for each operation.
#[derive(Debug)]
pub struct Took {
    pub times: Vec<Duration>,
    pub work: Work,
}

impl Took {
    /// A turn of one operation, which says itself what it did.
    pub fn once(operation: impl FnOnce() -> Result<Work>) -> Result<Self> {
        let start = Instant::now();
        let work = operation()?;
        Ok(Self { times: vec![start.elapsed()], work })
    }

    /// A turn of equal operations, each of them on `bytes` bytes of text.
    pub fn each(count: usize, bytes: usize, mut operation: impl FnMut() -> Result<()>) -> Result<Self> {
        Self::each_of(count, bytes, || (), |()| operation())
    }

    /// The same with something that is made for each, which is not timed.
    pub fn each_of<T>(
        count: usize,
        bytes: usize,
        mut make: impl FnMut() -> T,
        mut operation: impl FnMut(T) -> Result<()>,
    ) -> Result<Self> {
        let mut times = Vec::with_capacity(count);
        for _ in 0..count {
            let made = make();
            let start = Instant::now();
            operation(made)?;
            times.push(start.elapsed());
        }
        Ok(Self { times, work: Work { items: 1, sum: bytes as u64 } })
    }

    /// Splits the time of each operation between the parts it has.
    pub fn divided(mut self, parts: u32) -> Self {
        for time in &mut self.times {
            *time /= parts;
        }
        self
    }
}

type Turn<'a> = Box<dyn FnMut() -> Result<Took> + 'a>;

/// Programs that are to do the same work.
pub struct Contest<'a> {
    row: &'static str,
    entrants: Vec<(&'static str, Turn<'a>)>,
}

impl<'a> Contest<'a> {
    pub fn new(row: &'static str) -> Self {
        Self { row, entrants: Vec::new() }
    }

    #[must_use]
    pub fn enter(mut self, who: &'static str, turn: impl FnMut() -> Result<Took> + 'a) -> Self {
        self.entrants.push((who, Box::new(turn)));
        self
    }

    /// Lets all take turns, in the other direction every second round, so that a machine that is busy or warms up is
    /// so for all of them; fails when they did not do the same work; prints the figures.
    pub fn run(mut self, rounds: usize) -> Result<()> {
        let mut times = vec![Vec::new(); self.entrants.len()];
        let mut first: Option<(&str, Work)> = None;
        for round in 0..rounds {
            let mut order: Vec<usize> = (0..self.entrants.len()).collect();
            if round % 2 == 1 {
                order.reverse();
            }
            for at in order {
                let (who, turn) = &mut self.entrants[at];
                let took = turn().with_context(|| format!("{}: {who}", self.row))?;
                let (reference, work) = *first.get_or_insert((who, took.work));
                ensure!(took.work == work, "{}: {who} did {:?}, and {reference} did {work:?}", self.row, took.work);
                times[at].extend(took.times);
            }
        }
        for ((who, _), times) in self.entrants.iter().zip(times) {
            report(self.row, who, times);
        }
        Ok(())
    }
}

/// Prints the figures of one program at one piece of work, as a line of JSON.
fn report(row: &str, who: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let count = times.len();
    let median = times.get(count / 2).copied().unwrap_or_default();
    let mean = times.iter().sum::<Duration>() / u32::try_from(count).unwrap_or(u32::MAX).max(1);
    let least = times.first().copied().unwrap_or_default();
    let [median, mean, least] = [median, mean, least].map(|time| time.as_nanos() as u64);
    println!("{}", json!({ "row": row, "who": who, "median": median, "mean": mean, "least": least, "count": count }));
}

/// Prints how much memory a program took, in bytes.
pub fn report_memory(row: &str, who: &str, bytes: u64) {
    println!("{}", json!({ "row": row, "who": who, "bytes": bytes }));
}

/// Prints the time of a piece of work at one size.
pub fn report_growth(row: &str, size: usize, median: Duration) {
    println!("{}", json!({ "row": row, "size": size, "median": median.as_nanos() as u64 }));
}
