//! Writing a time as Python's `isoformat` does.

use std::fmt::Write as _;

use time::{PrimitiveDateTime, UtcOffset};

/// `YYYY-MM-DDTHH:MM:SS`, `.ffffff` unless zero, and `±HH:MM` (`:SS` unless zero) when there is an offset.
pub(super) fn isoformat(local: PrimitiveDateTime, offset: Option<UtcOffset>) -> String {
    let mut text = String::with_capacity(32);
    // Writing to a String cannot fail.
    let _ = write!(
        text,
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        local.year(),
        u8::from(local.month()),
        local.day(),
        local.hour(),
        local.minute(),
        local.second()
    );
    if local.microsecond() != 0 {
        let _ = write!(text, ".{:06}", local.microsecond());
    }
    if let Some(offset) = offset {
        let (hours, minutes, seconds) = offset.as_hms();
        let sign = if offset.is_negative() { '-' } else { '+' };
        let _ = write!(text, "{sign}{:02}:{:02}", hours.unsigned_abs(), minutes.unsigned_abs());
        if seconds != 0 {
            let _ = write!(text, ":{:02}", seconds.unsigned_abs());
        }
    }
    text
}
