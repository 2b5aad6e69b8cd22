//! What gptme decides by the lines that follow: whether a bare fence nests, and whether a here-document ends.
//!
//! Each answer is `None` while the lines that it needs are not there.

use std::ops::Range;

use super::line::Line;
use super::python::strip;
use super::text::Text;

/// How many lines behind a bare fence gptme looks for the fence that closes it.
const NEST: usize = 19;
/// How many lines behind that one it looks for text.
const BEYOND: usize = 4;
/// How many lines gptme looks for the end of a here-document.
const HERE: usize = 200;

/// Whether the bare fence before the line at `at` opens a nested block: a bare fence follows, and text behind
/// that one.
pub(super) fn nests(text: Text<'_>, at: usize) -> Option<bool> {
    let mut next = Some(at);
    for _ in 0..NEST {
        let Some(at) = next else { return Some(false) };
        let line = text.line(at)?;
        if is_bare_fence(line) {
            return text_follows(text, line.next);
        }
        if line.text.starts_with("```") {
            return Some(false);
        }
        next = line.next;
    }
    Some(false)
}

fn is_bare_fence(line: Line<'_>) -> bool {
    let stripped = strip(line.text);
    stripped.len() >= 3 && stripped.bytes().all(|b| b == b'`')
}

fn text_follows(text: Text<'_>, mut next: Option<usize>) -> Option<bool> {
    for _ in 0..BEYOND {
        let Some(at) = next else { return Some(false) };
        let line = text.line(at)?;
        if !line.is_blank() {
            return Some(true);
        }
        next = line.next;
    }
    Some(false)
}

/// The search for the line that ends a here-document.
#[derive(Clone, Debug)]
pub(super) struct HereEnd {
    /// The word that the line must consist of.
    pub(super) word: Range<usize>,
    next: Option<usize>,
    left: usize,
}

impl HereEnd {
    /// A search that begins at the line at `next`.
    pub(super) fn new(word: Range<usize>, next: Option<usize>) -> Self {
        Self { word, next, left: HERE }
    }

    /// Whether there is one; asked again, it goes on where lines were missing.
    pub(super) fn exists(&mut self, text: Text<'_>) -> Option<bool> {
        let word = text.text.get(self.word.clone())?;
        while let (Some(at), Some(left)) = (self.next, self.left.checked_sub(1)) {
            let line = text.line(at)?;
            if strip(line.text) == word {
                return Some(true);
            }
            (self.next, self.left) = (line.next, left);
        }
        Some(false)
    }
}
