//! Strings and keys as TOML spells them.

/// Writes a text as a multi-line basic string, with one newline added before the closing quotes.
pub(super) fn write_lines(text: &str, out: &mut String) {
    out.push_str("\"\"\"\n");
    write_escaped(text, true, out);
    out.push_str("\n\"\"\"");
}

/// Writes a text as a basic string on one line.
pub(super) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    write_escaped(text, false, out);
    out.push('"');
}

/// Writes a key, in quotes unless it can stand without.
pub(super) fn write_key(key: &str, out: &mut String) {
    let is_bare = |b: u8| b.is_ascii_alphanumeric() || b == b'-' || b == b'_';
    if !key.is_empty() && key.bytes().all(is_bare) {
        out.push_str(key);
    } else {
        write_string(key, out);
    }
}

fn write_escaped(text: &str, lines: bool, out: &mut String) {
    let mut rest = text;
    // Quotes in a row: two may stand among lines, a third would end the string.
    let mut quotes = 0_u8;
    loop {
        let plain = rest.bytes().position(|byte| needs_a_look(byte, lines)).unwrap_or(rest.len());
        let (before, behind) = rest.split_at_checked(plain).unwrap_or((rest, ""));
        out.push_str(before);
        if plain > 0 {
            quotes = 0;
        }
        let mut characters = behind.chars();
        let Some(character) = characters.next() else { return };
        rest = characters.as_str();
        if character == '"' && lines && quotes < 2 {
            quotes = quotes.saturating_add(1);
            out.push('"');
        } else {
            quotes = 0;
            write_character(character, out);
        }
    }
}

/// Whether a byte is, or begins, a character that may have to be escaped.
const fn needs_a_look(byte: u8, lines: bool) -> bool {
    match byte {
        b'\n' | b'\t' => !lines,
        b'"' | b'\\' | 0..0x20 | 0x7f => true,
        // The first bytes of U+0080 to U+00BF, U+2000 to U+2FFF, U+F000 to U+FFFF.
        0xc2 | 0xe2 | 0xef => true,
        _ => false,
    }
}

fn write_character(character: char, out: &mut String) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\u{8}' => out.push_str("\\b"),
        '\u{c}' => out.push_str("\\f"),
        '\0'..' ' | '\u{7f}'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' => {
            let code = u32::from(character);
            out.push_str("\\u");
            for shift in [12, 8, 4, 0] {
                out.push(char::from_digit(code >> shift & 0xf, 16).unwrap_or('0'));
            }
        }
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_must_be_is_escaped() {
        let cases = [
            ("a\tb\nc", "a\tb\nc"),
            ("say \"\"two\"\" or \"\"\"three\"\"\"\"", "say \"\"two\"\" or \"\"\\\"three\"\"\\\"\""),
            ("C:\\new\\", "C:\\\\new\\\\"),
            ("\r\n\0\u{7f}\u{85}\u{2028}\u{feff}", "\\r\n\\u0000\\u007f\\u0085\\u2028\\ufeff"),
            ("é – “日本” \u{ffff}", "é – “日本” \u{ffff}"),
        ];
        for (text, expected) in cases {
            let mut out = String::new();
            write_escaped(text, true, &mut out);
            assert_eq!(out, expected);
        }
    }
}
