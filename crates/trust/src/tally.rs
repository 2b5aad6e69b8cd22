//! [`Tally`]: what was counted, by several threads at once.

use std::sync::atomic::{AtomicU64, Ordering};

/// What the exploration of histories counts.
#[derive(Debug, Default)]
pub struct Tally {
    /// Histories run.
    pub workloads: Count,
    /// File operations of their last steps that were crashed at.
    pub points: Count,
    /// Disks that a crash may leave: all that were derived.
    pub states: Count,
    /// Those that differed, each opened and compared.
    pub distinct: Count,
    /// Crash points at which there were more disks than the plan spells out, so that they were sampled.
    pub capped: Count,
    /// Disks left out of those, by a share of the short form.
    pub left_out: Count,
    /// Workloads in which a step does nothing, so that a shorter one says the same.
    pub same: Count,
    /// Disks after a second crash, inside recovery; opened and compared.
    pub second: Count,
    /// Disks in the cases that FORMAT.md lists as not healed.
    pub not_healed: Count,
    /// Disks with a gap beyond what was durable, reported.
    pub gaps: Count,
}

/// A number that only grows.
#[derive(Debug, Default)]
pub struct Count(AtomicU64);

impl Count {
    /// One more.
    pub fn one(&self) {
        self.add(1);
    }

    /// So many more.
    pub fn add(&self, more: usize) {
        self.0.fetch_add(more as u64, Ordering::Relaxed);
    }

    /// How many there are.
    #[must_use]
    pub fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

impl Tally {
    /// What was counted, in words, as far as there was something.
    #[must_use]
    pub fn words(&self) -> String {
        let counts = [
            (&self.workloads, "workloads"),
            (&self.points, "crash points"),
            (&self.states, "states"),
            (&self.distinct, "distinct"),
            (&self.capped, "points capped"),
            (&self.left_out, "left out"),
            (&self.same, "workloads same as a shorter one"),
            (&self.second, "after a second crash"),
            (&self.not_healed, "not healed, as listed"),
            (&self.gaps, "with a reported gap"),
        ];
        let counts = counts.iter().filter(|(count, _)| count.get() > 0);
        counts.map(|(count, name)| format!("{} {name}", count.get())).collect::<Vec<_>>().join(", ")
    }
}
