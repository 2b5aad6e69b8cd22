//! Times as a person reads them.

use convlog_message::{Timestamp, Zone};

/// In `zone`, to the minute.
pub(crate) fn local_minutes(time: &Timestamp, zone: Zone) -> String {
    let time = time.in_zone(zone);
    let (year, month, day) = (time.year(), u8::from(time.month()), time.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", time.hour(), time.minute())
}

/// In `zone`, to the second.
pub(crate) fn local_seconds(time: &Timestamp, zone: Zone) -> String {
    format!("{}:{:02}", local_minutes(time, zone), time.in_zone(zone).second())
}
