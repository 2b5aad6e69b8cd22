//! Shortening what is long from the middle: [`reduce`].

mod blocks;
mod details;

use std::cmp::Reverse;

use convlog_message::{Message, Role};

use crate::TokenCounter;
use crate::call::{CallForm, tool_calls};
use crate::piece::{Piece, to_messages, to_pieces, total};

/// The tools of gptme that are called by code blocks, by the first word of the block's language.
pub const BLOCK_TOOLS: [&str; 26] = [
    "append",
    "choice",
    "clarify",
    "complete",
    "elicit",
    "form",
    "gh",
    "hashline_edit",
    "ipython",
    "mcp",
    "memory",
    "morph",
    "patch",
    "patch_many",
    "progress",
    "py",
    "read",
    "request_tool_change",
    "restart",
    "save",
    "shell",
    "tmux",
    "todo",
    "vent",
    "watch",
    "python",
];

/// How many lines stay at the beginning and at the end of what is shortened.
const KEPT_LINES: usize = 10;
/// The line in the place of those that were cut out.
const CUT: &str = "[...]";

/// Shortens messages until all take at most `tokens` tokens, the longest message first.
///
/// What is shortened are code blocks and `<details>` of more than 21 lines: ten lines stay at either end, and
/// `[...]` stands for the rest. The summary of `<details>` stays, and a code block within is not cut in two.
/// Pinned messages stay whole, and so do those in which the assistant calls a tool, since its results need
/// their call: structured calls, calls in XML, and code blocks whose language begins with a word for which
/// `is_tool` says so ([`BLOCK_TOOLS`] are gptme's).
///
/// When that is not enough, all that can be is shortened; see [`limit`](crate::limit) for what leaves messages
/// out. Each message is counted once, and once more when it is shortened.
///
/// ```
/// use convlog_context::{BLOCK_TOOLS, reduce};
/// use convlog_message::{Message, Role, Timestamp};
///
/// let lines: String = (0..100).map(|n| format!("{n}\n")).collect();
/// let log = vec![Message::new(Role::User, format!("Look:\n```\n{lines}```\n"), Timestamp::now())];
/// let letters = |text: &str| text.len();
/// let reduced = reduce(log, 100, &letters, |tool| BLOCK_TOOLS.contains(&tool));
/// assert!(reduced[0].content().starts_with("Look:\n```\n0\n1\n"));
/// assert!(reduced[0].content().ends_with("\n9\n[...]\n90\n91\n92\n93\n94\n95\n96\n97\n98\n99\n```\n"));
/// ```
#[must_use]
pub fn reduce<C: TokenCounter + ?Sized>(
    messages: Vec<Message>,
    tokens: usize,
    counter: &C,
    is_tool: impl Fn(&str) -> bool,
) -> Vec<Message> {
    let mut pieces = to_pieces(messages);
    shorten_to(&mut pieces, tokens, counter, &is_tool);
    to_messages(pieces)
}

pub(crate) fn shorten_to<C: TokenCounter + ?Sized>(
    pieces: &mut [Piece],
    tokens: usize,
    counter: &C,
    is_tool: &dyn Fn(&str) -> bool,
) {
    let mut all = total(pieces, counter);
    if all <= tokens {
        return;
    }
    let mut longest: Vec<&mut Piece> = pieces.iter_mut().filter(|piece| !piece.pinned).collect();
    longest.sort_by_key(|piece| Reverse(piece.tokens));
    for piece in longest {
        if all <= tokens {
            return;
        }
        if calls_tool(&piece.message, is_tool) {
            continue;
        }
        let Some(content) = shortened(piece.message.content()) else { continue };
        let before = piece.tokens(counter);
        piece.message = piece.message.clone().with_content(content);
        piece.tokens = None;
        all = all.saturating_sub(before).saturating_add(piece.tokens(counter));
    }
}

fn calls_tool(message: &Message, is_tool: &dyn Fn(&str) -> bool) -> bool {
    *message.role() == Role::Assistant
        && tool_calls(message.content()).iter().any(|call| call.form != CallForm::Block || is_tool(&call.tool))
}

/// The text with its long parts shortened; `None` when there are none.
fn shortened(text: &str) -> Option<String> {
    let with_blocks = blocks::shortened(text);
    let with_details = details::shortened(with_blocks.as_deref().unwrap_or(text));
    with_details.or(with_blocks)
}

/// Whether so many lines are worth shortening: the mark itself takes a line.
const fn is_long(lines: usize) -> bool {
    lines > KEPT_LINES.saturating_mul(2).saturating_add(1)
}
