//! The form in which texts are compared: canonically composed, and case-folded where asked for.

use std::ops::Range;

use unicode_normalization::char::canonical_combining_class;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Whether upper and lower case are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// They are, by Unicode's full case folding: `STRASSE` is `straße`.
    #[default]
    Fold,
    /// They are not.
    Exact,
}

/// A text in the form to compare it in, and where its parts come from.
#[derive(Debug)]
pub(super) struct Folded {
    pub(super) text: String,
    /// Runs in order: where each begins here, where in the source, and whether bytes stand for bytes.
    runs: Vec<Run>,
    source_length: usize,
}

#[derive(Debug)]
struct Run {
    here: usize,
    source: usize,
    is_linear: bool,
}

/// A text in the form to compare it in.
pub(super) fn fold(text: &str, case: Case) -> String {
    Folded::new(text, case).text
}

impl Folded {
    pub(super) fn new(source: &str, case: Case) -> Self {
        let mut folded =
            Self { text: String::with_capacity(source.len()), runs: Vec::new(), source_length: source.len() };
        let mut rest = source;
        while !rest.is_empty() {
            let at = source.len().saturating_sub(rest.len());
            // ASCII that nothing combines with.
            let ascii = rest.bytes().take_while(u8::is_ascii).count();
            let plain = if ascii == rest.len() { ascii } else { ascii.saturating_sub(1) };
            let length = if plain > 0 { plain } else { segment_length(rest) };
            let (part, tail) = rest.split_at_checked(length).unwrap_or((rest, ""));
            folded.runs.push(Run { here: folded.text.len(), source: at, is_linear: plain > 0 });
            if plain == 0 {
                let decomposed = part.nfd();
                match case {
                    Case::Fold => folded.text.extend(decomposed.flat_map(fold_char).nfc()),
                    Case::Exact => folded.text.extend(decomposed.nfc()),
                }
            } else if case == Case::Fold {
                folded.text.extend(part.chars().map(|c| c.to_ascii_lowercase()));
            } else {
                folded.text.push_str(part);
            }
            rest = tail;
        }
        folded
    }

    /// Where in the source a part of this comes from.
    pub(super) fn source(&self, part: &Range<usize>) -> Range<usize> {
        let start = self.runs.partition_point(|run| run.here <= part.start).saturating_sub(1);
        let end = self.runs.partition_point(|run| run.here < part.end);
        let last = self.runs.get(end.saturating_sub(1));
        let start = self.runs.get(start).map_or(0, |run| run.place(part.start));
        let end = match (last, self.runs.get(end)) {
            (Some(run), _) if run.is_linear => run.place(part.end),
            (_, Some(next)) => next.source,
            (_, None) => self.source_length,
        };
        start..end
    }
}

impl Run {
    fn place(&self, here: usize) -> usize {
        if self.is_linear { self.source.saturating_add(here.saturating_sub(self.here)) } else { self.source }
    }
}

/// The length of the first character and of all that may combine with it.
fn segment_length(text: &str) -> usize {
    let mut characters = text.char_indices();
    characters.next();
    characters.find(|(_, character)| is_start(*character)).map_or(text.len(), |(at, _)| at)
}

/// Whether a character never changes what stands before it.
pub(super) fn is_start(character: char) -> bool {
    character.is_ascii()
        || (canonical_combining_class(character) == 0
            && is_nfc_quick(std::iter::once(character)) != IsNormalized::Maybe)
}

/// Full case folding, in the standard library's words: what the upper case of the lower case is in lower case.
fn fold_char(character: char) -> impl Iterator<Item = char> {
    // The dotless i alone would become another letter on that way.
    let is_dotless = character == '\u{131}';
    let folded = character.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase);
    folded.map(move |folded| if is_dotless { character } else { folded })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_one_form() {
        for (one, other) in [
            ("STRASSE", "straße"),
            ("STRAẞE", "straße"),
            ("café", "cafe\u{301}"),
            ("ÅNGSTRÖM", "a\u{30a}ngstro\u{308}m"),
            ("\u{212b}", "å"),
            ("ΣΊΣΥΦΟΣ", "σίσυφος"),
            ("ﬃ", "FFI"),
            ("\u{212a}elvin", "Kelvin"),
            ("ệ", "e\u{302}\u{323}"),
            ("한국", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}"),
        ] {
            assert_eq!(fold(one, Case::Fold), fold(other, Case::Fold), "{one} {other}");
        }
        for (one, other) in [("a", "A"), ("cafe", "café")] {
            assert_ne!(fold(one, Case::Exact), fold(other, Case::Exact));
        }
        assert_ne!(fold("ı", Case::Fold), fold("i", Case::Fold));
    }

    #[test]
    fn a_part_is_found_in_the_source() {
        let source = "Die STRASSE, die straße, cafe\u{301}s";
        let folded = Folded::new(source, Case::Fold);
        let found: Vec<_> = folded
            .text
            .match_indices("strasse")
            .map(|(at, m)| source.get(folded.source(&(at..at + m.len()))).unwrap())
            .collect();
        assert_eq!(found, ["STRASSE", "straße"]);
        let at = folded.text.find("café").unwrap();
        assert_eq!(source.get(folded.source(&(at..at + "café".len()))).unwrap(), "cafe\u{301}");
        // Half of what one letter stands for is that letter.
        let at = folded.text.rfind("stras").unwrap();
        assert_eq!(source.get(folded.source(&(at..at + 5))).unwrap(), "straß");
    }
}
