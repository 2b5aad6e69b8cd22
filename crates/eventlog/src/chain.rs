//! The hash chain: [`Hash`], and `Chain`, which runs over the raw bytes of a log.

use std::fmt;

use blake3::Hasher;

/// A BLAKE3 hash of 32 bytes; in a log, 64 digits of base 16 in lower case.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hash([u8; 32]);

const DIGITS: [u8; 16] = *b"0123456789abcdef";

impl Hash {
    /// What stands for the hash before the first one: 32 zero bytes.
    pub const ZERO: Self = Self([0; 32]);

    /// The bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The 64 digits.
    pub(crate) fn digits(&self) -> [u8; 64] {
        let mut digits = [0; 64];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(self.0) {
            pair.copy_from_slice(&hex(byte));
        }
        digits
    }

    /// Reads 64 digits, in lower case only: one hash has one spelling.
    pub(crate) fn from_digits(digits: &[u8]) -> Option<Self> {
        let mut hash = [0; 32];
        let (pairs, rest) = digits.as_chunks::<2>();
        if pairs.len() != hash.len() || !rest.is_empty() {
            return None;
        }
        for (byte, pair) in hash.iter_mut().zip(pairs) {
            *byte = byte_of(*pair)?;
        }
        Some(Self(hash))
    }
}

/// The two digits of a byte.
pub(crate) fn hex(byte: u8) -> [u8; 2] {
    [byte >> 4, byte & 0xf].map(|digit| DIGITS.get(usize::from(digit)).copied().unwrap_or(b'0'))
}

/// The bytes that pairs of digits stand for, in lower case only.
pub(crate) fn from_hex(digits: &[u8]) -> Option<Vec<u8>> {
    let (pairs, rest) = digits.as_chunks::<2>();
    let bytes = pairs.iter().map(|pair| byte_of(*pair)).collect();
    if rest.is_empty() { bytes } else { None }
}

fn byte_of(pair: [u8; 2]) -> Option<u8> {
    // Without a branch, as whole hashes are read at every line: 16 where a digit is none.
    let value = |digit: u8| {
        let decimal = digit.wrapping_sub(b'0');
        let letter = digit.wrapping_sub(b'a');
        if decimal < 10 {
            decimal
        } else if letter < 6 {
            letter.wrapping_add(10)
        } else {
            16
        }
    };
    let [high, low] = pair.map(value);
    (high | low < 16).then_some(high << 4 | low)
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.digits()))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hash({self})")
    }
}

/// The hash of a log from one convlog line on: over that line's hash and all raw bytes since.
#[derive(Clone, Debug)]
pub(crate) struct Chain(Hasher);

impl Chain {
    /// The chain of a log from its first byte.
    pub(crate) fn start() -> Self {
        Self::after(Hash::ZERO)
    }

    /// The chain behind a hash member.
    pub(crate) fn after(hash: Hash) -> Self {
        let mut hasher = Hasher::new();
        hasher.update(&hash.0);
        Self(hasher)
    }

    /// Takes the next raw bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The hash until here.
    pub(crate) fn hash(&self) -> Hash {
        Hash(*self.0.finalize().as_bytes())
    }
}
