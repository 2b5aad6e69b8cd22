//! What a terminal may be given: [`printable`].

/// A text without what would steer the terminal: control characters are shown as symbols, tabs as blanks,
/// line ends of Windows as line ends; what turns the direction of writing for the rest of a line is replaced.
///
/// ```
/// assert_eq!(convlog_render::printable("a\u{1b}[31mb\tc\r\nd"), "a\u{241b}[31mb    c\nd");
/// ```
#[must_use]
pub fn printable(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .flat_map(|character| {
            let (one, tab) = match character {
                '\n' => (Some('\n'), ""),
                '\t' => (None, "    "),
                '\u{0}'..='\u{1f}' => (char::from_u32(u32::from(character).saturating_add(0x2400)), ""),
                '\u{7f}' => (Some('\u{2421}'), ""),
                // C1 controls, and marks of direction.
                '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => (Some('\u{fffd}'), ""),
                other => (Some(other), ""),
            };
            one.into_iter().chain(tab.chars())
        })
        .collect()
}

/// The same on one line: line ends are shown as symbols too.
pub(crate) fn printable_line(text: &str) -> String {
    printable(text).replace('\n', "\u{240a}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_steers_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\tc\r\nd\re\u{9b}"), "a\u{241b}[31mb    c\nd\u{240d}e\u{fffd}");
    }
}
