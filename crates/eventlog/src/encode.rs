//! An event as the bytes of its line.

use std::io::Write as _;

use convlog_message::{Log, Timestamp, Zone};

use crate::chain::Chain;
use crate::fit::write_fit;
use crate::stamp::{self, AFTER_HASH};
use crate::{Hash, Place, Seq};

/// The text of a time as gptme writes it into events: UTC, `+00:00`.
pub(crate) fn time_text(time: &Timestamp) -> String {
    Timestamp::with_offset(time.to_utc(Zone::UTC)).isoformat()
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
