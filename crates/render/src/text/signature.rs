//! Signatures of thinking, which providers want back and nobody wants to read.

use std::borrow::Cow;

const START: &str = "<!--";
const NAME: &str = "think-sig:";
const END: &str = "-->";

/// A text without `<!-- think-sig: … -->` and the blanks behind each. One without an end stays.
pub(crate) fn without_signatures(text: &str) -> Cow<'_, str> {
    if !text.contains(NAME) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once(START) {
        out.push_str(before);
        let signature = behind.trim_start().strip_prefix(NAME).and_then(|inner| inner.split_once(END));
        match signature {
            Some((_, after)) => rest = after.trim_start(),
            None => {
                out.push_str(START);
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_signatures_go() {
        let check = |text: &str, expected: &str| assert_eq!(without_signatures(text), expected);
        check("a<!-- think-sig: x\ny -->\n\nb", "ab");
        check("<!--think-sig:--><!-- other -->c", "<!-- other -->c");
        check("<!-- think-sig: open", "<!-- think-sig: open");
        check("<!-- <!-- think-sig: x -->d", "<!-- d");
    }
}
