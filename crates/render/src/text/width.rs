//! Columns of a terminal: cutting, filling up, wrapping.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The beginning of a text that fits so many columns, with `…` where something was cut.
///
/// ```
/// assert_eq!(convlog_render::cut("日本語です", 7), "日本語…");
/// ```
#[must_use]
pub fn cut(text: &str, columns: usize) -> String {
    if text.width() <= columns {
        return text.to_owned();
    }
    let mut room = columns.saturating_sub(1);
    let mut shown = String::new();
    for character in text.chars() {
        let width = character.width().unwrap_or(0);
        if width > room {
            break;
        }
        room = room.saturating_sub(width);
        shown.push(character);
    }
    shown.push('…');
    shown
}

/// A text filled up with blanks to so many columns.
///
/// ```
/// assert_eq!(convlog_render::pad("日本", 6), "日本  ");
/// ```
#[must_use]
pub fn pad(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(text.width());
    format!("{text}{:blanks$}", "")
}

/// The lines of a text, wrapped to so many columns when given; each line keeps its indent.
///
/// ```
/// assert_eq!(convlog_render::wrap("  one two three\nx", Some(10)), ["  one two", "  three", "x"]);
/// ```
#[must_use]
pub fn wrap(text: &str, columns: Option<usize>) -> Vec<String> {
    let Some(columns) = columns else { return text.split('\n').map(str::to_owned).collect() };
    let mut lines = Vec::new();
    for line in text.split('\n') {
        if line.width() <= columns {
            lines.push(line.to_owned());
            continue;
        }
        let indent: String = line.chars().take_while(|c| *c == ' ').take(columns / 2).collect();
        let options = textwrap::Options::new(columns).subsequent_indent(&indent).break_words(true);
        lines.extend(textwrap::wrap(line, options).into_iter().map(std::borrow::Cow::into_owned));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_are_columns_not_bytes() {
        assert_eq!(cut("日本語です", 7), "日本語…");
        assert_eq!(cut("short", 7), "short");
        assert_eq!(pad("日本", 6), "日本  ");
    }

    #[test]
    fn long_lines_keep_their_indent() {
        assert_eq!(wrap("  one two three\nx", Some(10)), ["  one two", "  three", "x"]);
        assert_eq!(wrap("abcdefghijkl", Some(5)), ["abcde", "fghij", "kl"]);
        assert_eq!(wrap("  one two three", None), ["  one two three"]);
    }
}
