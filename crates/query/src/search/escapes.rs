//! Characters that stand as `\uXXXX`, looked for all at once: [`Escapes`].

use memchr::memmem::Finder;

/// Some characters, looked for as escapes.
#[derive(Debug)]
pub(super) struct Escapes {
    begin: Finder<'static>,
    /// Their first units in UTF-16, sorted.
    units: Vec<u16>,
}

impl Escapes {
    pub(super) fn of(characters: impl IntoIterator<Item = char>) -> Self {
        let first_unit = |character: char| character.encode_utf16(&mut [0; 2]).first().copied().unwrap_or_default();
        let mut units: Vec<u16> = characters.into_iter().map(first_unit).collect();
        units.sort_unstable();
        units.dedup();
        Self { begin: Finder::new(b"\\u"), units }
    }

    /// Whether one of them may stand in some bytes of a JSON text.
    pub(super) fn may_be_in(&self, bytes: &[u8]) -> bool {
        self.begin.find_iter(bytes).any(|at| {
            let digits = at.checked_add(2).and_then(|from| bytes.get(from..)?.first_chunk::<4>());
            digits.and_then(unit).is_some_and(|unit| self.units.binary_search(&unit).is_ok())
        })
    }
}

/// What four hexadecimal digits say.
fn unit(digits: &[u8; 4]) -> Option<u16> {
    digits.iter().try_fold(0_u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit.wrapping_shl(4) | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_of_one_of_them_is_found_in_either_case() {
        let escapes = Escapes::of(['é', '\u{17f}', '😀']);
        for text in [r"caf\u00e9", r"caf\u00E9 and", r"\u017f", r"\\u017f", r"\ud83d\ude00"] {
            assert!(escapes.may_be_in(text.as_bytes()), "{text}");
        }
        for text in ["", "é", r"\u", r"\u00", r"\u00e", r"\u00eg", r"\u00e8", r"\ude00", "u00e9"] {
            assert!(!escapes.may_be_in(text.as_bytes()), "{text}");
        }
    }
}
