//! The raw texts of values within JSON that is known to be valid.

use convlog_codec::json;
use memchr::memchr2;

/// The raw text of a member of an object; of two with one key, the last.
pub(super) fn member<'a>(object: &'a [u8], wanted: &str) -> Option<&'a [u8]> {
    members(object).filter(|(key, _)| key == wanted).last().map(|(_, value)| value)
}

/// The members of an object: keys, and the raw texts of their values.
pub(super) fn members(object: &[u8]) -> impl Iterator<Item = (String, &[u8])> {
    let mut rest = object.trim_ascii_start().strip_prefix(b"{").unwrap_or_default();
    std::iter::from_fn(move || {
        let key = json::parse(rest).ok()?;
        let value = key.rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start();
        let (text, behind) = split_value(value);
        rest = after_comma(behind);
        Some((key.value.as_str()?.to_owned(), text))
    })
}

/// The raw texts of the elements of an array.
pub(super) fn elements(array: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = array.trim_ascii_start().strip_prefix(b"[").unwrap_or_default().trim_ascii_start();
    std::iter::from_fn(move || {
        if rest.is_empty() || rest.starts_with(b"]") {
            return None;
        }
        let (text, behind) = split_value(rest);
        rest = after_comma(behind);
        Some(text)
    })
}

fn after_comma(rest: &[u8]) -> &[u8] {
    rest.trim_ascii_start().strip_prefix(b",").unwrap_or_default().trim_ascii_start()
}

/// A value at the start of a text, and what follows it.
fn split_value(text: &[u8]) -> (&[u8], &[u8]) {
    let mut depth = 0_usize;
    let mut at = 0_usize;
    while let Some(byte) = text.get(at) {
        match byte {
            b'"' => at = at.saturating_add(string_length(text.get(at..).unwrap_or_default())),
            b'{' | b'[' => {
                depth = depth.saturating_add(1);
                at = at.saturating_add(1);
            }
            b'}' | b']' if depth == 0 => break,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at = at.saturating_add(1);
            }
            b',' | b' ' | b'\t' | b'\r' | b'\n' if depth == 0 => break,
            _ => {
                at = at.saturating_add(1);
                continue;
            }
        }
        if depth == 0 {
            break;
        }
    }
    text.split_at_checked(at).unwrap_or((text, &[]))
}

/// The length of a string that a text begins with, quotes included.
fn string_length(text: &[u8]) -> usize {
    let mut at = 1_usize;
    while let Some(found) = memchr2(b'"', b'\\', text.get(at..).unwrap_or_default()) {
        at = at.saturating_add(found);
        match text.get(at) {
            Some(b'"') => return at.saturating_add(1),
            _ => at = at.saturating_add(2),
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_found_whatever_the_spelling() {
        let text = br#" { "a" : [1,{"b":"]}\""} , "x"] ,"\u0062":-1.5e3,"c":null, "a":{} }"#;
        let found: Vec<_> = members(text).map(|(key, value)| (key, str::from_utf8(value).unwrap())).collect();
        assert_eq!(
            found,
            [
                ("a".into(), r#"[1,{"b":"]}\""} , "x"]"#),
                ("b".into(), "-1.5e3"),
                ("c".into(), "null"),
                ("a".into(), "{}")
            ]
        );
        assert_eq!(member(text, "a"), Some(&b"{}"[..]));
        let list: Vec<_> = elements(found[0].1.as_bytes()).map(|e| str::from_utf8(e).unwrap()).collect();
        assert_eq!(list, ["1", r#"{"b":"]}\""}"#, "\"x\""]);
        assert_eq!(elements(b"[ ]").count() + members(b"{}").count(), 0);
    }
}
