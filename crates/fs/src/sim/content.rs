//! `Content`: the bytes of a simulated file, what of them is durable, and the changes since.

use std::sync::Arc;

use super::ranges::Ranges;

/// The bytes of a file as programs see them and as the disk has them.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    current: Arc<Vec<u8>>,
    synced: Arc<Vec<u8>>,
    unsynced: Vec<Change>,
    /// What a failed sync left clean in memory and perhaps absent from the disk: a sync passes
    /// over it.
    lost: Ranges,
}

/// A change of a file's bytes.
#[derive(Clone, Debug)]
pub(super) enum Change {
    Write { offset: usize, bytes: Arc<[u8]> },
    SetLen(usize),
}

impl Content {
    /// Bytes that are durable.
    pub(super) fn durable(bytes: Arc<Vec<u8>>) -> Self {
        Self { current: Arc::clone(&bytes), synced: bytes, ..Self::default() }
    }

    pub(super) fn current(&self) -> &Arc<Vec<u8>> {
        &self.current
    }

    pub(super) fn synced(&self) -> &Arc<Vec<u8>> {
        &self.synced
    }

    pub(super) fn unsynced(&self) -> &[Change] {
        &self.unsynced
    }

    pub(super) fn write(&mut self, offset: usize, bytes: &[u8]) {
        let change = Change::Write { offset, bytes: bytes.into() };
        change.apply(Arc::make_mut(&mut self.current));
        self.lost.remove(change.span());
        self.unsynced.push(change);
    }

    pub(super) fn set_len(&mut self, len: usize) {
        if len == self.current.len() {
            return;
        }
        Arc::make_mut(&mut self.current).resize(len, 0);
        self.lost.clip(len);
        self.unsynced.push(Change::SetLen(len));
    }

    /// What a sync that succeeds does.
    pub(super) fn sync(&mut self) {
        self.unsynced.clear();
        if self.lost.is_empty() {
            self.synced = Arc::clone(&self.current);
            return;
        }
        let mut reached = Vec::clone(&self.current);
        for range in self.lost.iter() {
            let Some(bytes) = self.current.get(range.clone()) else {
                continue;
            };
            let change = Change::Write { offset: range.start, bytes: bytes.into() };
            for (position, byte) in reached.iter_mut().enumerate().take(range.end) {
                if position >= range.start {
                    *byte = self.synced.get(position).copied().unwrap_or(0);
                }
            }
            // It may have reached the disk all the same.
            self.unsynced.push(change);
        }
        self.synced = Arc::new(reached);
    }

    /// What a sync that fails does.
    pub(super) fn fail_sync(&mut self) {
        for change in &self.unsynced {
            match change {
                Change::Write { .. } => self.lost.insert(change.span()),
                Change::SetLen(len) => self.lost.clip(*len),
            }
        }
        self.lost.clip(self.current.len());
    }
}

impl Change {
    pub(super) fn apply(&self, to: &mut Vec<u8>) {
        self.apply_part(to, usize::MAX);
    }

    /// Does the first `len` bytes of the change.
    pub(super) fn apply_part(&self, to: &mut Vec<u8>, len: usize) {
        match self {
            Self::SetLen(len) => to.resize(*len, 0),
            Self::Write { offset, bytes } => {
                let bytes = bytes.get(..len).unwrap_or(bytes);
                let end = offset.saturating_add(bytes.len());
                if to.len() < end {
                    to.resize(end, 0);
                }
                if let Some(place) = to.get_mut(*offset..end) {
                    place.copy_from_slice(bytes);
                }
            }
        }
    }

    /// The positions that are written; none for a change of length.
    pub(super) fn span(&self) -> std::ops::Range<usize> {
        match self {
            Self::Write { offset, bytes } => *offset..offset.saturating_add(bytes.len()),
            Self::SetLen(_) => 0..0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_failed_sync_lost_stays_lost_until_written_again() {
        let mut content = Content::durable(Arc::new(b"old\n".to_vec()));
        content.write(4, b"lost\n");
        content.fail_sync();
        content.write(9, b"kept\n");
        content.sync();
        assert_eq!(**content.current(), b"old\nlost\nkept\n");
        assert_eq!(**content.synced(), b"old\n\0\0\0\0\0kept\n");
        assert_eq!(content.unsynced().len(), 1);

        content.write(4, b"lost\n");
        content.sync();
        assert_eq!(content.synced(), content.current());
        assert!(content.unsynced().is_empty());
    }

    #[test]
    fn a_later_length_cuts_what_was_lost() {
        let mut content = Content::durable(Arc::new(b"old\n".to_vec()));
        content.write(4, b"lost\n");
        content.fail_sync();
        content.set_len(4);
        content.sync();
        assert_eq!(**content.synced(), b"old\n");
        assert!(content.unsynced().is_empty());
    }
}
