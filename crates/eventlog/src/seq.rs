//! [`Seq`]: the number of an event.

use std::fmt;
use std::num::NonZeroU64;

/// The number of an event in its log, counted from 1.
///
/// ```
/// use convlog_eventlog::Seq;
///
/// assert_eq!(Seq::FIRST.get(), 1);
/// assert_eq!(Seq::new(0), None);
/// assert_eq!(Seq::new(6).and_then(Seq::next), Seq::new(7));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seq(NonZeroU64);

impl Seq {
    /// The number of the first event.
    pub const FIRST: Self = Self(NonZeroU64::MIN);

    /// A number from 1 on; `None` for 0.
    #[must_use]
    pub const fn new(number: u64) -> Option<Self> {
        match NonZeroU64::new(number) {
            Some(number) => Some(Self(number)),
            None => None,
        }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0.get()
    }

    /// The number after this one; `None` after the last there is.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        self.0.checked_add(1).map(Self)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
