//! `Ranges`: a set of byte positions.

use std::ops::Range;

/// A set of byte positions, as ranges that may touch and overlap.
#[derive(Clone, Debug, Default)]
pub(super) struct Ranges(Vec<Range<usize>>);

impl Ranges {
    pub(super) fn insert(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.remove(range.clone());
            self.0.push(range);
        }
    }

    pub(super) fn remove(&mut self, gone: Range<usize>) {
        if gone.is_empty() {
            return;
        }
        let mut kept = Vec::with_capacity(self.0.len());
        for range in self.0.drain(..) {
            let before = range.start..range.end.min(gone.start);
            let after = range.start.max(gone.end)..range.end;
            kept.extend([before, after].into_iter().filter(|part| !part.is_empty()));
        }
        self.0 = kept;
    }

    /// Removes all positions from `len` on.
    pub(super) fn clip(&mut self, len: usize) {
        self.remove(len..usize::MAX);
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().cloned()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_splits_a_range() {
        let mut ranges = Ranges::default();
        ranges.insert(2..10);
        ranges.remove(4..6);
        ranges.clip(8);
        let mut left: Vec<_> = ranges.iter().collect();
        left.sort_by_key(|range| range.start);
        assert_eq!(left, [2..4, 6..8]);
    }
}
