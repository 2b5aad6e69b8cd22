//! An event as the bytes of its line.

use std::io::Write as _;

use convlog_message::{Log, Timestamp, Zone};

use crate::chain::Chain;
use crate::fit::write_fit;
use crate::stamp::{self, AFTER_HASH};
use crate::{Hash, Place, Seq};

/// The text of a time as gptme writes it into events: UTC, `+00:00`, no fraction when it is zero.
pub(crate) fn time_text(time: &Timestamp) -> String {
    let time = time.to_utc(Zone::UTC);
    let mut text = String::with_capacity(32);
    // Digit by digit: this is done for each event, and a formatter takes several times as long.
    let mut digits = |number: u32, places: u32, before: &str| {
        text.push_str(before);
        for place in (0..places).rev() {
            let digit = 10_u32.checked_pow(place).and_then(|power| number.checked_div(power)).unwrap_or(0) % 10;
            text.push(char::from_digit(digit, 10).unwrap_or('0'));
        }
    };
    digits(time.year().unsigned_abs(), 4, "");
    digits(u8::from(time.month()).into(), 2, "-");
    digits(time.day().into(), 2, "-");
    digits(time.hour().into(), 2, "T");
    digits(time.minute().into(), 2, ":");
    digits(time.second().into(), 2, ":");
    if time.microsecond() != 0 {
        digits(time.microsecond(), 6, ".");
    }
    text.push_str("+00:00");
    text
}

/// Writes an event up to its payload.
pub(crate) fn write_head(seq: Seq, ts: &str, kind: &str, out: &mut Vec<u8>) {
    // Writing to a Vec cannot fail.
    let _ = write!(out, "{{\"seq\": {seq}, \"ts\": \"{ts}\", \"type\": \"{kind}\", \"payload\": ");
}

/// What a stamp says beside the hash.
#[derive(Default)]
pub(crate) struct Remarks<'a> {
    pub(crate) places: &'a [Place],
    pub(crate) raw: Vec<(usize, Vec<u8>)>,
    pub(crate) carries: Option<Hash>,
}

/// Writes the stamp and all that follows it, and runs the chain over the line.
///
/// `from` is where the bytes begin that the chain has not seen; afterwards it has seen all.
pub(crate) fn write_stamp(remarks: &Remarks<'_>, from: usize, chain: &mut Chain, out: &mut Vec<u8>) {
    stamp::write_before_hash(remarks.places, &remarks.raw, remarks.carries, out);
    chain.add(out.get(from..).unwrap_or_default());
    let hash = chain.hash();
    stamp::write_hash(hash, out);
    out.extend_from_slice(AFTER_HASH);
    *chain = Chain::after(hash);
    chain.add(AFTER_HASH);
}

/// Writes a list of messages as a payload; `spill` is called whenever much has been written.
pub(crate) fn write_list<E>(
    log: &Log,
    out: &mut Vec<u8>,
    mut spill: impl FnMut(&mut Vec<u8>) -> Result<(), E>,
) -> Result<Vec<(usize, Vec<u8>)>, E> {
    let mut raw = Vec::new();
    out.extend_from_slice(b"{\"messages\": [");
    for (index, message) in log.iter().enumerate() {
        if index > 0 {
            out.extend_from_slice(b", ");
        }
        raw.extend(write_fit(message, None, out).map(|own| (index, own)));
        spill(out)?;
    }
    out.extend_from_slice(b"]}");
    Ok(raw)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_in_utc_as_isoformat_has_them() {
        for (text, expected) in [
            ("2026-01-02T03:04:05.000678+00:00", "2026-01-02T03:04:05.000678+00:00"),
            ("2026-01-02T01:04:05+02:30", "2026-01-01T22:34:05+00:00"),
            ("2026-12-31T23:59:59.5", "2026-12-31T23:59:59.500000+00:00"),
            ("0999-01-02T03:04:05Z", "0999-01-02T03:04:05+00:00"),
        ] {
            let time: Timestamp = text.parse().unwrap();
            assert_eq!(time_text(&time), expected);
            assert_eq!(Timestamp::with_offset(time.to_utc(Zone::UTC)).isoformat(), expected);
        }
    }
}
