//! [`Quirks`]: in what a simulated file system may differ from another.

/// In what file systems differ from each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quirks {
    /// Gives a new file the lowest inode number that is free, that of a file just removed
    /// included. Otherwise each number is given once.
    pub reuse_inodes: bool,
    /// Keeps birth times.
    pub birth_times: bool,
    /// How many changes share one timestamp; at least 1. Real clocks are coarse: a file may
    /// change twice and its mtime once.
    pub changes_per_tick: u64,
}

impl Default for Quirks {
    fn default() -> Self {
        Self { reuse_inodes: false, birth_times: true, changes_per_tick: 1 }
    }
}
