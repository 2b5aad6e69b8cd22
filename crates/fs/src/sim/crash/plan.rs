//! [`CrashPlan`]: how far the disks that a power loss may leave are spelled out.

/// How many disks to derive from one moment, and which.
///
/// The defaults spell out everything for a moment of one append or one replacement, and sample
/// where many files wait for a sync.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrashPlan {
    /// Seeds the sampling: the same seed gives the same disks.
    pub seed: u64,
    /// How many combinations of all files and directories are tried at most. When there are
    /// more, nothing, everything, and one thing at a time (with all else absent, and with all
    /// else present) are tried always, even beyond this number, and the rest of it is sampled.
    pub budget: usize,
    /// Of one file: how many places to cut the unsynced writes at, apart from the fixed ones.
    pub max_cuts: usize,
    /// Of one file: up to how many 512-byte blocks every subset is tried; beyond, as many
    /// subsets are sampled.
    pub max_blocks: u32,
    /// Of one directory: up to how many unsynced changes of names every subset is tried; beyond,
    /// every prefix, each change alone and missing alone, and as many subsets are sampled.
    pub max_changes: u32,
}

impl Default for CrashPlan {
    fn default() -> Self {
        Self { seed: 0, budget: 512, max_cuts: 16, max_blocks: 3, max_changes: 6 }
    }
}
