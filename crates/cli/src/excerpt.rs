//! The place of a mistake in a text: its line, and a mark below the character.

use convlog_render::{cut, printable};

/// Longer lines are cut: before the mark, and behind it.
const COLUMNS: usize = 60;

/// The line at `line` (the first is 1), with a mark at `column` (the first is 1).
pub(crate) fn excerpt(text: &str, line: usize, column: usize) -> String {
    let shown = text.split('\n').nth(line.saturating_sub(1)).unwrap_or_default().trim_end_matches('\r');
    let before = column.saturating_sub(1);
    let dropped = before.saturating_sub(COLUMNS);
    let head: String = shown.chars().skip(dropped).take(before.saturating_sub(dropped)).collect();
    let tail: String = shown.chars().skip(before).collect();
    let head = format!("{}{}", if dropped > 0 { "…" } else { "" }, printable(&head));
    let number = line.to_string();
    let (margin, indent) = (" ".repeat(number.len()), " ".repeat(unicode_width::UnicodeWidthStr::width(&*head)));
    format!("  {number} | {head}{}\n  {margin} | {indent}^", cut(&printable(&tail), COLUMNS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_stands_below_the_character() {
        assert_eq!(excerpt("a\n日 = x\n", 2, 5), "  2 | 日 = x\n    |      ^");
        assert_eq!(excerpt("", 9, 1), "  9 | \n    | ^");
        let long = "x".repeat(100) + "!" + &"y".repeat(100);
        let shown = excerpt(&long, 1, 101);
        let (line, mark) = shown.split_once('\n').unwrap();
        let at = line.chars().position(|c| c == '!').unwrap();
        assert_eq!((mark.find('^'), line.chars().count()), (Some(at), 6 + 1 + 60 + 60), "{shown}");
    }
}
