//! Bringing back earlier messages that bear on the question: [`Recall`].

use std::collections::HashSet;

use convlog_message::{Message, Role};

use crate::TokenCounter;
use crate::piece::{Kind, Piece, leading, total};

/// How many messages are brought back at most.
const MOST: usize = 5;
/// How many of the person's latest messages make the query.
const QUERY_TURNS: usize = 3;
/// How many characters of each.
const TURN_LENGTH: usize = 300;
/// How many characters of the whole query.
const QUERY_LENGTH: usize = 800;
const PREFIX: &str = "[Evidence from earlier in this conversation (";

/// Finds earlier messages that bear on a query. A closure is one too.
///
/// The caller decides where to look (the full history that a view leaves out, say) and how to rank.
pub trait Recall {
    /// The messages that bear on the query, the best first.
    fn recall(&self, query: &str) -> Vec<Message>;
}

impl<F: Fn(&str) -> Vec<Message>> Recall for F {
    fn recall(&self, query: &str) -> Vec<Message> {
        self(query)
    }
}

/// Puts the best messages that are not there yet behind the leading system messages, each as a pinned, hidden
/// system message that says whose it was; at most five, within a fifth of the limit and what is left of it.
pub(crate) fn bring_back<C: TokenCounter + ?Sized>(
    mut pieces: Vec<Piece>,
    recall: &dyn Recall,
    limit: Option<usize>,
    counter: &C,
) -> Vec<Piece> {
    let query = query(&pieces);
    if query.is_empty() {
        return pieces;
    }
    let mut left = match limit {
        Some(limit) => limit.saturating_sub(total(&mut pieces, counter)).min(limit / 5),
        None => usize::MAX,
    };
    let mut known: HashSet<&str> = pieces.iter().map(|piece| said(piece.message.content())).collect();
    let found = recall.recall(&query);
    let mut evidence: Vec<Piece> = Vec::new();
    for message in &found {
        if evidence.len() == MOST {
            break;
        }
        if message.content().is_empty() || !known.insert(message.content()) {
            continue;
        }
        let mut piece = as_evidence(message);
        let Some(rest) = left.checked_sub(piece.tokens(counter)) else { break };
        left = rest;
        evidence.push(piece);
    }
    let leading = leading(&pieces);
    pieces.splice(leading..leading, evidence);
    pieces
}

/// What the person's latest messages say, cut to a length that a search can take.
fn query(pieces: &[Piece]) -> String {
    let mut turns: Vec<String> = pieces
        .iter()
        .rev()
        .filter(|piece| piece.kind == Kind::User)
        .take(QUERY_TURNS)
        .map(|piece| piece.message.content().chars().take(TURN_LENGTH).collect())
        .collect();
    turns.reverse();
    turns.join(" ").chars().take(QUERY_LENGTH).collect()
}

fn as_evidence(message: &Message) -> Piece {
    let content = format!("{PREFIX}{})]\n{}", message.role(), message.content());
    let message = Message::new(Role::System, content, message.timestamp().clone()).with_pinned(true).with_hide(true);
    // The next question brings back others: what follows is not worth caching.
    Piece { is_stable: false, ..Piece::new(message) }
}

/// The text without the line that marks it as brought back.
fn said(content: &str) -> &str {
    match content.strip_prefix(PREFIX).and_then(|rest| rest.split_once('\n')) {
        Some((_, said)) => said,
        None => content,
    }
}
