//! Lines, the fences that begin them, and a block as positions: [`Line`], [`FenceLine`], [`Found`].

use std::ops::Range;

use memchr::memchr_iter;

use super::python::{is_alnum, is_blank, strip};
use crate::codeblock::Codeblock;
use crate::fence::{Fence, Mark};

/// One whole line, without its newline.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'a> {
    pub(super) start: usize,
    pub(super) text: &'a str,
    /// Where the next line starts; `None` when this is the last one.
    pub(super) next: Option<usize>,
}

impl<'a> Line<'a> {
    pub(super) fn is_blank(self) -> bool {
        is_blank(self.text)
    }

    /// The fence that begins the line, after three spaces at the most.
    pub(super) fn fence(self) -> Option<FenceLine<'a>> {
        let indent = self.text.bytes().take_while(|b| *b == b' ').take(4).count();
        let marks = self.text.as_bytes().get(indent..)?;
        let first = *marks.first()?;
        let mark = Mark::from_byte(first)?;
        let run = marks.iter().take_while(|b| **b == first).count();
        (indent < 4 && run >= Fence::MIN).then_some(FenceLine { line: self, indent, mark, run })
    }
}

/// A line that begins with a fence.
#[derive(Clone, Copy, Debug)]
pub(super) struct FenceLine<'a> {
    pub(super) line: Line<'a>,
    pub(super) indent: usize,
    mark: Mark,
    /// How many marks.
    pub(super) run: usize,
}

impl<'a> FenceLine<'a> {
    /// What stands behind the marks.
    pub(super) fn info(self) -> &'a str {
        self.line.text.get(self.indent.saturating_add(self.run)..).unwrap_or_default()
    }

    /// Whether gptme takes it for a fence: backticks at the very start of the line.
    pub(super) fn is_gptmes(self) -> bool {
        self.indent == 0 && self.mark == Mark::Backtick
    }

    /// Nothing but the fence, in gptme's eyes.
    pub(super) fn is_bare(self) -> bool {
        is_blank(self.info())
    }

    /// Whether what stands behind it looks to gptme like a language.
    pub(super) fn has_lang(self) -> bool {
        strip(self.info()).chars().next().is_some_and(|c| is_alnum(c) || "_/.~".contains(c))
    }

    /// Whether CommonMark opens a block here.
    pub(super) fn opens(self) -> bool {
        self.mark == Mark::Tilde || !self.info().contains('`')
    }

    /// Whether CommonMark closes the block here that `opener` opens.
    pub(super) fn closes(self, opener: &Found) -> bool {
        self.mark == opener.fence.mark()
            && self.run >= opener.fence.length()
            && self.info().bytes().all(|b| matches!(b, b' ' | b'\t'))
    }

    /// The block that this line opens, up to the end of the line so far.
    pub(super) fn opener(self) -> Found {
        let start = self.line.start;
        let end = start.saturating_add(self.line.text.len());
        let info = self.info();
        let stripped = strip(info);
        let lead = info.len().saturating_sub(info.trim_start_matches(super::python::is_space).len());
        let lang = end.saturating_sub(info.len()).saturating_add(if stripped.is_empty() { 0 } else { lead });
        let content = self.line.next.unwrap_or(end);
        Found {
            start,
            fence: Fence::new(self.mark, self.run),
            indent: self.indent,
            lang: lang..lang.saturating_add(stripped.len()),
            content: content..content,
        }
    }
}

/// A block as positions in the text.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    /// Where its opening line starts.
    pub(crate) start: usize,
    fence: Fence,
    /// How many spaces stand before the fence, and are taken off each line of the content.
    indent: usize,
    lang: Range<usize>,
    pub(super) content: Range<usize>,
}

impl Found {
    pub(super) fn fence_length(&self) -> usize {
        self.fence.length()
    }

    pub(super) fn lang<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.lang.clone()).unwrap_or_default()
    }

    /// The same block with everything in it that stands before the line at `end`.
    pub(super) fn up_to(mut self, end: usize) -> Self {
        self.content.end = end.saturating_sub(1).max(self.content.start);
        self
    }

    /// Where the line behind the opening one starts.
    pub(crate) fn content_start(&self) -> usize {
        self.content.start
    }

    /// Where the closing fence's line starts, in the text of a block that is closed.
    pub(crate) fn content_end(&self, text: &str) -> usize {
        let rest = text.get(self.content.end..).unwrap_or_default();
        self.content.end.saturating_add(usize::from(rest.starts_with('\n')))
    }

    /// The block, on the given line of `text`, in which its positions are.
    pub(crate) fn into_block(self, text: &str, line: usize) -> Codeblock {
        let content = text.get(self.content.clone()).unwrap_or_default();
        let content = if self.indent == 0 { content.to_owned() } else { unindented(content, self.indent) };
        Codeblock::new(self.lang(text), content).with_fence(self.fence).with_start(line)
    }

    /// The block with all that follows it in `text`, which does not close it.
    pub(crate) fn into_open_block(mut self, text: &str, line: usize) -> Codeblock {
        let end = text.strip_suffix('\n').unwrap_or(text).len();
        self.content.end = end.max(self.content.start);
        self.into_block(text, line)
    }
}

/// Takes up to `indent` spaces off each line.
fn unindented(content: &str, indent: usize) -> String {
    let mut lines = String::with_capacity(content.len());
    for line in content.split_inclusive('\n') {
        let spaces = line.bytes().take(indent).take_while(|b| *b == b' ').count();
        lines.push_str(line.get(spaces..).unwrap_or_default());
    }
    lines
}

/// Numbers lines at rising positions, each newline counted once.
#[derive(Clone, Debug, Default)]
pub(crate) struct LineCounter {
    position: usize,
    line: usize,
}

impl LineCounter {
    /// The number of the line at `position`, counted from 0.
    pub(crate) fn line_at(&mut self, text: &str, position: usize) -> usize {
        let newlines = |range: Range<usize>| memchr_iter(b'\n', text.as_bytes().get(range).unwrap_or_default()).count();
        if position >= self.position {
            self.line = self.line.saturating_add(newlines(self.position..position));
        } else {
            self.line = self.line.saturating_sub(newlines(position..self.position));
        }
        self.position = position;
        self.line
    }

    /// Goes on in a text from which so many bytes were taken at the start.
    pub(crate) fn rebase(&mut self, taken: usize) {
        self.position = self.position.saturating_sub(taken);
    }
}
