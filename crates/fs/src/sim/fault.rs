//! [`Fault`]: errors and short writes to order, with [`When`] and how often.

use std::path::PathBuf;

use rustix::io::Errno;

use super::kernel::Call;
use crate::Operation;

/// What is to go wrong.
///
/// A fault hits only calls that can suffer it: a full disk stops no reading, and only reads and
/// writes can be short or, as the real file system sees to the others, interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// The call fails with this error number and does nothing; a sync may have done a part, and
    /// leaves the data clean.
    Errno(i32),
    /// A read or write does less than was asked for.
    Short(Short),
}

/// How much of a read or write is done; at least one byte, and never more than was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Short {
    /// So many bytes.
    Bytes(usize),
    /// Half of them.
    Half,
    /// All but the last.
    AllButOne,
}

/// How often a fault happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Times {
    /// The first call it is meant for.
    Once,
    /// That one and each after it.
    Forever,
}

/// Which calls a fault is meant for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct When {
    number: Option<u64>,
    operation: Option<Operation>,
    path: Option<PathBuf>,
    skip: u64,
}

impl Fault {
    /// `EIO`: the device failed.
    pub const IO: Self = Self::Errno(Errno::IO.raw_os_error());
    /// `ENOSPC`: the disk is full.
    pub const NO_SPACE: Self = Self::Errno(Errno::NOSPC.raw_os_error());
    /// `EINTR`: a signal came.
    pub const INTERRUPTED: Self = Self::Errno(Errno::INTR.raw_os_error());
    /// `EINVAL` from a directory sync, as where directories cannot be synced.
    pub const INVALID: Self = Self::Errno(Errno::INVAL.raw_os_error());
    /// `EPERM` from a hard link, as where there are none.
    pub const NOT_PERMITTED: Self = Self::Errno(Errno::PERM.raw_os_error());

    /// The faults that a sweep over all calls tries at each.
    pub const SWEEP: [Self; 6] = [
        Self::IO,
        Self::NO_SPACE,
        Self::INTERRUPTED,
        Self::Short(Short::Bytes(1)),
        Self::Short(Short::Half),
        Self::Short(Short::AllButOne),
    ];

    /// Whether a call of this kind can suffer the fault.
    #[must_use]
    pub fn can_hit(self, operation: Operation) -> bool {
        use Operation as O;

        match self {
            Self::Short(_) | Self::INTERRUPTED => matches!(operation, O::Read | O::Write),
            Self::NO_SPACE => matches!(
                operation,
                O::Open
                    | O::Write
                    | O::CreateDir
                    | O::Rename
                    | O::HardLink
                    | O::Symlink
                    | O::SetLen
                    | O::SyncData
                    | O::SyncAll
                    | O::SyncDir
            ),
            Self::Errno(_) => true,
        }
    }
}

impl Short {
    /// How many of `len` bytes are done.
    pub(super) fn of(self, len: usize) -> usize {
        let wanted = match self {
            Self::Bytes(bytes) => bytes,
            Self::Half => len.div_ceil(2),
            Self::AllButOne => len.saturating_sub(1),
        };
        wanted.max(1).min(len)
    }
}

impl When {
    /// Any call.
    #[must_use]
    pub fn any() -> Self {
        Self::default()
    }

    /// The call with this number; with [`Times::Forever`], it and all after it.
    #[must_use]
    pub fn number(number: u64) -> Self {
        Self { number: Some(number), ..Self::default() }
    }

    /// Calls of this kind.
    #[must_use]
    pub fn operation(operation: Operation) -> Self {
        Self { operation: Some(operation), ..Self::default() }
    }

    /// Only on this path, be it the first or the second of the call.
    #[must_use]
    pub fn on(self, path: impl Into<PathBuf>) -> Self {
        Self { path: Some(path.into()), ..self }
    }

    /// Not the first `calls` of them.
    #[must_use]
    pub fn skip(self, calls: u64) -> Self {
        Self { skip: calls, ..self }
    }

    fn fits(&self, times: Times, number: u64, call: &Call<'_>) -> bool {
        let numbered = match (self.number, times) {
            (None, _) => true,
            (Some(wanted), Times::Once) => number == wanted,
            (Some(wanted), Times::Forever) => number >= wanted,
        };
        numbered
            && self.operation.is_none_or(|wanted| wanted == call.operation)
            && self.path.as_deref().is_none_or(|wanted| wanted == call.path || call.to.is_some_and(|to| wanted == to))
    }
}

/// The faults that are still to come.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults {
    armed: Vec<(When, Fault, Times)>,
    hits: u64,
}

impl Faults {
    pub(super) fn arm(&mut self, when: When, fault: Fault, times: Times) {
        self.armed.push((when, fault, times));
    }

    pub(super) fn clear(&mut self) {
        self.armed.clear();
    }

    pub(super) fn hits(&self) -> u64 {
        self.hits
    }

    /// The fault that hits this call, if any.
    pub(super) fn strike(&mut self, number: u64, call: &Call<'_>) -> Option<Fault> {
        let mut struck = None;
        for (position, (when, fault, times)) in self.armed.iter_mut().enumerate() {
            if !fault.can_hit(call.operation) || !when.fits(*times, number, call) {
                continue;
            }
            if when.skip > 0 {
                when.skip = when.skip.saturating_sub(1);
            } else if struck.is_none() {
                struck = Some((position, *fault, *times));
            }
        }
        let (position, fault, times) = struck?;
        if times == Times::Once {
            self.armed.remove(position);
        }
        self.hits = self.hits.saturating_add(1);
        Some(fault)
    }
}
