//! Line ends: `\r\n` and `\r` become `\n`.

use std::borrow::Cow;

use memchr::memchr;

/// Normalises a text that comes in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct Newlines {
    /// Whether the piece before ended in `\r`, which has been written as a newline.
    after_return: bool,
}

impl Newlines {
    /// Appends a piece to `out`.
    pub(crate) fn push(&mut self, piece: &str, out: &mut String) {
        if piece.is_empty() {
            return;
        }
        let mut rest = if self.after_return { piece.strip_prefix('\n').unwrap_or(piece) } else { piece };
        self.after_return = piece.ends_with('\r');
        while let Some(at) = memchr(b'\r', rest.as_bytes()) {
            let (before, after) = rest.split_at_checked(at).unwrap_or_default();
            out.push_str(before);
            out.push('\n');
            let after = after.strip_prefix('\r').unwrap_or(after);
            rest = after.strip_prefix('\n').unwrap_or(after);
        }
        out.push_str(rest);
    }
}

/// Normalises a whole text, which is borrowed where it is normal already.
pub(crate) fn normalised(text: &str) -> Cow<'_, str> {
    if memchr(b'\r', text.as_bytes()).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    Newlines::default().push(text, &mut out);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_the_same_whatever_the_pieces() {
        let text = "a\r\nb\rc\n\r\r\n\n\r";
        let expected = text.replace("\r\n", "\n").replace('\r', "\n");
        assert_eq!(normalised(text), expected);
        for size in 1..5 {
            let mut newlines = Newlines::default();
            let mut out = String::new();
            for piece in text.as_bytes().chunks(size) {
                newlines.push(std::str::from_utf8(piece).unwrap(), &mut out);
                newlines.push("", &mut out);
            }
            assert_eq!(out, expected);
        }
    }
}
