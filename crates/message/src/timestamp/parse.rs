//! Reading a time in any of the forms that ISO 8601 and Python's dateutil know.

use std::str::FromStr;

use thiserror::Error;
use time::{Date, Duration, Month, PrimitiveDateTime, Time, UtcOffset, Weekday};

use super::{Timestamp, format};

/// The text is no time that can be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not an ISO 8601 date and time")]
pub struct ParseTimestampError {
    /// What was given.
    pub text: String,
}

impl FromStr for Timestamp {
    type Err = ParseTimestampError;

    /// Reads what dateutil's `isoparse` reads: calendar, week and ordinal dates, extended or basic, a
    /// date alone, any separator before the time, hours alone, a comma before the fraction, `24:00`,
    /// `Z` and `±HH[[:]MM]`. And three forms that it refuses: a leap second (`:60`, taken as `:59`),
    /// blanks before the offset, and `±HH:MM:SS`, which Python writes for old local times. A fraction is cut after six digits.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Some(local) = canonical_naive(text.as_bytes()) {
            return Ok(Self { local, offset: None, text: None });
        }
        let (local, offset) = parse(text.as_bytes()).ok_or_else(|| ParseTimestampError { text: text.to_owned() })?;
        let canonical = format::isoformat(local, offset) == text;
        Ok(Self { local, offset, text: (!canonical).then(|| text.into()) })
    }
}

/// The form that gptme writes, `YYYY-MM-DDTHH:MM:SS[.ffffff]`, and only where writing it again gives the
/// same bytes.
fn canonical_naive(text: &[u8]) -> Option<PrimitiveDateTime> {
    let (main, fraction) = text.split_at_checked(19)?;
    let [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', h1, h2, b':', n1, n2, b':', s1, s2] = main else {
        return None;
    };
    let micros = match fraction {
        [] => 0,
        [b'.', digits @ ..] if digits.len() == 6 => match number(digits)? {
            0 => return None,
            micros => micros,
        },
        _ => return None,
    };
    let date = calendar(number(&[*y1, *y2, *y3, *y4])?, number(&[*m1, *m2])?, number(&[*d1, *d2])?)?;
    let two = |a: &u8, b: &u8| number(&[*a, *b]).and_then(|n| u8::try_from(n).ok());
    let time = Time::from_hms_micro(two(h1, h2)?, two(n1, n2)?, two(s1, s2)?, micros).ok()?;
    Some(PrimitiveDateTime::new(date, time))
}

/// Any readable form.
fn parse(text: &[u8]) -> Option<(PrimitiveDateTime, Option<UtcOffset>)> {
    let (date, rest) = date(text)?;
    let Some((_separator, rest)) = rest.split_first() else {
        return (date.year() > 0).then_some((PrimitiveDateTime::new(date, Time::MIDNIGHT), None));
    };
    let (clock, offset) = clock(rest)?;
    let next_day = if clock.next_day { date.next_day()? } else { date };
    Some((PrimitiveDateTime::new(next_day, clock.time), offset))
}

/// A date at the start of the text, and what follows it.
fn date(text: &[u8]) -> Option<(Date, &[u8])> {
    let (year, rest) = take(text, 4)?;
    if year == 0 {
        return None;
    }
    calendar_date(year, rest).or_else(|| week_date(year, rest)).or_else(|| ordinal_date(year, rest))
}

/// `YYYY`, `YYYY-MM` (each only as the whole text), `YYYY-MM-DD`, `YYYYMMDD`; the year is read already.
fn calendar_date(year: u32, rest: &[u8]) -> Option<(Date, &[u8])> {
    if rest.is_empty() {
        return Some((calendar(year, 1, 1)?, rest));
    }
    let (dashed, rest) = optional(rest, b'-');
    let (month, rest) = take(rest, 2)?;
    if rest.is_empty() {
        return if dashed { Some((calendar(year, month, 1)?, rest)) } else { None };
    }
    let rest = if dashed { rest.strip_prefix(b"-")? } else { rest };
    let (day, rest) = take(rest, 2)?;
    Some((calendar(year, month, day)?, rest))
}

/// `YYYY-Www`, `YYYY-Www-D` and the same without dashes.
fn week_date(year: u32, rest: &[u8]) -> Option<(Date, &[u8])> {
    let (dashed, rest) = optional(rest, b'-');
    let (week, rest) = take(rest.strip_prefix(b"W")?, 2)?;
    let (day, rest) = match rest {
        [] => (1, rest),
        _ if dashed => take(rest.strip_prefix(b"-")?, 1)?,
        _ => take(rest, 1)?,
    };
    if !(1..=53).contains(&week) || !(1..=7).contains(&day) {
        return None;
    }
    // As dateutil: counted on from week 1, so that a week 53 that does not exist is the next year's first.
    let first = Date::from_iso_week_date(i32::try_from(year).ok()?, 1, Weekday::Monday).ok()?;
    let days = i64::from(week).checked_sub(1)?.checked_mul(7)?.checked_add(i64::from(day))?.checked_sub(1)?;
    let date = first.checked_add(Duration::days(days))?;
    (date.year() > 0).then_some((date, rest))
}

