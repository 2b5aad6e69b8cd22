//! Quotes and here-documents in a shell block, as gptme follows them: [`Quote`] and [`scan`].

use std::ops::Range;

use super::python::{is_digits, is_space};

/// The kind of quotes that a line of shell ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quote {
    /// None: code.
    #[default]
    None,
    /// `'…'`
    Single,
    /// `"…"`
    Double,
    /// `$'…'`
    AnsiC,
}

/// Reads one line that begins in `quote`. Returns the word that would end a here-document opened on it, and
/// the quotes at its end; what follows the word is not read.
///
/// No here-document: `<<<`, `<<` in quotes, in a comment or in `$((…))`, and a number behind `<<` (a shift).
pub(super) fn scan(line: &str, mut quote: Quote) -> (Option<Range<usize>>, Quote) {
    #[cfg(test)]
    super::steps::add(line.len());
    let bytes = line.as_bytes();
    let at = |i: usize| bytes.get(i).copied();
    let mut i = 0_usize;
    while let Some(byte) = at(i) {
        let mut step = 1;
        match (quote, byte) {
            (Quote::AnsiC | Quote::None | Quote::Double, b'\\') => step = 2,
            (Quote::AnsiC | Quote::Single, b'\'') => quote = Quote::None,
            (Quote::Double, b'"') => quote = Quote::None,
            (Quote::None, b'$') if at(i.saturating_add(1)) == Some(b'\'') => {
                quote = Quote::AnsiC;
                step = 2;
            }
            (Quote::None, b'\'') => quote = Quote::Single,
            (Quote::None, b'"') => quote = Quote::Double,
            (Quote::None, b'#') if is_word_start(line, i) => return (None, quote),
            (Quote::None, b'$') => step = arithmetic(line, i),
            (Quote::None, b'<') if at(i.saturating_add(1)) == Some(b'<') && !follows(bytes, i, b'<') => {
                if at(i.saturating_add(2)) == Some(b'<') {
                    step = 2;
                } else if let Some(word) = word(line, i) {
                    let number = line.get(word.clone()).unwrap_or_default().trim_start_matches(['+', '-']);
                    if !is_digits(number) {
                        return (Some(word), Quote::None);
                    }
                    step = 2;
                }
            }
            _ => {}
        }
        i = i.saturating_add(step);
    }
    (None, quote)
}

fn follows(bytes: &[u8], i: usize, byte: u8) -> bool {
    i.checked_sub(1).and_then(|before| bytes.get(before)) == Some(&byte)
}

fn is_word_start(line: &str, i: usize) -> bool {
    line.get(..i).and_then(|before| before.chars().next_back()).is_none_or(is_space)
}

/// How far `$((…))` goes that may begin at `i`; unclosed, to the end of the line.
fn arithmetic(line: &str, i: usize) -> usize {
    match line.get(i..).and_then(|rest| rest.strip_prefix("$(")) {
        Some(inner) if inner.starts_with('(') => inner.find("))").map_or(line.len(), |end| end.saturating_add(4)),
        _ => 1,
    }
}

/// The word behind the `<<` at `i`: gptme's `<<-?\s*['"\\]?([^\s'"\\]+)`.
fn word(line: &str, i: usize) -> Option<Range<usize>> {
    let quotes = ['\'', '"', '\\'];
    let after = line.get(i.saturating_add(2)..)?;
    let undashed = after.strip_prefix('-').unwrap_or(after);
    let word = undashed.trim_start_matches(is_space);
    let word = word.strip_prefix(quotes).unwrap_or(word);
    let length = word.find(|c| is_space(c) || quotes.contains(&c)).unwrap_or(word.len());
    let start = line.len().saturating_sub(word.len());
    match length {
        // The pattern goes back: the dash is then the word itself.
        0 if undashed.len() < after.len() => {
            let dash = i.saturating_add(2);
            Some(dash..dash.saturating_add(1))
        }
        0 => None,
        _ => Some(start..start.saturating_add(length)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn here_documents() {
        let check = |line: &str, expected: Option<&str>| {
            assert_eq!(scan(line, Quote::None).0.map(|word| &line[word]), expected, "{line}");
        };
        check("cat <<EOF", Some("EOF"));
        check("cat << 'EOF' > a.md", Some("EOF"));
        check("cat <<-\"END-TAG\"", Some("END-TAG"));
        check("cat <<\\EOF", Some("EOF"));
        check("é <<é", Some("é"));
        check("cat <<- ''", Some("-"));
        check("cat <<''", None);
        check("cat <<< word", None);
        check("cat <<<< word", None);
        check("echo \"a << b\" # << c", None);
        check("echo a#<<b", Some("b"));
        check("echo \\# <<b", Some("b"));
        check("echo $((1 << x)) <<b", Some("b"));
        check("echo $((1 << x", None);
        check("x << -3 <<b", Some("b"));
        check("echo 'a\\' <<b", Some("b"));
        check("echo $'a\\' <<b", None);
        check("<", None);
    }

    #[test]
    fn quotes_go_over_line_ends() {
        let check = |line: &str, from, to| assert_eq!(scan(line, from).1, to, "{line}");
        check("s='", Quote::None, Quote::Single);
        check("<< EOF\\", Quote::Single, Quote::Single);
        check("'", Quote::Single, Quote::None);
        check("s=\"'\\\"", Quote::None, Quote::Double);
        check("x=$'a\\'b", Quote::None, Quote::AnsiC);
        check("\"$'", Quote::Double, Quote::AnsiC);
        check("it's # '", Quote::None, Quote::None);
    }
}
