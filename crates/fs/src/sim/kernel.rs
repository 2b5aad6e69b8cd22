//! `Kernel`: the disk, the process that uses it, and the gate every call goes through.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;

use super::disk::Disk;
use super::fault::{Fault, Faults, Short};
use super::handle::Handles;
use super::op::{Op, Outcome};
use crate::Operation;

/// The state behind a simulated file system: what outlives the process, and what does not.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) disk: Disk,
    pub(super) handles: Handles,
    pub(super) faults: Faults,
    pub(super) ops: Vec<Op>,
    /// The number of the first call that finds the process dead.
    pub(super) halt: Option<u64>,
    /// The disk after each call that changed it, when asked for.
    pub(super) history: Option<Vec<(u64, Disk)>>,
    next_op: u64,
}

/// One call on its way through the gate.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call<'a> {
    pub(super) operation: Operation,
    pub(super) path: &'a Path,
    pub(super) to: Option<&'a Path>,
}

/// What a call did, for the record.
#[derive(Debug)]
pub(super) struct Done<T> {
    pub(super) value: T,
    pub(super) bytes: usize,
    pub(super) changes: bool,
}

impl<T> Done<T> {
    /// Nothing changed.
    pub(super) fn looked(value: T) -> Self {
        Self { value, bytes: 0, changes: false }
    }

    /// Something changed.
    pub(super) fn changed(value: T) -> Self {
        Self { value, bytes: 0, changes: true }
    }
}

impl Kernel {
    pub(super) fn new(disk: Disk) -> Self {
        Self {
            disk,
            handles: Handles::default(),
            faults: Faults::default(),
            ops: Vec::new(),
            halt: None,
            history: None,
            next_op: 0,
        }
    }

    /// What the process and its record go on with on another disk: all but what is open.
    pub(super) fn fork(&self) -> Self {
        let mut disk = self.disk.clone();
        disk.close_all();
        Self {
            disk,
            handles: Handles::default(),
            faults: self.faults.clone(),
            ops: self.ops.clone(),
            halt: self.halt,
            history: self.history.clone(),
            next_op: self.next_op,
        }
    }

    pub(super) fn next_op(&self) -> u64 {
        self.next_op
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halt.is_some_and(|halt| self.next_op >= halt)
    }

    /// Runs a call: refuses it when the process is dead, lets a fault hit it, and records it.
    ///
    /// `act` is told how short the call is to be; a fault that fails the call runs `struck`
    /// instead.
    pub(super) fn call<T>(
        &mut self,
        call: Call<'_>,
        act: impl FnOnce(&mut Self, Option<Short>) -> io::Result<Done<T>>,
        struck: impl FnOnce(&mut Self),
    ) -> io::Result<T> {
        if self.is_halted() {
            return Err(io::Error::other(Halted));
        }
        let number = self.next_op;
        self.next_op = number.saturating_add(1);
        let fault = self.faults.strike(number, &call);
        let Call { operation, path, to } = call;
        let done = match fault {
            Some(Fault::Errno(errno)) => {
                struck(self);
                Err(io::Error::from_raw_os_error(errno))
            }
            Some(Fault::Short(short)) => act(self, Some(short)),
            None => act(self, None),
        };
        let (bytes, changes, outcome) = match &done {
            Ok(done) => (done.bytes, done.changes, Outcome::Done),
            Err(error) => (0, operation.is_sync(), Outcome::Failed(error.kind())),
        };
        self.ops.push(Op {
            number,
            operation,
            path: path.to_path_buf(),
            to: to.map(Path::to_path_buf),
            bytes: bytes as u64,
            changes,
            outcome: if fault.is_some() { Outcome::Injected } else { outcome },
        });
        if changes && let Some(history) = &mut self.history {
            let mut disk = self.disk.clone();
            disk.close_all();
            history.push((number, disk));
        }
        done.map(|done| done.value)
    }

    /// Frees what neither names nor open files lead to any more.
    pub(super) fn tidy(&mut self) {
        let open = self.handles.nodes();
        self.disk.free_inos(&open);
        self.disk.collect(&open);
    }
}

/// The cause of every error after the process of the simulation died.
///
/// ```
/// use convlog_fs::{FileSystem, sim::{Halted, SimFs}};
/// use std::path::Path;
///
/// let fs = SimFs::new();
/// fs.halt_after(0);
/// let error = fs.create_dir(Path::new("/a")).unwrap_err();
/// assert!(Halted::caused(&error.cause));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Halted;

impl Halted {
    /// Whether an error says that the process is dead.
    #[must_use]
    pub fn caused(error: &io::Error) -> bool {
        error.get_ref().is_some_and(<dyn std::error::Error + Send + Sync>::is::<Self>)
    }
}

impl fmt::Display for Halted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the process of the simulation is dead")
    }
}

impl Error for Halted {}
