//! Shared pieces of text output: times, widths, numbers, wrapping.

use convlog_message::{Timestamp, Zone};
use time::OffsetDateTime;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The width of the terminal that is written to, in columns; `None` when it is not one.
pub(crate) fn terminal_width() -> Option<usize> {
    use std::io::IsTerminal as _;
    if !std::io::stdout().is_terminal() {
        return None;
    }
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size()?;
    Some(usize::from(columns).max(20))
}

/// A time as a person reads it: local, to the minute.
pub(crate) fn local_time(time: &Timestamp, zone: Zone) -> String {
    minutes(time.in_zone(zone))
}

/// Seconds since 1970 as a person reads them: local, to the minute.
pub(crate) fn local_seconds(seconds: f64, zone: Zone) -> String {
    // Saturates; what is no time at all becomes 1970.
    let instant = OffsetDateTime::from_unix_timestamp(seconds as i64).unwrap_or(OffsetDateTime::UNIX_EPOCH);
    minutes(instant.checked_to_offset(zone.offset_at(instant)).unwrap_or(instant))
}

fn minutes(time: OffsetDateTime) -> String {
    let (year, month, day) = (time.year(), u8::from(time.month()), time.day());
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", time.hour(), time.minute())
}

/// The beginning of a text that fits so many columns, with `…` where something was cut.
pub(crate) fn cut(text: &str, columns: usize) -> String {
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
pub(crate) fn pad(text: &str, columns: usize) -> String {
    let blanks = columns.saturating_sub(text.width());
    format!("{text}{:blanks$}", "")
}

/// A text without what would steer the terminal: control characters are shown as symbols, tabs as blanks,
/// line ends of Windows as line ends.
pub(crate) fn printable(text: &str) -> String {
    text.replace("\r\n", "\n")
        .chars()
        .flat_map(|character| {
            let (one, tab) = match character {
                '\n' => (Some('\n'), ""),
                '\t' => (None, "    "),
                '\u{0}'..='\u{1f}' => (char::from_u32(u32::from(character).saturating_add(0x2400)), ""),
                '\u{7f}' => (Some('\u{2421}'), ""),
                // C1 controls and what turns the direction of writing for the rest of the line.
                '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => (Some('\u{fffd}'), ""),
                other => (Some(other), ""),
            };
            one.into_iter().chain(tab.chars())
        })
        .collect()
}

/// The lines of a text, wrapped to so many columns when given; each line keeps its indent.
pub(crate) fn wrap(text: &str, columns: Option<usize>) -> Vec<String> {
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

/// A count with its thing: `1 message`, `3 messages`.
pub(crate) fn counted(count: u64, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
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
    fn nothing_steers_the_terminal() {
        assert_eq!(printable("a\u{1b}[31mb\tc\r\nd\re\u{9b}"), "a\u{241b}[31mb    c\nd\u{240d}e\u{fffd}");
    }

    #[test]
    fn long_lines_keep_their_indent() {
        assert_eq!(wrap("  one two three\nx", Some(10)), ["  one two", "  three", "x"]);
        assert_eq!(wrap("abcdefghijkl", Some(5)), ["abcde", "fghij", "kl"]);
        assert_eq!(wrap("  one two three", None), ["  one two three"]);
    }
}
