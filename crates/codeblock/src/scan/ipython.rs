//! Strings in an IPython block, as gptme follows them: [`Quote`] and [`scan`].

/// The kind of string that a line of Python ends in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Quote {
    /// None: code.
    #[default]
    None,
    /// `'…'`, over a line end only behind a backslash.
    Single,
    /// `"…"`, the same.
    Double,
    /// `'''…'''`
    TripleSingle,
    /// `"""…"""`
    TripleDouble,
}

impl Quote {
    pub(super) fn is_triple(self) -> bool {
        matches!(self, Self::TripleSingle | Self::TripleDouble)
    }

    fn end(self) -> &'static [u8] {
        match self {
            Self::None => b"",
            Self::Single => b"'",
            Self::Double => b"\"",
            Self::TripleSingle => b"'''",
            Self::TripleDouble => b"\"\"\"",
        }
    }
}

/// Reads one line that begins in `quote`; returns what it ends in.
pub(super) fn scan(line: &str, mut quote: Quote) -> Quote {
    #[cfg(test)]
    super::steps::add(line.len());
    let mut rest = line.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        rest = match (quote, first) {
            (Quote::None, b'#') => break,
            (Quote::None, _) => {
                let openers = [Quote::TripleDouble, Quote::TripleSingle, Quote::Single, Quote::Double];
                let opened = openers.into_iter().find_map(|opener| Some((opener, rest.strip_prefix(opener.end())?)));
                quote = opened.map_or(Quote::None, |(opener, _)| opener);
                opened.map_or(after, |(_, inside)| inside)
            }
            (_, b'\\') => after.get(1..).unwrap_or_default(),
            _ => match rest.strip_prefix(quote.end()) {
                Some(outside) => {
                    quote = Quote::None;
                    outside
                }
                None => after,
            },
        };
    }
    let backslashes = line.bytes().rev().take_while(|b| *b == b'\\').count();
    if quote.is_triple() || backslashes % 2 == 1 { quote } else { Quote::None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_go_over_line_ends() {
        let check = |line: &str, from, to| assert_eq!(scan(line, from), to, "{line}");
        check("s = \"\"\"", Quote::None, Quote::TripleDouble);
        check("s = '''", Quote::None, Quote::TripleSingle);
        check("a ''' \\\"\"\" b", Quote::TripleDouble, Quote::TripleDouble);
        check("a\"\"\" + '''b''' # \"\"\"", Quote::TripleDouble, Quote::None);
        check("value = '\"\"\"'", Quote::None, Quote::None);
        check("prefix = \"#\"; text = \"\"\"", Quote::None, Quote::TripleDouble);
        check("s = 'abc \\", Quote::None, Quote::Single);
        check("s = 'abc \\\\", Quote::None, Quote::None);
        check("\"\"\"", Quote::Single, Quote::None);
        check("s = 'abc", Quote::None, Quote::None);
        check("\\", Quote::Double, Quote::Double);
    }
}
