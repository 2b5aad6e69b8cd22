//! [`Counts`]: how many calls and bytes there were; and the counter that adds them up.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::Operation;

/// How many calls of each kind a file system got, and how many bytes went through them.
///
/// A call counts whether it succeeds or fails; bytes count as the call reports them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    calls: [u64; Operation::ALL.len()],
    bytes_read: u64,
    bytes_written: u64,
}

impl Counts {
    /// Calls of one kind.
    #[must_use]
    pub fn calls(&self, operation: Operation) -> u64 {
        self.calls.get(operation as usize).copied().unwrap_or(0)
    }

    /// Calls of every kind.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.calls.iter().sum()
    }

    /// Syncs of data, of files and of directories.
    #[must_use]
    pub fn syncs(&self) -> u64 {
        Operation::ALL.into_iter().filter(|op| op.is_sync()).map(|op| self.calls(op)).sum()
    }

    /// Bytes that reads returned.
    #[must_use]
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Bytes that writes accepted.
    #[must_use]
    pub fn bytes_written(&self) -> u64 {
        self.bytes_written
    }

    /// What came to these counts after an earlier state of the same counter.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let mut calls = self.calls;
        for (now, then) in calls.iter_mut().zip(earlier.calls) {
            *now = now.saturating_sub(then);
        }
        Self {
            calls,
            bytes_read: self.bytes_read.saturating_sub(earlier.bytes_read),
            bytes_written: self.bytes_written.saturating_sub(earlier.bytes_written),
        }
    }
}

/// Adds up calls and bytes from any number of threads.
#[derive(Debug, Default)]
pub(super) struct Counter {
    calls: [AtomicU64; Operation::ALL.len()],
    bytes_read: AtomicU64,
    bytes_written: AtomicU64,
}

impl Counter {
    pub(super) fn call(&self, operation: Operation) {
        if let Some(calls) = self.calls.get(operation as usize) {
            calls.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub(super) fn read(&self, bytes: usize) {
        self.bytes_read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn written(&self, bytes: usize) {
        self.bytes_written.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    pub(super) fn snapshot(&self) -> Counts {
        let mut counts = Counts {
            bytes_read: self.bytes_read.load(Ordering::Relaxed),
            bytes_written: self.bytes_written.load(Ordering::Relaxed),
            ..Counts::default()
        };
        for (count, calls) in counts.calls.iter_mut().zip(&self.calls) {
            *count = calls.load(Ordering::Relaxed);
        }
        counts
    }
}
