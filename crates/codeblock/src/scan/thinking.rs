//! Which part of a text is thinking, by gptme's rules: [`Thinking`].

use memchr::memchr;

/// The longest tag.
const LONGEST: usize = "</thinking>".len();

/// The two spellings, in the order in which gptme asks for them.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spelling {
    Thinking,
    Think,
}

const TAGS: [(&str, Spelling, bool); 4] = [
    ("<thinking>", Spelling::Thinking, true),
    ("<think>", Spelling::Think, true),
    ("</thinking>", Spelling::Thinking, false),
    ("</think>", Spelling::Think, false),
];

/// What is known of one spelling.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Whether it was opened before it was first closed, and whether at the start of a line.
    opened: bool,
    opened_line: bool,
    /// Where it was first closed, and whether what comes before is thinking.
    closed: Option<(usize, bool)>,
    /// Whether it is open in what follows the closing tag that was glued.
    open_after: Option<bool>,
}

/// What gptme looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Visible {
    /// All of the text.
    All,
    /// What follows this position of the text.
    From(usize),
    /// Nothing: thinking has begun and not ended.
    Nothing,
}

/// Follows the tags in a text that comes in pieces, before its line ends are normalised.
///
/// Everything up to the first closing tag is thinking when an opening tag stands before it at the start of a
/// line, or none anywhere. An opening tag that stands behind a fence only (`` ```<think> ``) is *glued*, and
/// opens nothing.
#[derive(Clone, Debug)]
pub(crate) struct Thinking {
    /// The beginning of a tag that the last piece ended in.
    partial: Vec<u8>,
    /// How many bytes were read.
    read: usize,
    /// Whether a newline, or nothing, stands before `partial` or else before what comes next.
    at_line_start: bool,
    seen: [Seen; 2],
    /// Where the closing tag ends whose opening tag was glued.
    glued_end: Option<usize>,
}

impl Default for Thinking {
    fn default() -> Self {
        let partial = Vec::with_capacity(LONGEST);
        Self { partial, read: 0, at_line_start: true, seen: [Seen::default(); 2], glued_end: None }
    }
}

impl Thinking {
    /// Reads a piece up to the end of the first tag in it, and returns how long that is; without one, reads
    /// all.
    pub(crate) fn next_tag(&mut self, piece: &str) -> Option<usize> {
        let mut rest = piece.as_bytes();
        loop {
            if self.partial.is_empty() {
                let skipped = memchr(b'<', rest).unwrap_or(rest.len());
                let (before, after) = rest.split_at_checked(skipped).unwrap_or_default();
                if let Some(last) = before.last() {
                    self.at_line_start = *last == b'\n';
                }
                self.read = self.read.saturating_add(skipped);
                rest = after;
            }
            let (byte, after) = rest.split_first()?;
            let is_start = |tag: &str, partial: &[u8]| tag.as_bytes().starts_with(partial);
            self.partial.push(*byte);
            if !TAGS.iter().any(|(tag, ..)| is_start(tag, &self.partial)) {
                // A tag has one `<`, at its start: this one may begin another.
                self.partial.clear();
                self.at_line_start = false;
                if *byte == b'<' {
                    continue;
                }
                self.at_line_start = *byte == b'\n';
            }
            self.read = self.read.saturating_add(1);
            rest = after;
            let whole = TAGS.iter().find(|(tag, ..)| tag.as_bytes() == self.partial);
            if let Some((tag, spelling, opens)) = whole {
                self.see(*spelling, *opens, tag.len());
                self.partial.clear();
                self.at_line_start = false;
                return piece.len().checked_sub(rest.len());
            }
        }
    }

    fn see(&mut self, spelling: Spelling, opens: bool, length: usize) {
        let [thinking, think] = &mut self.seen;
        let seen = if spelling == Spelling::Thinking { &mut *thinking } else { &mut *think };
        if opens {
            if seen.closed.is_none() {
                seen.opened = true;
                seen.opened_line |= self.at_line_start;
            }
            let start = self.read.saturating_sub(length);
            if self.glued_end.is_some_and(|end| self.at_line_start || start == end) {
                seen.open_after.get_or_insert(true);
            }
            return;
        }
        seen.open_after = seen.open_after.map(|_| false);
        if seen.closed.is_some() {
            return;
        }
        let ends_thinking = seen.opened_line || !seen.opened;
        seen.closed = Some((self.read, ends_thinking));
        // Of two such tags, gptme goes on from the shorter spelling.
        let last_word = spelling == Spelling::Think || think.closed.is_none();
        if !ends_thinking && last_word {
            self.glued_end = Some(self.read);
            thinking.open_after = None;
            think.open_after = None;
        }
    }

    /// What gptme would look at if the text ended here.
    pub(crate) fn visible(&self) -> Visible {
        let end = self.seen.iter().find_map(|seen| seen.closed.filter(|(_, ends_thinking)| *ends_thinking));
        if let Some((position, _)) = end {
            return Visible::From(position);
        }
        let open = |seen: &Seen| match self.glued_end {
            Some(_) => seen.open_after == Some(true),
            None => seen.opened_line,
        };
        if self.seen.iter().any(open) { Visible::Nothing } else { Visible::All }
    }
}

/// What gptme looks at in a whole text; `None` when that is nothing.
pub(crate) fn visible(text: &str) -> Option<&str> {
    let mut thinking = Thinking::default();
    let mut rest = text;
    while let Some(length) = thinking.next_tag(rest) {
        rest = rest.get(length..).unwrap_or_default();
    }
    match thinking.visible() {
        Visible::All => Some(text),
        Visible::From(position) => text.get(position..),
        Visible::Nothing => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_thinking() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(visible(text), expected, "{text}");
            let mut thinking = Thinking::default();
            let mut buffer = [0; 4];
            for c in text.chars() {
                thinking.next_tag(c.encode_utf8(&mut buffer));
            }
            let by_char = match thinking.visible() {
                Visible::All => Some(text),
                Visible::From(position) => Some(&text[position..]),
                Visible::Nothing => None,
            };
            assert_eq!(by_char, expected, "{text}");
        };
        check("a < b <thin </thinkin >", Some("a < b <thin </thinkin >"));
        check("<think>a</think>b", Some("b"));
        check("x\n<thinking>a</thinking>b</think>c", Some("b</think>c"));
        check("<think>a</think>b\n<think>c", Some("b\n<think>c"));
        check("thinking>a</thinking>b", Some("b"));
        check("a</think>b</thinking>c", Some("c"));
        check("<think>a", None);
        check("a\n<think>", None);
        check("a\r<think>", Some("a\r<think>"));
        check("a <think> b", Some("a <think> b"));
        check("a <think> b </think> c", Some("a <think> b </think> c"));
        check("<<think>a</think>", Some("<<think>a</think>"));
        check("\n<<think>", Some("\n<<think>"));
        check("```<think>a</think>\n<think>", None);
        check("```<think>a</think><think>", None);
        check("```<think>a</think>\n<think></think>b", Some("```<think>a</think>\n<think></think>b"));
        check("```<think>a</think>\n<think></think>\n<think>", Some("```<think>a</think>\n<think></think>\n<think>"));
        check("`<thinking></thinking>\n<thinking> `<think></think>", Some("`<thinking></thinking>\n<thinking> `<think></think>"));
    }
}
