//! A point in time as a person types it: [`When`].

use convlog_message::{Timestamp, Zone};
use time::{Duration, OffsetDateTime};

/// A day, a time, or so long ago.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum When {
    At(Local),
    Ago(Duration),
}

/// A date and time, with an offset or in the zone of whoever typed it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Local(time::PrimitiveDateTime, Option<time::UtcOffset>);

impl When {
    /// Reads `2026-01-31`, `2026-01-31T12:00`, `7d`, `12h`, `30m`, `2w`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const WANTED: &str = "a day (2026-01-31), a time (2026-01-31T12:00) or a span (7d, 12h) is wanted";
        if let Some((number, unit)) = text.len().checked_sub(1).and_then(|at| text.split_at_checked(at))
            && let Ok(number) = number.parse::<u32>()
        {
            let hours = match unit {
                "w" => Some(7 * 24),
                "d" => Some(24),
                "h" => Some(1),
                _ => None,
            };
            let span = hours.map(|hours: i64| Duration::hours(hours.saturating_mul(number.into())));
            let span = span.or_else(|| (unit == "m").then(|| Duration::minutes(number.into())));
            if let Some(span) = span {
                return Ok(Self::Ago(span));
            }
        }
        let time: Timestamp = text.trim().parse().map_err(|_| WANTED.to_owned())?;
        Ok(Self::At(Local(time.local(), time.offset())))
    }

    /// The time in seconds since 1970.
    pub(crate) fn seconds(self, zone: Zone) -> f64 {
        let instant = match self {
            Self::Ago(span) => OffsetDateTime::now_utc().checked_sub(span),
            Self::At(Local(local, Some(offset))) => Some(local.assume_offset(offset)),
            Self::At(Local(local, None)) => Some(Timestamp::naive(local).to_utc(zone)),
        };
        instant.map_or(f64::MIN, |instant| instant.unix_timestamp_nanos() as f64 / 1e9)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_times_and_spans_are_understood() {
        let at = |text: &str| When::parse(text).unwrap().seconds(Zone::UTC);
        assert_eq!(at("2026-01-02"), 1_767_312_000.0);
        assert_eq!(at("2026-01-02T03:04"), 1_767_323_040.0);
        assert_eq!(at("2026-01-02T03:04:05+01:00"), 1_767_319_445.0);
        let ago = OffsetDateTime::now_utc().unix_timestamp() as f64 - at("2d");
        assert!((ago - 172_800.0).abs() < 5.0);
        assert_eq!(When::parse("4294967295w").unwrap().seconds(Zone::UTC), f64::MIN);
        for odd in ["", "d", "-1d", "1y", "yesterday", "é"] {
            assert!(When::parse(odd).is_err(), "{odd:?}");
        }
    }
}
