//! `Link`: the bytes that one hash covers, and whether it fits them.

use std::ops::Range;

use crate::Hash;
use crate::chain::Chain;
use crate::event::ChainState;

/// The bytes that one hash covers, beside the hash before.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    /// The line of the stamp.
    pub(crate) line: u64,
    /// From the end of the hash member before to the start of this one.
    pub(crate) covers: Range<usize>,
    /// Where the hash member ends.
    pub(crate) end: usize,
    /// The events that stand there.
    pub(crate) events: Range<usize>,
    /// Where the value with the stamp begins.
    pub(crate) value: usize,
    pub(crate) hash: Hash,
    pub(crate) carries: Option<Hash>,
    pub(crate) fits: bool,
    /// Whether what the stamp carries fits; true where there is nothing to compare it with.
    pub(crate) carries_fit: bool,
}

impl Link {
    /// Compares the hash with the bytes that it covers.
    pub(super) fn check(&mut self, before: Hash, bytes: &[u8]) {
        let part = |range: Range<usize>| bytes.get(range).unwrap_or_default();
        let mut chain = Chain::after(before);
        let value = self.value.clamp(self.covers.start, self.covers.end);
        // Only a checkpoint that begins a file has nothing before it to compare with.
        if let Some(carries) = self.carries.filter(|_| self.value > 0) {
            chain.add(part(self.covers.start..value));
            self.carries_fit = chain.hash() == carries;
            chain.add(part(value..self.covers.end));
        } else {
            chain.add(part(self.covers.clone()));
        }
        self.fits = chain.hash() == self.hash;
    }

    /// What that says of the events there.
    pub(super) const fn state(&self) -> ChainState {
        if self.fits { ChainState::Fits } else { ChainState::Broken }
    }
}
