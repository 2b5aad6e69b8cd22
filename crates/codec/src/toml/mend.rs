//! What `toml_edit` refuses and gptme writes: Python's `True`, `False`, `None`, and numbers of any size.
//!
//! Each is replaced by a value of the same length, so that every place in the text stays what it was; the
//! reader then looks at the text itself. This happens only when a text does not parse as it is.

use convlog_message::json::Number;

/// The text with such values replaced, and the places where message blocks begin.
pub(super) struct Mended {
    /// `None` when nothing had to be replaced.
    pub(super) text: Option<String>,
    /// The byte at which each `[[messages]]` stands.
    pub(super) blocks: Vec<usize>,
}

/// Goes through the text once, strings and comments passed over.
pub(super) fn mend(text: &str) -> Mended {
    let mut scanner = Scanner { text, at: 0 };
    let mut mended = String::new();
    let mut copied = 0;
    let mut blocks = Vec::new();
    let mut before = b'\n';
    while let Some(&byte) = scanner.rest().first() {
        let start = scanner.at;
        match byte {
            b'#' => scanner.skip_while(|byte| byte != b'\n'),
            b'"' | b'\'' => {
                scanner.skip_string(byte);
                before = byte;
            }
            b' ' | b'\t' => scanner.skip(1),
            _ if is_word(byte) => {
                scanner.skip_while(is_word);
                let word = text.get(start..scanner.at).unwrap_or_default();
                let is_value =
                    matches!(before, b'=' | b'[' | b',') && !scanner.rest().trim_ascii_start().starts_with(b"=");
                if let Some(instead) = is_value.then(|| replacement(word)).flatten() {
                    mended.push_str(text.get(copied..start).unwrap_or_default());
                    mended.push_str(&instead);
                    copied = scanner.at;
                }
                before = byte;
            }
            _ => {
                if before == b'\n' && is_block(scanner.rest()) {
                    blocks.push(start);
                }
                scanner.skip(1);
                before = byte;
            }
        }
    }
    let text = (copied > 0).then(|| mended + text.get(copied..).unwrap_or_default());
    Mended { text, blocks }
}

/// A value of the same length that any TOML parser takes.
fn replacement(word: &str) -> Option<String> {
    match word {
        "True" => return Some("true".to_owned()),
        "False" => return Some("false".to_owned()),
        "None" => return Some("9999".to_owned()),
        _ => {}
    }
    let number: Number = word.strip_prefix('+').unwrap_or(word).replace('_', "").parse().ok()?;
    let is_integer = word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'_'));
    let fits = if is_integer { number.as_i64().is_some() } else { number.as_f64().is_some() };
    (!fits && word.len() > 2).then(|| format!("0.{}", "0".repeat(word.len().saturating_sub(2))))
}

/// What bare keys and numbers are made of.
const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'.')
}

fn is_block(text: &[u8]) -> bool {
    let inside = text.strip_prefix(b"[[").map(<[u8]>::trim_ascii_start).and_then(|text| text.strip_prefix(b"messages"));
    inside.is_some_and(|text| text.trim_ascii_start().starts_with(b"]]"))
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Scanner<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes);
    }

    fn skip_while(&mut self, test: impl Fn(u8) -> bool) {
        self.skip(self.rest().iter().take_while(|byte| test(**byte)).count());
    }

    /// Skips a string of any of the four kinds; one that is not closed reaches to the end of its line, or
    /// of the text.
    fn skip_string(&mut self, quote: u8) {
        let marks = [quote; 3];
        let lines = self.rest().starts_with(&marks);
        self.skip(if lines { 3 } else { 1 });
        while let Some(&byte) = self.rest().first() {
            match byte {
                b'\\' if quote == b'"' => self.skip(2),
                b'\n' if !lines => return,
                _ if lines && self.rest().starts_with(&marks) => return self.skip_while(|byte| byte == quote),
                _ if !lines && byte == quote => return self.skip(1),
                _ => self.skip(1),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_are_replaced() {
        let text = "True = [True, 'True', None] # None\nb = \"\"\"\nc = True\n[[messages]]\\\"\"\"\"\nx = 99999999999999999999\n[[messages]]\n";
        let mended = mend(text);
        let expected = "True = [true, 'True', 9999] # None\nb = \"\"\"\nc = True\n[[messages]]\\\"\"\"\"\nx = 0.000000000000000000\n[[messages]]\n";
        assert_eq!(mended.text.as_deref(), Some(expected));
        assert_eq!(mended.blocks, [text.rfind("[[").unwrap()]);
        assert!(mend("a = true\n").text.is_none());
    }
}
