//! Which lines can hold a text, told from their bytes: [`Candidates`].
//!
//! One regular expression over the file. It finds the text in the spellings that occur: each letter in either
//! case, raw or as `\uXXXX`. What else could be an unusual spelling of a part of it (a combining mark, a letter
//! that folds to several, an ASCII letter written as an escape) makes a line a candidate on sight. So it finds
//! too much, never too little; a candidate is decoded and looked at.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use regex::bytes::{Regex, RegexBuilder};
use unicode_normalization::UnicodeNormalization as _;

use super::escapes::Escapes;
use super::fold::{Case, fold, is_start};

/// So many characters of a text are looked for in the bytes.
const MOST: usize = 48;

/// So many are enough.
const LEAST: usize = 3;
/// Half of `ß`: at the beginning or the end of what is looked for it would make each of those a candidate.
const HALF: char = 's';

/// The characters beyond ASCII that are compared as one ASCII character, or as several with ASCII among them.
const LIKE_ASCII: [char; 19] = [
    '\u{df}', '\u{130}', '\u{149}', '\u{17f}', '\u{37e}', '\u{1e9a}', '\u{1e9e}', '\u{1fef}', '\u{212a}', '\u{fb00}',
    '\u{fb01}', '\u{fb02}', '\u{fb03}', '\u{fb04}', '\u{fb05}', '\u{fb06}', '\u{226e}', '\u{2260}', '\u{226f}',
];

/// The characters among which others are looked for that are compared like those of a text: all that have a
/// case or a decomposition.
const OTHERS: [std::ops::RangeInclusive<char>; 9] = [
    '\u{80}'..='\u{33ff}',
    '\u{a640}'..='\u{abff}',
    '\u{f900}'..='\u{fb4f}',
    '\u{ff21}'..='\u{ff5a}',
    '\u{10400}'..='\u{11fff}',
    '\u{16e40}'..='\u{16fff}',
    '\u{1d000}'..='\u{1d3ff}',
    '\u{1e900}'..='\u{1e9ff}',
    '\u{2f800}'..='\u{2fa1f}',
];

/// Finds every line of a transcript that holds a text, and some others.
#[derive(Debug)]
pub(super) struct Candidates {
    /// Matches all of them.
    any: Regex,
    /// Faster, for bytes that are ASCII; where the text is.
    ascii: Option<Ascii>,
}

/// A text of ASCII in bytes of ASCII: there unusual spellings can only be escapes.
#[derive(Debug)]
struct Ascii {
    usual: Regex,
    unusual: Escapes,
}

impl Candidates {
    /// Whether some bytes of a transcript, whole lines, can hold the text.
    pub(super) fn may_be_in(&self, lines: &[u8]) -> bool {
        match &self.ascii {
            Some(Ascii { usual, unusual }) if lines.is_ascii() => usual.is_match(lines) || unusual.may_be_in(lines),
            _ => self.any.is_match(lines),
        }
    }
}

/// What finds the lines that hold a text, whose form to compare it in is given; `None` where nothing can tell.
pub(super) fn candidates(folded: &str, case: Case) -> Option<Candidates> {
    // What could not be decoded reads as this one.
    if folded.is_empty() || folded.contains('\u{fffd}') {
        return None;
    }
    let all: Vec<char> = folded.chars().collect();
    // Whoever holds the whole holds its end, too; what begins rarely is found fast.
    let mut wanted: Vec<char> = all.iter().copied().skip(rarest_start(&all)).take(MOST).collect();
    while wanted.len() > LEAST && wanted.last() == Some(&HALF) {
        wanted.pop();
    }
    let (mut like, mut odd) = similar(&wanted, case);
    odd.extend(wanted.iter().flat_map(|wanted| wanted.nfd()).filter(|part| !is_start(*part)));
    // What is beyond ASCII and stands for an ASCII letter is rare, and would spoil the look for the first letters.
    like.retain(|character| {
        let is_letter = wanted.iter().any(|wanted| wanted.is_ascii() && is_like(*character, *wanted, case));
        if is_letter {
            odd.insert(*character);
        }
        !is_letter
    });

    let mut pattern = String::from("(?s-u)");
    for wanted in &wanted {
        let mut spellings = vec![spell(*wanted)];
        let variants = [wanted.to_ascii_uppercase()].into_iter().chain(like.iter().copied());
        for variant in variants.filter(|variant| variant != wanted && is_like(*variant, *wanted, case)) {
            spellings.push(spell(variant));
        }
        let _ = write!(pattern, "(?:{})", spellings.join("|"));
    }
    let usual = RegexBuilder::new(&pattern).build();
    for odd in &odd {
        let _ = write!(pattern, "|{}", spell(*odd));
    }
    let has_control = wanted.iter().any(|wanted| wanted.is_control());
    pattern.push_str(if has_control { r"|\\u00[0-7]" } else { r"|\\u00[2-7]" });
    let any = RegexBuilder::new(&pattern).build().ok()?;
    let ascii = match usual {
        Ok(usual) if wanted.iter().all(char::is_ascii) && like.is_empty() => {
            let escaped = if has_control { '\0'..='\x7f' } else { ' '..='\x7f' };
            Some(Ascii { usual, unusual: Escapes::of(odd.into_iter().chain(escaped)) })
        }
        _ => None,
    };
    Some(Candidates { any, ascii })
}