/// `YYYY-DDD` or `YYYYDDD`.
fn ordinal_date(year: u32, rest: &[u8]) -> Option<(Date, &[u8])> {
    let (_, rest) = optional(rest, b'-');
    let (day, rest) = take(rest, 3)?;
    let date = Date::from_ordinal_date(i32::try_from(year).ok()?, u16::try_from(day).ok()?).ok()?;
    Some((date, rest))
}

/// A time of day, and whether it is the midnight at the day's end (`24:00`).
struct Clock {
    time: Time,
    next_day: bool,
}

/// `HH`, `HH:MM`, `HHMM`, `HH:MM:SS`, `HHMMSS`, a fraction behind the seconds, then an offset; or an
/// offset alone, at midnight; whole.
fn clock(text: &[u8]) -> Option<(Clock, Option<UtcOffset>)> {
    if matches!(text, [b'+' | b'-', ..]) {
        return Some((Clock { time: Time::MIDNIGHT, next_day: false }, offset(text)?));
    }
    let (hour, rest) = take(text, 2)?;
    let (minute, colons, rest) = match rest {
        [b':', more @ ..] => take(more, 2).map(|(minute, rest)| (minute, true, rest))?,
        [b'0'..=b'9', ..] => take(rest, 2).map(|(minute, rest)| (minute, false, rest))?,
        _ => (0, false, rest),
    };
    let (second, rest) = match rest {
        [b':', more @ ..] if colons => take(more, 2)?,
        [b'0'..=b'9', ..] if !colons => take(rest, 2)?,
        [b'.' | b',', ..] => return None,
        _ => (0, rest),
    };
    let (micros, rest) = match rest {
        [b'.' | b',', digits @ ..] => fraction(digits)?,
        _ => (0, rest),
    };
    let offset = offset(rest)?;
    let next_day = hour == 24;
    if next_day && (minute, second, micros) != (0, 0, 0) {
        return None;
    }
    let hour = if next_day { 0 } else { u8::try_from(hour).ok()? };
    let second = if second == 60 { 59 } else { u8::try_from(second).ok()? };
    let time = Time::from_hms_micro(hour, u8::try_from(minute).ok()?, second, micros).ok()?;
    Some((Clock { time, next_day }, offset))
}

/// The digits of a fraction, in microseconds, cut after six.
fn fraction(text: &[u8]) -> Option<(u32, &[u8])> {
    let length = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (digits, rest) = text.split_at_checked(length)?;
    if digits.is_empty() {
        return None;
    }
    let mut micros = [b'0'; 6];
    micros.iter_mut().zip(digits).for_each(|(to, from)| *to = *from);
    Some((number(&micros)?, rest))
}

/// Nothing, or an offset that ends the text: `Z`, `±HH`, `±HHMM`, `±HH:MM`, `±HH:MM:SS`, blanks before it.
fn offset(text: &[u8]) -> Option<Option<UtcOffset>> {
    let text = match text {
        [] => return Some(None),
        _ => text.trim_ascii_start(),
    };
    let (negative, rest) = match text {
        [b'Z' | b'z'] => return Some(Some(UtcOffset::UTC)),
        [b'+', rest @ ..] => (false, rest),
        [b'-', rest @ ..] => (true, rest),
        _ => return None,
    };
    let (hours, rest) = take(rest, 2)?;
    let (minutes, seconds) = match rest {
        [] => (0, 0),
        [b':', m1, m2, b':', s1, s2] => (number(&[*m1, *m2])?, number(&[*s1, *s2])?),
        [b':', digits @ ..] | digits if digits.len() == 2 => (number(digits)?, 0),
        _ => return None,
    };
    if hours > 23 || minutes > 59 || seconds > 59 {
        return None;
    }
    let minutes = hours.checked_mul(60)?.checked_add(minutes)?;
    let seconds = i32::try_from(minutes.checked_mul(60)?.checked_add(seconds)?).ok()?;
    UtcOffset::from_whole_seconds(if negative { seconds.checked_neg()? } else { seconds }).ok().map(Some)
}

/// A date of the years 1 to 9999.
fn calendar(year: u32, month: u32, day: u32) -> Option<Date> {
    if year == 0 {
        return None;
    }
    let month = Month::try_from(u8::try_from(month).ok()?).ok()?;
    Date::from_calendar_date(i32::try_from(year).ok()?, month, u8::try_from(day).ok()?).ok()
}

/// The first `length` bytes as a number, all of them ASCII digits, and the rest.
fn take(text: &[u8], length: usize) -> Option<(u32, &[u8])> {
    let (digits, rest) = text.split_at_checked(length)?;
    Some((number(digits)?, rest))
}

/// Whether the text starts with a byte, and what follows it.
fn optional(text: &[u8], byte: u8) -> (bool, &[u8]) {
    match text.split_first() {
        Some((first, rest)) if *first == byte => (true, rest),
        _ => (false, text),
    }
}

/// ASCII digits as a number, at most nine.
fn number(digits: &[u8]) -> Option<u32> {
    if digits.is_empty() || digits.len() > 9 {
        return None;
    }
    digits.iter().try_fold(0_u32, |n, digit| {
        let value = digit.wrapping_sub(b'0');
        if value > 9 { None } else { n.checked_mul(10)?.checked_add(u32::from(value)) }
    })
}
