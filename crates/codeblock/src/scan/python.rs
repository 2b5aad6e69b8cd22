//! What Python's string methods call blank, and what they call a letter or a digit.

/// `str.isspace` of one character.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// `str.strip`.
pub(super) fn strip(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// Whether `strip` leaves nothing.
pub(super) fn is_blank(text: &str) -> bool {
    text.chars().all(is_space)
}

/// `str.isalnum` of one character, except that some marks which Rust calls alphabetic are not for Python.
pub(super) fn is_alnum(c: char) -> bool {
    c.is_alphanumeric()
}

/// `str.isdigit`, except that Rust's numerals are a few more (½, Ⅷ).
pub(super) fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_numeric)
}