/// Where to begin in a text: near its start, for all of it counts, and at the rarest few characters there.
fn rarest_start(text: &[char]) -> usize {
    /// What a search engine takes for the beginning of a match.
    const LENGTH: usize = 4;
    /// So many beginnings are compared.
    const TRIED: usize = 4;
    /// From the most common on, in English text and in code.
    const COMMON: &str = " etaoinsrhldcumfpgwybvkxjqz";
    let commonness = |character: &char| {
        let rank = COMMON.chars().position(|common| common == character.to_ascii_lowercase());
        rank.map_or(0, |rank| COMMON.len().saturating_sub(rank))
    };
    let scores = text.windows(LENGTH).map(|window| {
        let is_half = window.first() == Some(&HALF);
        (is_half, window.iter().map(commonness).fold(0, usize::saturating_add))
    });
    scores.take(TRIED).enumerate().min_by_key(|(_, score)| *score).map_or(0, |(start, _)| start)
}

/// Whether a character is compared like another one.
fn is_like(character: char, wanted: char, case: Case) -> bool {
    let mut buffer = [0; 4];
    let folded = fold(character.encode_utf8(&mut buffer), case);
    let mut folded = folded.chars();
    folded.next() == Some(wanted) && folded.next().is_none()
}

/// The characters that are compared like one of those wanted, and those that are compared like several, of
/// which some may be wanted.
fn similar(wanted: &[char], case: Case) -> (Vec<char>, BTreeSet<char>) {
    let (mut like, mut odd) = (Vec::new(), BTreeSet::new());
    let is_ascii = wanted.iter().all(char::is_ascii);
    let others = OTHERS.into_iter().filter(|_| !is_ascii).flatten();
    for character in LIKE_ASCII.into_iter().chain(others) {
        let mut buffer = [0; 4];
        let folded: Vec<char> = fold(character.encode_utf8(&mut buffer), case).chars().collect();
        match folded.as_slice() {
            [one] if wanted.contains(one) => like.push(character),
            [_] => {}
            several if several.iter().any(|one| wanted.contains(one)) && overlap(several, wanted) => {
                odd.insert(character);
            }
            _ => {}
        }
    }
    (like, odd)
}

/// Whether two texts can lie over each other, so that one has a part of the other, or an end.
fn overlap(several: &[char], wanted: &[char]) -> bool {
    let inside = |long: &[char], short: &[char]| long.windows(short.len().max(1)).any(|window| window == short);
    let ends = |first: &[char], second: &[char]| {
        (1..=first.len()).any(|length| {
            first.len().checked_sub(length).and_then(|at| first.get(at..)).is_some_and(|end| second.starts_with(end))
        })
    };
    inside(wanted, several) || inside(several, wanted) || ends(several, wanted) || ends(wanted, several)
}

/// A character as it can stand in a JSON string, as an expression.
fn spell(character: char) -> String {
    match character {
        '"' => r#"\\""#.to_owned(),
        '\\' => r"\\\\".to_owned(),
        '/' => r"\\?/".to_owned(),
        '\n' => r"\\n".to_owned(),
        '\t' => r"\\t".to_owned(),
        '\r' => r"\\r".to_owned(),
        '\u{8}' => r"\\b".to_owned(),
        '\u{c}' => r"\\f".to_owned(),
        '\0'..='\u{1f}' => escape(character),
        ' '..='~' => regex::escape(character.encode_utf8(&mut [0; 4])),
        _ => {
            let mut raw = String::new();
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(raw, r"\x{byte:02x}");
            }
            format!("(?:{}|{raw})", escape(character))
        }
    }
}

/// A character as one `\uXXXX`, or two.
fn escape(character: char) -> String {
    let mut units = [0; 2];
    character.encode_utf16(&mut units).iter().fold(String::new(), |mut text, unit| {
        let _ = write!(text, r"\\u(?i:{unit:04x})");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table and the ranges are complete: no other character is compared like several, or like another.
    #[test]
    fn no_other_character_is_compared_like_others() {
        let (mut like_ascii, mut missed) = (Vec::new(), Vec::new());
        for case in [Case::Fold, Case::Exact] {
            for character in '\u{80}'..=char::MAX {
                let folded = fold(&character.to_string(), case);
                if folded.chars().any(|c| c.is_ascii()) && !LIKE_ASCII.contains(&character) {
                    like_ascii.push(character);
                }
                // Hangul is composed by rule, and nothing but its own parts is compared like it.
                let is_known = OTHERS.iter().any(|range| range.contains(&character));
                if !folded.chars().eq([character]) && !is_known {
                    missed.push(character);
                }
            }
        }
        assert!(like_ascii.is_empty() && missed.is_empty(), "{like_ascii:?} {missed:?}");
    }
}
