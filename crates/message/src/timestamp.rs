//! A point in time as a message records it: [`Timestamp`].

mod format;
mod parse;

use std::fmt;
use std::sync::Arc;
use std::time::SystemTime;

use time::{Duration, OffsetDateTime, PrimitiveDateTime, UtcOffset};

pub use parse::ParseTimestampError;

/// A date and time to the microsecond, with an offset from UTC or without one, and the exact text it
/// was read from.
///
/// gptme writes local time without an offset (*naive*), and in places compares or subtracts two times,
/// which fails in Python when only one of them has an offset. So the kind is kept, and a transcript is
/// best continued in the kind it already has ([`Timestamp::is_naive`]).
///
/// Equality is that of date, time and offset; the text they were read from does not count. There is no
/// order: it would depend on a time zone. [`Timestamp::to_utc`] takes one.
///
/// ```
/// use convlog_message::{Timestamp, Zone};
///
/// let naive: Timestamp = "2026-01-02T03:04:05.123456".parse()?;
/// assert!(naive.is_naive());
/// assert_eq!(naive.to_string(), "2026-01-02T03:04:05.123456");
///
/// let basic: Timestamp = "20260102T030405Z".parse()?;
/// assert_eq!(basic.to_string(), "20260102T030405Z"); // exact text in and out
/// assert_eq!(basic, "2026-01-02T03:04:05+00:00".parse()?);
/// assert_eq!(basic.to_utc(Zone::UTC).unix_timestamp(), 1_767_323_045);
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[derive(Clone)]
pub struct Timestamp {
    local: PrimitiveDateTime,
    offset: Option<UtcOffset>,
    /// The text it was read from, when that is not what [`format::isoformat`] makes of it.
    text: Option<Arc<str>>,
}

/// How a time without an offset is to be understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zone {
    /// As the local time of this machine, with the offset in force at that time (summer time included).
    Local,
    /// As the local time of a place at this fixed distance from UTC.
    Fixed(UtcOffset),
}

impl Zone {
    /// Coordinated universal time.
    pub const UTC: Self = Self::Fixed(UtcOffset::UTC);

    /// The offset in force at an instant. Where the local one cannot be found out, UTC is taken.
    #[must_use]
    pub fn offset_at(self, instant: OffsetDateTime) -> UtcOffset {
        match self {
            Self::Fixed(offset) => offset,
            Self::Local => UtcOffset::local_offset_at(instant).unwrap_or(UtcOffset::UTC),
        }
    }
}

impl Timestamp {
    /// A time without an offset. What is finer than a microsecond is cut.
    #[must_use]
    pub fn naive(local: PrimitiveDateTime) -> Self {
        Self { local: cut(local), offset: None, text: None }
    }

    /// A time with an offset. What is finer than a microsecond is cut.
    #[must_use]
    pub fn with_offset(time: OffsetDateTime) -> Self {
        let local = PrimitiveDateTime::new(time.date(), time.time());
        Self { local: cut(local), offset: Some(time.offset()), text: None }
    }

    /// Now, as gptme writes it: local time without an offset.
    ///
    /// Where the local offset cannot be found out, the time is given in UTC with its offset, so that it
    /// is right in any case.
    #[must_use]
    pub fn now() -> Self {
        match OffsetDateTime::now_local() {
            Ok(now) => Self::naive(PrimitiveDateTime::new(now.date(), now.time())),
            Err(_) => Self::now_utc(),
        }
    }

    /// Now, in UTC and with its offset.
    #[must_use]
    pub fn now_utc() -> Self {
        Self::with_offset(OffsetDateTime::now_utc())
    }

    /// The date and time on the clock of the writer, whatever its offset.
    #[must_use]
    pub const fn local(&self) -> PrimitiveDateTime {
        self.local
    }

    /// The offset from UTC, when one is recorded.
    #[must_use]
    pub const fn offset(&self) -> Option<UtcOffset> {
        self.offset
    }

    /// Whether no offset is recorded.
    #[must_use]
    pub const fn is_naive(&self) -> bool {
        self.offset.is_none()
    }

    /// The instant in UTC; `zone` says how to understand a time without an offset.
    ///
    /// A local time that comes twice (the end of summer time) is taken as the first of the two, one that
    /// is left out as if the clock had not been changed, both as Python does.
    #[must_use]
    pub fn to_utc(&self, zone: Zone) -> OffsetDateTime {
        let instant = match (self.offset, zone) {
            (Some(offset), _) | (None, Zone::Fixed(offset)) => self.local.assume_offset(offset),
            (None, Zone::Local) => from_local(self.local, |instant| zone.offset_at(instant)),
        };
        // Fails only within a day of the years 1 and 9999: better some hours off than no time at all.
        instant.checked_to_offset(UtcOffset::UTC).unwrap_or_else(|| self.local.assume_utc())
    }

