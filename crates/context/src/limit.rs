//! Keeping to a number of tokens: [`limit`].

use convlog_message::{Message, Role};

use crate::TokenCounter;
use crate::merge::{Lives, merge};
use crate::pairs::{anchors, is_assistant, is_result};
use crate::piece::{Piece, total};

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
    let mut pieces = keep_within(messages.into_iter().map(Piece::new).collect(), tokens, counter);
    pieces.drain(..).map(|piece| piece.message).collect()
}

pub(crate) fn keep_within<C: TokenCounter + ?Sized>(pieces: Vec<Piece>, tokens: usize, counter: &C) -> Vec<Piece> {
    let mut candidates = Candidates::new(pieces);
    candidates.cut_to(tokens, counter);
    loop {
        let mut kept = merge(candidates.kept(), Lives::Any);
        let excess = total(&mut kept, counter).saturating_sub(tokens);
        // What was joined may take more than its parts did.
        if excess == 0 || !candidates.cut_more(excess, counter) {
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
        let leading = pieces.iter().take_while(|piece| *piece.message.role() == Role::System).count();
        let anchors = anchors(pieces.iter().map(|piece| &piece.message));
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

    /// The messages that are kept at this cut.
    fn kept(&self) -> Vec<Piece> {
        let is_kept = |at: usize| at >= self.cut || self.is_always_kept.get(at).copied().unwrap_or(false);
        let goes_with = |anchor: &Option<usize>| anchor.is_none_or(is_kept);
        let all = self.pieces.iter().zip(&self.anchors).zip(&self.is_always_kept).enumerate();
        all.filter(|(at, ((_, anchor), always))| **always || (is_kept(*at) && goes_with(anchor)))
            .map(|(_, ((piece, _), _))| piece.clone())
            .collect()
    }
}

/// Says of each message whether it is kept in any case.
fn always_kept(pieces: &[Piece], anchors: &[Option<usize>], leading: usize) -> Vec<bool> {
    // The assistant's messages that are pinned, or have a pinned result: what follows them is kept too.
    let mut has_pinned = vec![false; pieces.len()];
    for (at, (piece, anchor)) in pieces.iter().zip(anchors).enumerate() {
        let call = if is_assistant(&piece.message) { Some(at) } else { anchor.filter(|_| is_result(&piece.message)) };
        if let Some(flag) = call.filter(|_| piece.message.pinned()).and_then(|call| has_pinned.get_mut(call)) {
            *flag = true;
        }
    }
    let is_kept_call = |at: usize| {
        has_pinned.get(at).copied().unwrap_or(false) && pieces.get(at).is_some_and(|piece| is_assistant(&piece.message))
    };
    pieces
        .iter()
        .zip(anchors)
        .enumerate()
        .map(|(at, (piece, anchor))| {
            at < leading || piece.message.pinned() || is_kept_call(at) || anchor.is_some_and(is_kept_call)
        })
        .collect()
}
