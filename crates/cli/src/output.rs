//! Shared pieces of text output: times, widths, numbers.

use convlog_message::{Timestamp, Zone};
pub(crate) use convlog_render::{cut, pad, printable};
use time::OffsetDateTime;

/// The width of the terminal that is written to, in columns; `None` when it is not one.
pub(crate) fn terminal_width() -> Option<usize> {
    use std::io::IsTerminal as _;
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size()?;
    Some(usize::from(columns).max(20))
}

/// A time as a person reads it: local, to the minute.
pub(crate) fn local_time(time: &Timestamp, zone: Zone) -> String {
    minutes(time.in_zone(zone))
}

/// Seconds since 1970 as a person reads them: local, to the minute.
pub(crate) fn local_seconds(seconds: f64, zone: Zone) -> String {
    // The last second of the year 9999; what is no time at all becomes 1970.
    let seconds = seconds.min(253_402_300_799.0);
    let instant = OffsetDateTime::from_unix_timestamp(seconds as i64).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    minutes(instant.checked_to_offset(zone.offset_at(instant)).unwrap_or(instant))
}

fn minutes(time: OffsetDateTime) -> String {
    let (year, month, day) = (time.year(), u8::from(time.month()), time.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", time.hour(), time.minute())
}

/// A count with its thing: `1 message`, `3 messages`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// A number of bytes as a person reads it: `512 B`, `1.2 kB`, `34.5 MB`.
pub(crate) fn size(bytes: u64) -> String {
    if bytes < 1_000 {
        return format!("{bytes} B");
    }
    let (mut tenths, mut unit) = (bytes / 100, "kB");
    for larger in ["MB", "GB", "TB", "PB", "EB"] {
        if tenths < 10_000 {
            break;
        }
        (tenths, unit) = (tenths / 1_000, larger);
    }
    format!("{}.{} {unit}", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_down() {
        let sizes = [0, 999, 1_000, 1_299, 999_999, 34_567_890, u64::MAX].map(size);
        assert_eq!(sizes, ["0 B", "999 B", "1.0 kB", "1.2 kB", "999.9 kB", "34.5 MB", "18.4 EB"]);
    }
}
