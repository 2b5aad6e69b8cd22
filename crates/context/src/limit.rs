//! Keeping to a number of tokens: [`limit`].

use convlog_message::Message;

use crate::TokenCounter;
use crate::merge::{Lives, can_join, merge};
use crate::pairs::{anchors, calls};
use crate::piece::{Piece, leading, to_messages, to_pieces, total};

/// Keeps what a model can take: at most `tokens` tokens, as long as what is always kept does not exceed that.
///
/// Always kept are the leading system messages and the pinned ones; where a pinned message is a call or the
/// result of one, also its call and all system messages that follow that. Of the rest the newest messages
/// that fit are kept, back to the first that does not fit. No tool result stays without its call: a system
/// message goes with the message that it follows. Neighbours of one role that this leaves are joined
/// (see [`merge_neighbours`](crate::merge_neighbours)), and the blank line between them counts.
///
/// Each text is counted at most once, and only as far back as they fit; joined texts are counted again.
///
/// ```
/// use convlog_context::limit;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let letters = |text: &str| text.len();
/// let sent = limit(
///     vec![
///         say(Role::System, "Be brief."),
///         say(Role::User, "A long story."),
///         say(Role::Assistant, "Indeed."),
///         say(Role::User, "More."),
///     ],
///     25,
///     &letters,
/// );
/// assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["Be brief.", "Indeed.", "More."]);
/// ```
#[must_use]
pub fn limit<C: TokenCounter + ?Sized>(messages: Vec<Message>, tokens: usize, counter: &C) -> Vec<Message> {
    to_messages(keep_within(to_pieces(messages), tokens, counter))
}

pub(crate) fn keep_within<C: TokenCounter + ?Sized>(pieces: Vec<Piece>, tokens: usize, counter: &C) -> Vec<Piece> {
    let mut candidates = Candidates::new(pieces);
    candidates.cut_to(tokens, counter);
    loop {
        let is_kept = candidates.kept();
        let is_last = !candidates.has_neighbours(&is_kept);
        let mut kept = if is_last { candidates.take(&is_kept) } else { merge(candidates.copy(&is_kept), Lives::Any) };
        // What was joined may take more than its parts did.
        let excess = total(&mut kept, counter).saturating_sub(tokens);
        if is_last || excess == 0 || !candidates.cut_more(excess, counter) {
            return kept;
        }
    }
}

/// The messages, and what is known of each.
struct Candidates {
    pieces: Vec<Piece>,
    anchors: Vec<Option<usize>>,
    is_always_kept: Vec<bool>,
    leading: usize,
    /// From here on all are kept.
    cut: usize,
}

impl Candidates {
    fn new(pieces: Vec<Piece>) -> Self {
        let leading = leading(&pieces);
        let anchors = anchors(&pieces);
        let is_always_kept = always_kept(&pieces, &anchors, leading);
        Self { cut: pieces.len(), pieces, anchors, is_always_kept, leading }
    }

    /// Moves the cut back to the oldest message that fits beside those that are always kept.
    fn cut_to<C: TokenCounter + ?Sized>(&mut self, tokens: usize, counter: &C) {
        let always = self.pieces.iter_mut().zip(&self.is_always_kept).filter(|(_, always)| **always);
        let mut left = always.fold(tokens, |left, (piece, _)| left.saturating_sub(piece.tokens(counter)));
        let from_end = self.pieces.iter_mut().zip(&self.is_always_kept).enumerate().skip(self.leading).rev();
        for (at, (piece, always)) in from_end {
            if !always {
                let Some(rest) = left.checked_sub(piece.tokens(counter)) else { break };
                left = rest;
            }
            self.cut = at;
        }
    }

    /// Moves the cut forward until at least one message more is left out, and as many as free so many tokens;
    /// says whether there was any left to leave out.
    fn cut_more<C: TokenCounter + ?Sized>(&mut self, tokens: usize, counter: &C) -> bool {
        let (mut freed, mut has_cut) = (0_usize, false);
        while freed < tokens || !has_cut {
            let Some(piece) = self.pieces.get_mut(self.cut) else { break };
            if !self.is_always_kept.get(self.cut).copied().unwrap_or(false) {
                freed = freed.saturating_add(piece.tokens(counter));
                has_cut = true;
            }
            self.cut = self.cut.saturating_add(1);
        }
        has_cut
    }

    /// Says of each message whether it is kept at this cut.
    fn kept(&self) -> Vec<bool> {
        let is_kept = |at: usize| at >= self.cut || self.is_always_kept.get(at).copied().unwrap_or(false);
        let all = self.anchors.iter().zip(&self.is_always_kept).enumerate();
        all.map(|(at, (anchor, always))| *always || (is_kept(at) && anchor.is_none_or(is_kept))).collect()
    }

    /// Whether any two that are kept are to be joined.
    fn has_neighbours(&self, is_kept: &[bool]) -> bool {
        let mut kept = self.pieces.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept).map(|(piece, _)| piece);
        let Some(mut last) = kept.next() else { return false };
        kept.any(|piece| can_join(std::mem::replace(&mut last, piece), piece, Lives::Any))
    }

    /// Those that are kept, for good.
    fn take(&mut self, is_kept: &[bool]) -> Vec<Piece> {
        let mut is_kept = is_kept.iter();
        let mut pieces = std::mem::take(&mut self.pieces);
        pieces.retain(|_| is_kept.next().copied().unwrap_or(false));
        pieces
    }

    /// Those that are kept, to try.
    fn copy(&self, is_kept: &[bool]) -> Vec<Piece> {
        self.pieces.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept).map(|(piece, _)| piece.clone()).collect()
    }
}

/// Says of each message whether it is kept in any case.
fn always_kept(pieces: &[Piece], anchors: &[Option<usize>], leading: usize) -> Vec<bool> {
    // The assistant's messages that are pinned, or have a pinned result: what follows them is kept too.
    let mut has_pinned = vec![false; pieces.len()];
    for (piece, call) in pieces.iter().zip(calls(pieces)) {
        if let Some(flag) = call.filter(|_| piece.pinned).and_then(|call| has_pinned.get_mut(call)) {
            *flag = true;
        }
    }
    let is_kept_call = |at: usize| has_pinned.get(at).copied().unwrap_or(false);
    let is_kept = |(at, (piece, anchor)): (usize, (&Piece, &Option<usize>))| {
        at < leading || piece.pinned || is_kept_call(at) || anchor.is_some_and(is_kept_call)
    };
    pieces.iter().zip(anchors).enumerate().map(is_kept).collect()
}
