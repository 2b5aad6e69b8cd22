//! Code as tokens, each of a kind that text and HTML have a colour for: [`highlight`].

#[cfg(feature = "highlight")]
mod grammar;
#[cfg(feature = "highlight")]
mod language;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(feature = "highlight"), allow(dead_code, reason = "all is plain"))]
pub(crate) enum Kind {
    Plain,
    Comment,
    /// A literal text.
    Text,
    /// A number or another constant.
    Number,
    Keyword,
    /// A name where it is defined or called.
    Name,
    Inserted,
    Deleted,
}

/// Takes code apart by the language that stands behind its fence. Joined, the tokens are the code. What is
/// unknown, or too long to be worth it, is one plain token.
pub(crate) fn highlight<'a>(info: &str, code: &'a str) -> Vec<(Kind, &'a str)> {
    #[cfg(feature = "highlight")]
    if let Some(tokens) = grammar::tokens(info, code) {
        return tokens;
    }
    let _ = info;
    vec![(Kind::Plain, code)]
}
