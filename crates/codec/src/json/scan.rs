//! Finding the bytes in a string that need a second look, thirty-two at a time.

use wide::{CmpEq, CmpLt, i8x16};

/// How many bytes are looked at together.
pub(crate) const BLOCK: usize = 32;

/// Which bytes of a block are special: bit *n* stands for byte *n*.
///
/// Special is what Python's `json.dumps` does not write as it is: the quote, the backslash, control
/// characters, DEL, and everything beyond ASCII.
#[inline]
pub(crate) fn special(block: &[u8; BLOCK]) -> u32 {
    match block.as_chunks() {
        ([low, high], []) => half(low) | (half(high) << 16),
        _ => u32::MAX,
    }
}

#[inline]
fn half(bytes: &[u8; 16]) -> u32 {
    let lanes = i8x16::new(bytes.map(u8::cast_signed));
    // Signed, so that bytes from 0x80 on count as below the blank.
    let found = lanes.cmp_lt(i8x16::splat(0x20))
        | lanes.cmp_eq(i8x16::splat(0x7f))
        | lanes.cmp_eq(i8x16::splat(0x22))
        | lanes.cmp_eq(i8x16::splat(0x5c));
    found.move_mask().cast_unsigned()
}

/// The same question for one byte.
pub(crate) const fn is_plain(byte: u8) -> bool {
    matches!(byte, 0x20 | 0x21 | 0x23..=0x5b | 0x5d..=0x7e)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_found_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK {
                let mut block = [b'a'; BLOCK];
                block[at] = byte;
                assert_eq!(special(&block), u32::from(!is_plain(byte)) << at, "{byte:#x} at {at}");
            }
        }
    }
}
