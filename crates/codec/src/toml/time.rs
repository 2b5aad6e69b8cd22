//! A time in a form that gptme reads, and the exact text beside it where that is another.

use convlog_message::{Timestamp, Zone};

/// The text for `timestamp`, and for `exact_timestamp` where gptme cannot read the exact text.
///
/// gptme reads with dateutil's `isoparse`, and one time that it refuses costs it the whole file.
pub(super) fn texts(time: &Timestamp) -> (String, Option<String>) {
    let text = time.to_string();
    let has_seconds = time.offset().is_some_and(|offset| offset.seconds_past_minute() != 0);
    if !has_seconds && (time.is_canonical() || is_surely_read(time, &text)) {
        return (text, None);
    }
    let shown = if has_seconds { Timestamp::with_offset(time.to_utc(Zone::UTC)).isoformat() } else { time.isoformat() };
    (shown, Some(text))
}

/// Whether `isoparse` takes the text; `false` where it might not (a leap second, a blank before the offset,
/// an offset with seconds).
fn is_surely_read(time: &Timestamp, text: &str) -> bool {
    let may_be_leap_second = time.local().second() == 59 && text.contains("60");
    let blanks = text.bytes().filter(u8::is_ascii_whitespace).count();
    let colons = text.bytes().filter(|byte| *byte == b':').count();
    text.is_ascii() && !may_be_leap_second && colons <= 3 && (blanks == 0 || (blanks == 1 && time.is_naive()))
}
