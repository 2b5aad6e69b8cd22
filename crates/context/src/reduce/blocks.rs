//! Shortening long code blocks.

use std::borrow::Cow;

use convlog_codeblock::{Codeblock, codeblocks};

use super::{CUT, KEPT_LINES, is_long};

/// How many blocks that are not found again are passed over: looking for each goes through the whole text.
const MOST_MISSED: usize = 16;

/// The text with its long code blocks shortened; `None` when there are none.
pub(super) fn shortened(text: &str) -> Option<String> {
    // The blocks are those of the text with plain newlines.
    let text: Cow<'_, str> =
        if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n").into() } else { text.into() };
    let (mut out, mut from, mut missed) = (String::new(), 0_usize, 0_usize);
    for block in codeblocks(&text) {
        if !is_long(block.content().split('\n').count()) {
            continue;
        }
        match place(&text, from, block.content()) {
            Some((start, end)) => {
                out.push_str(text.get(from..start).unwrap_or_default());
                out.push_str(&cut(&block));
                from = end;
            }
            None if missed >= MOST_MISSED => break,
            None => missed = missed.saturating_add(1),
        }
    }
    if from == 0 {
        return None;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    Some(out)
}

/// From the opening fence to the closing one, its newline left out, of the block with that content.
fn place(text: &str, from: usize, content: &str) -> Option<(usize, usize)> {
    let rest = text.get(from..)?;
    let at = rest.find(&*format!("\n{content}\n"))?;
    let start = rest.get(..at)?.rfind('\n').map_or(0, |newline| newline.saturating_add(1));
    let closing = at.checked_add(content.len())?.checked_add(2)?;
    let length = rest.get(closing..)?.find('\n').unwrap_or_else(|| rest.len().saturating_sub(closing));
    Some((from.checked_add(start)?, from.checked_add(closing)?.checked_add(length)?))
}

fn cut(block: &Codeblock) -> String {
    let lines: Vec<&str> = block.content().split('\n').collect();
    let head = lines.iter().take(KEPT_LINES);
    let tail = lines.iter().skip(lines.len().saturating_sub(KEPT_LINES));
    let kept: Vec<&str> = head.chain([&CUT]).chain(tail).copied().collect();
    Codeblock::new(block.lang(), kept.join("\n")).with_fence(block.fence()).to_markdown()
}
