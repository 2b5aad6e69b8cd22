//! A whole text taken apart for showing: [`pieces`], [`Piece`].

use crate::codeblock::Codeblock;
use crate::scan::{Engine, Found, LineCounter, Next, Text, thinking};

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Piece<'a> {
    /// What the model thought before it answered, with its tags.
    Thinking(&'a str),
    /// Text between the code blocks.
    Text(&'a str),
    /// A code block.
    Code(CodePiece<'a>),
}

/// A code block as it stands in its text. The three parts behind each other are what stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodePiece<'a> {
    /// The line of the opening fence, with its newline.
    pub opening: &'a str,
    /// The lines between the fences, each with its newline; the indent of the fence still before them.
    pub content: &'a str,
    /// The closing fence, with the newline behind it; empty when the block is open at the end of the text.
    pub closing: &'a str,
    /// The block.
    pub block: Codeblock,
}

/// Takes a text apart: thinking, text and the blocks that [`codeblocks`](crate::codeblocks) finds, and one
/// that is open at the end. The pieces behind each other are the text.
///
/// `\n` alone is a line end here: a text with others is to be normalised first.
///
/// ```
/// use convlog_codeblock::{Piece, pieces};
///
/// let text = "<think>hm</think>\nLook:\n```sh\nls\n```\nDone.";
/// let parts = pieces(text);
/// assert_eq!(parts[0], Piece::Thinking("<think>hm</think>"));
/// assert_eq!(parts[1], Piece::Text("\nLook:\n"));
/// let Piece::Code(code) = &parts[2] else { panic!() };
/// assert_eq!((code.opening, code.content, code.closing), ("```sh\n", "ls\n", "```\n"));
/// assert_eq!(parts[3], Piece::Text("Done."));
/// ```
#[must_use]
pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let visible = thinking::visible(text).map_or(0, str::len);
    let (thought, visible) = text.split_at_checked(text.len().saturating_sub(visible)).unwrap_or((text, ""));
    let mut pieces = Vec::new();
    if !thought.is_empty() {
        pieces.push(Piece::Thinking(thought));
    }
    let mut lines = LineCounter::default();
    let (mut at, mut blocks) = (0, found(visible).into_iter().peekable());
    while let Some((block, ended)) = blocks.next() {
        let limit = blocks.peek().map_or(visible.len(), |(next, _)| next.start);
        let part = |from: usize, to: usize| visible.get(from..to).unwrap_or_default();
        if block.start > at {
            pieces.push(Piece::Text(part(at, block.start)));
        }
        let content = block.content_start();
        let closing = if ended { block.content_end(visible) } else { visible.len() };
        let end = if ended { end_of_fence(visible, closing, limit) } else { visible.len() };
        let line = lines.line_at(visible, block.start);
        pieces.push(Piece::Code(CodePiece {
            opening: part(block.start, content),
            content: part(content, closing),
            closing: part(closing, end),
            block: if ended { block.into_block(visible, line) } else { block.into_open_block(visible, line) },
        }));
        at = end;
    }
    if let Some(rest) = visible.get(at..).filter(|rest| !rest.is_empty()) {
        pieces.push(Piece::Text(rest));
    }
    pieces
}

/// The blocks of a text as positions in it, and whether each is closed.
fn found(visible: &str) -> Vec<(Found, bool)> {
    let text = Text { text: visible, ended: true, tildes: visible.contains("~~~") };
    let mut engine = Engine::default();
    let mut found = Vec::new();
    while let Next::Block(block) = engine.next(text) {
        found.push((block, true));
    }
    found.extend(engine.open().map(|open| (open.clone(), false)));
    found
}

/// Where a closing fence ends that begins its line at `start`: with its newline when nothing else stands there.
fn end_of_fence(text: &str, start: usize, limit: usize) -> usize {
    let line = text.get(start..limit).unwrap_or_default().split_inclusive('\n').next().unwrap_or_default();
    let fence = line.trim_start_matches(' ');
    let mark = fence.chars().next().unwrap_or_default();
    let behind = fence.trim_start_matches(mark);
    let taken = if behind.trim().is_empty() { line.len() } else { line.len().saturating_sub(behind.len()) };
    start.saturating_add(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_lost_whatever_closes_a_block() {
        let check = |text: &str, expected: &str| {
            let shown: Vec<String> = pieces(text)
                .into_iter()
                .map(|piece| match piece {
                    Piece::Thinking(text) => format!("thinking {text:?}"),
                    Piece::Text(text) => format!("text {text:?}"),
                    Piece::Code(code) => format!("code {:?} {:?} {:?}", code.opening, code.content, code.closing),
                })
                .collect();
            assert_eq!(shown.join(", "), expected, "{text:?}");
        };
        check("", "");
        check("a", r#"text "a""#);
        check("```\n```", r#"code "```\n" "" "```""#);
        check("```\n\n```\n", r#"code "```\n" "\n" "```\n""#);
        check("a\n```py\nx\n", r#"text "a\n", code "```py\n" "x\n" """#);
        check("~~~\nx\n~~~\nb", r#"code "~~~\n" "x\n" "~~~\n", text "b""#);
        check("<think>a\n```\nx\n```", r#"thinking "<think>a\n```\nx\n```""#);
    }
}
