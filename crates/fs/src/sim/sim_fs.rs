//! [`SimFs`]: the simulated file system, and the controls of its fate.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::crash::{CrashPlan, CrashStates};
use super::disk::Disk;
use super::fault::{Fault, Times, When};
use super::kernel::Kernel;
use super::op::Op;
use super::quirks::Quirks;
use super::tree::Tree;

/// A file system in memory, used by one simulated process.
///
/// Cloning gives another handle to the same file system; [`fork`](Self::fork) gives a file
/// system of its own. What it promises, and what not, is said in the [module](super).
#[derive(Clone)]
pub struct SimFs {
    pub(super) shared: Arc<Shared>,
}

/// A disk as it was after a call that changed it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The number of that call.
    pub after: u64,
    /// The file system, its process dead.
    pub disk: SimFs,
}

pub(super) struct Shared {
    kernel: Mutex<Kernel>,
    pub(super) unlocked: Condvar,
}

impl SimFs {
    /// An empty file system: `/`, and nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::with(Quirks::default())
    }

    /// An empty file system with these quirks.
    #[must_use]
    pub fn with(quirks: Quirks) -> Self {
        Self::from_disk(Disk::new(quirks))
    }

    pub(super) fn from_disk(disk: Disk) -> Self {
        Self::from_kernel(Kernel::new(disk))
    }

    fn from_kernel(kernel: Kernel) -> Self {
        let shared = Shared { kernel: Mutex::new(kernel), unlocked: Condvar::new() };
        Self { shared: Arc::new(shared) }
    }

    /// Every call until now, in order; seeking and closing are not among them.
    #[must_use]
    pub fn ops(&self) -> Vec<Op> {
        self.shared.lock().ops.clone()
    }

    /// The number that the next call gets.
    #[must_use]
    pub fn next_op(&self) -> u64 {
        self.shared.lock().next_op()
    }

    /// Lets the process die before the call with number `calls`: that one and all after it do
    /// nothing and fail with [`Halted`](super::Halted).
    pub fn halt_after(&self, calls: u64) {
        self.shared.lock().halt = Some(calls);
        self.shared.unlocked.notify_all();
    }

    /// Whether the next call finds the process dead.
    #[must_use]
    pub fn is_halted(&self) -> bool {
        self.shared.lock().is_halted()
    }

    /// Orders a fault. When several fit a call, that ordered first hits it.
    pub fn fail(&self, when: When, fault: Fault, times: Times) {
        self.shared.lock().faults.arm(when, fault, times);
    }

    /// Cancels the faults that are still to come.
    pub fn clear_faults(&self) {
        self.shared.lock().faults.clear();
    }

    /// How many calls were hit by a fault.
    #[must_use]
    pub fn faults_hit(&self) -> u64 {
        self.shared.lock().faults.hits()
    }

    /// Keeps from now on the disk after each call that changes it, for
    /// [`snapshots`](Self::snapshots).
    ///
    /// One run then serves the crash points at all of its calls.
    pub fn keep_snapshots(&self) {
        self.shared.lock().history.get_or_insert_default();
    }

    /// The disks kept since [`keep_snapshots`](Self::keep_snapshots), oldest first.
    #[must_use]
    pub fn snapshots(&self) -> Vec<Snapshot> {
        let kernel = self.shared.lock();
        let history = kernel.history.iter().flatten();
        history.map(|(after, disk)| Snapshot { after: *after, disk: Self::from_disk(disk.clone()) }).collect()
    }

    /// The file system after the process died: what the kernel has is all there, open files and
    /// locks are gone. A new process, without faults and with an empty record, may use it.
    #[must_use]
    pub fn kill(&self) -> Self {
        let mut disk = self.shared.lock().disk.clone();
        disk.close_all();
        Self::from_disk(disk)
    }

    /// An independent copy: disk, record, and the faults and the halt to come. Open files and
    /// locks stay with the original.
    #[must_use]
    pub fn fork(&self) -> Self {
        Self::from_kernel(self.shared.lock().fork())
    }

    /// The disks that a power loss now may leave.
    #[must_use]
    pub fn crash_states(&self, plan: &CrashPlan) -> CrashStates {
        let disk = self.shared.lock().disk.clone();
        CrashStates::of(&disk, plan)
    }

    /// What a program would see now: paths, bytes, modes. Counts as no call.
    #[must_use]
    pub fn tree(&self) -> Tree {
        self.shared.lock().disk.tree()
    }

    /// A number that two file systems share when programs can tell no difference: paths, bytes
    /// and modes as in [`tree`](Self::tree), and identities, links and times of files.
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.shared.lock().disk.fingerprint()
    }
}

impl Shared {
    pub(super) fn lock(&self) -> MutexGuard<'_, Kernel> {
        // A panic elsewhere leaves a state to look at, which is what a test then wants.
        self.kernel.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for SimFs {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for SimFs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kernel = self.shared.lock();
        f.debug_struct("SimFs")
            .field("files", &kernel.disk.nodes.len())
            .field("ops", &kernel.next_op())
            .finish_non_exhaustive()
    }
}
