//! Text as HTML.

use crate::text::printable;

/// A text that means nothing but itself, between tags and in quoted attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in visible(text).chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

/// A text with its control characters as symbols; tabs stay, for code is copied from pages.
pub(super) fn visible(text: &str) -> String {
    text.split('\t').map(printable).collect::<Vec<_>>().join("\t")
}
