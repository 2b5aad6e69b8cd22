//! Where a string ends that is as Python writes it, found without a branch for each escape: [`string_end`].

use wide::{CmpEq, CmpLt, i8x16};

use super::unicode_escape;

/// How many bytes are looked at together.
const BLOCK: usize = 64;

/// Which bytes of a block are what: bit *n* stands for byte *n*.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    quotes: u64,
    backslashes: u64,
    /// Control characters, DEL, and everything beyond ASCII: Python escapes them.
    raw: u64,
    /// What makes an escape of two bytes when a backslash stands before it.
    shorts: u64,
    /// The letter of an escape of six bytes.
    us: u64,
}

impl Marks {
    #[inline]
    fn of(block: &[u8; BLOCK]) -> Self {
        let mut marks = Self::default();
        let (quarters, _) = block.as_chunks::<16>();
        for (quarter, shift) in quarters.iter().zip([0, 16, 32, 48]) {
            let lanes = i8x16::new(quarter.map(u8::cast_signed));
            let is = |byte: u8| lanes.cmp_eq(i8x16::splat(byte.cast_signed()));
            let mask = |found: i8x16| u64::from(found.move_mask().cast_unsigned()).wrapping_shl(shift);
            let (quotes, backslashes) = (is(b'"'), is(b'\\'));
            marks.quotes |= mask(quotes);
            marks.backslashes |= mask(backslashes);
            // Signed, so that bytes from 0x80 on count as below the blank.
            marks.raw |= mask(lanes.cmp_lt(i8x16::splat(0x20)) | is(0x7f));
            let letters = is(b'n') | is(b't') | is(b'r') | is(b'b') | is(b'f');
            marks.shorts |= mask(letters | quotes | backslashes);
            marks.us |= mask(is(b'u'));
        }
        marks
    }
}

/// The bytes of a block that a backslash escapes; `carry` says whether the block before ended in such a backslash, and
/// then whether this one does.
#[inline]
fn escaped(backslashes: u64, carry: &mut u64) -> u64 {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    // In a run of backslashes every second one escapes. A run that begins at an even place, taken from the odd places,
    // borrows through to its end; so the parity of the places tells which is which.
    let begins = backslashes & !*carry;
    let followers = begins.wrapping_shl(1);
    let parity = (followers | ODD).wrapping_sub(begins) ^ ODD;
    let escaped = parity ^ (backslashes | *carry);
    *carry = (parity & backslashes).wrapping_shr(63);
    escaped
}

/// Where the closing quote of a string stands, when all before it is what Python writes; `None` otherwise, and without
/// a closing quote.
pub(super) fn string_end(text: &[u8]) -> Option<usize> {
    let (blocks, tail) = text.as_chunks::<BLOCK>();
    let mut state = State { carry: 0, after: 0 };
    let mut base = 0_usize;
    for block in blocks {
        if let Some(end) = state.block(text, base, Marks::of(block))? {
            return Some(end);
        }
        base = base.saturating_add(BLOCK);
    }
    let mut padded = [0; BLOCK];
    padded.get_mut(..tail.len())?.copy_from_slice(tail);
    // What pads it is nothing that Python writes.
    state.block(text, base, Marks::of(&padded))?
}

struct State {
    /// Bit 0: whether the first byte of the next block is escaped.
    carry: u64,
    /// Where the last escape of six or twelve bytes ended.
    after: usize,
}

impl State {
    /// Goes through a block: `None` where something is not as Python writes it, else where the string ends, if it does.
    #[inline]
    fn block(&mut self, text: &[u8], base: usize, marks: Marks) -> Option<Option<usize>> {
        let escaped = escaped(marks.backslashes, &mut self.carry);
        let ends = marks.quotes & !escaped;
        // Everything before the first quote that ends the string, or the whole block.
        let before = (ends & ends.wrapping_neg()).wrapping_sub(1);
        let wrong = marks.raw | (escaped & !(marks.shorts | marks.us));
        if wrong & before != 0 {
            return None;
        }
        let mut units = marks.us & escaped & before;
        while units != 0 {
            let at = base.saturating_add(units.trailing_zeros() as usize).checked_sub(1)?;
            units &= units.wrapping_sub(1);
            // The second half of a pair was looked at with the first.
            if at >= self.after {
                let escape = text.get(at..)?;
                let length = escape.len().checked_sub(unicode_escape(escape)?.1.len())?;
                self.after = at.saturating_add(length);
            }
        }
        Some((ends != 0).then(|| base.saturating_add(ends.trailing_zeros() as usize)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::scan::is_plain;
    use crate::jsonl::canonical::short_escape;
    use proptest::prelude::*;

    /// The same, byte by byte.
    fn slowly(text: &[u8]) -> Option<usize> {
        let mut rest = text;
        loop {
            rest = match rest {
                [b'"', ..] => return text.len().checked_sub(rest.len()),
                [b'\\', b'u', ..] => unicode_escape(rest)?.1,
                [b'\\', escape, after @ ..] => short_escape(*escape).map(|_| after)?,
                [byte, after @ ..] if is_plain(*byte) => after,
                _ => return None,
            };
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn the_end_is_the_same_as_byte_by_byte(
            pieces in prop::collection::vec(
                prop_oneof![
                    8 => "[a-z ]{0,40}".prop_map(String::into_bytes),
                    8 => prop::sample::select(vec![
                        "\\n", "\\\"", "\\\\", "\\\\\\\\\\", "\\u00e9", "\\ud83d\\ude00", "\\t", "\\f", "\\b", "\\r", "\"",
                    ]).prop_map(|text| text.as_bytes().to_vec()),
                    1 => prop::sample::select(vec![
                        "\\", "\\x", "\\u", "\\u00", "\\u0041", "\\u00E9", "\\ud83d", "\\ude00", "\\/", "\x7f", "é", "\n",
                    ]).prop_map(|text| text.as_bytes().to_vec()),
                ],
                0..24,
            ),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(string_end(&text), slowly(&text), "{}", String::from_utf8_lossy(&text));
            // And at every place in the blocks.
            for pad in [1, 31, 62, 63] {
                let padded = [vec![b'a'; pad], text.clone()].concat();
                prop_assert_eq!(string_end(&padded), slowly(&padded), "{} behind {}", String::from_utf8_lossy(&text), pad);
            }
        }
    }

    #[test]
    fn an_escape_of_every_byte_is_taken_or_not_as_python_writes_it() {
        for byte in 0..=u8::MAX {
            let text = [b"ab\\", [byte].as_slice(), b" and more\""].concat();
            assert_eq!(string_end(&text), slowly(&text), "{byte:#x}");
        }
    }
}