    /// The same instant with the offset that `zone` has then, for showing.
    #[must_use]
    pub fn in_zone(&self, zone: Zone) -> OffsetDateTime {
        let instant = self.to_utc(zone);
        instant.checked_to_offset(zone.offset_at(instant)).unwrap_or(instant)
    }

    /// The text in its canonical form, as Python's `isoformat` gives it; [`Display`](fmt::Display) gives
    /// the text it was read from.
    #[must_use]
    pub fn isoformat(&self) -> String {
        format::isoformat(self.local, self.offset)
    }

    /// Whether the text it was read from is what Python's `isoformat` gives.
    #[must_use]
    pub const fn is_canonical(&self) -> bool {
        self.text.is_none()
    }
}

/// Cuts what is finer than a microsecond.
fn cut(time: PrimitiveDateTime) -> PrimitiveDateTime {
    let micros = time.microsecond();
    time.replace_microsecond(micros).unwrap_or(time)
}

/// The instant of a local time, found as Python's `datetime.timestamp` finds it: `offset_at` is asked at
/// two candidates, of which one fits, or both (the earlier counts), or none (the later counts).
fn from_local(local: PrimitiveDateTime, offset_at: impl Fn(OffsetDateTime) -> UtcOffset) -> OffsetDateTime {
    let fits = |instant: OffsetDateTime| offset_at(instant) == instant.offset();
    let guess = local.assume_offset(offset_at(local.assume_utc()));
    let day_before = guess.checked_sub(Duration::DAY).unwrap_or(guess);
    let other_offset = if fits(guess) { offset_at(day_before) } else { offset_at(guess) };
    let other = local.assume_offset(other_offset);
    match (fits(guess), fits(other)) {
        (_, true) => other,
        (true, false) => guess,
        (false, false) => guess.max(other),
    }
}

impl From<SystemTime> for Timestamp {
    /// The time in UTC with its offset; a time outside the years 1 to 9999 becomes the start of 1970.
    fn from(time: SystemTime) -> Self {
        const LIMIT_SECONDS: u64 = 60_000_000_000;
        let within = |d: std::time::Duration| d.as_secs() < LIMIT_SECONDS;
        let sane = match time.duration_since(SystemTime::UNIX_EPOCH) {
            Ok(after) => within(after) && after.as_secs() < 253_402_300_799,
            Err(before) => within(before.duration()),
        };
        Self::with_offset(if sane { time.into() } else { OffsetDateTime::UNIX_EPOCH })
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        (self.local, self.offset) == (other.local, other.offset)
    }
}

impl Eq for Timestamp {}

impl fmt::Display for Timestamp {
    /// Writes the text it was read from, or else the canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            Some(text) => f.pad(text),
            None => f.pad(&self.isoformat()),
        }
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Timestamp({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Summer time (+02:00) from 2026-03-29 01:00 UTC to 2026-10-25 01:00 UTC, else +01:00.
    fn berlin(instant: OffsetDateTime) -> UtcOffset {
        let summer = (1_774_746_000..1_792_890_000).contains(&instant.unix_timestamp());
        UtcOffset::from_hms(if summer { 2 } else { 1 }, 0, 0).unwrap()
    }

    #[test]
    fn a_local_time_is_found_around_both_changes_of_the_clock() {
        // The instants that Python's `datetime.timestamp` gives under TZ=Europe/Berlin.
        let cases = [
            ("2026-01-02T03:04:05", 1_767_319_445),
            ("2026-07-02T03:04:05", 1_782_954_245),
            ("2026-03-29T01:59:59", 1_774_745_999),
            ("2026-03-29T02:30:00", 1_774_747_800), // left out
            ("2026-03-29T03:00:00", 1_774_746_000),
            ("2026-10-25T02:30:00", 1_792_888_200), // comes twice: the first
            ("2026-10-25T03:00:00", 1_792_893_600),
        ];
        for (text, unix) in cases {
            let time: Timestamp = text.parse().unwrap();
            assert_eq!(from_local(time.local, berlin).unix_timestamp(), unix, "{text}");
        }
    }
}
