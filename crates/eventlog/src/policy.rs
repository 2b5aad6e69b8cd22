//! [`CheckpointPolicy`]: when the whole list is written down again.

use crate::Seq;

/// When a checkpoint is due.
///
/// The default is gptme's, and stays linear where gptme's does not: a checkpoint after each 50 events;
/// but one above 1 MiB only once the events since the last weigh a quarter of it.
///
/// ```
/// use convlog_eventlog::{CheckpointPolicy, Seq};
///
/// let policy = CheckpointPolicy::default();
/// let is_due = |seq, snapshot, since| policy.is_due(Seq::new(seq), Seq::new(1), snapshot, since);
/// assert!(!is_due(49, 60_000, 50_000));
/// assert!(is_due(50, 60_000, 50_000));
/// assert!(!is_due(50, 10_000_000, 50_000));
/// assert!(is_due(2_512, 10_000_000, 2_500_000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CheckpointPolicy {
    /// A checkpoint is due after each event whose number is a multiple of this; never when it is 0.
    pub interval: u64,
    /// Up to this many bytes of snapshot nothing else counts.
    pub free_size: u64,
    /// Above that, the events since the last checkpoint must weigh at least the snapshot divided by
    /// this.
    pub divisor: u64,
}

impl Default for CheckpointPolicy {
    fn default() -> Self {
        Self { interval: 50, free_size: 1 << 20, divisor: 4 }
    }
}

impl CheckpointPolicy {
    /// The default with another interval.
    #[must_use]
    pub fn every(interval: u64) -> Self {
        Self { interval, ..Self::default() }
    }

    /// Whether a checkpoint is due after event `last`, where the one before has number `checkpoint`, the
    /// snapshot would take `snapshot` bytes, and the payloads of the events since weigh `since` bytes.
    #[must_use]
    pub fn is_due(&self, last: Option<Seq>, checkpoint: Option<Seq>, snapshot: u64, since: u64) -> bool {
        let multiples = |seq: Option<Seq>| seq.map_or(0, Seq::get).checked_div(self.interval).unwrap_or(0);
        multiples(last) > multiples(checkpoint)
            && (snapshot <= self.free_size || since.saturating_mul(self.divisor) >= snapshot)
    }
}
