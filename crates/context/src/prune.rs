//! Leaving out ephemeral messages whose time is over: [`prune_ephemeral`] and [`cache_boundary`].

use convlog_message::Message;

use crate::merge::{Lives, merge};
use crate::pairs::calls;
use crate::piece::{Kind, Piece, to_messages, to_pieces};

/// Leaves out the messages that have outlived their `ephemeral_ttl`, and joins the neighbours of one role
/// that this leaves (see [`merge_neighbours`](crate::merge_neighbours)).
///
/// A message with a time to live of `n` stays for `n` later messages of the assistant. What was left out does
/// not count as one. Pinned messages stay whatever their time.
///
/// A tool call and its results (the system messages with a call id that follow the assistant's) stay or go
/// together: all stay when one of them is pinned, all go when the time of one is over.
///
/// The log itself keeps everything; the cost is linear.
///
/// ```
/// use convlog_context::prune_ephemeral;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let sent = prune_ephemeral(vec![
///     say(Role::User, "Think first."),
///     say(Role::Assistant, "Hm.").with_ephemeral_ttl(Some(0)),
///     say(Role::User, "And?"),
///     say(Role::Assistant, "42"),
/// ]);
/// assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["Think first.\n\nAnd?", "42"]);
/// ```
#[must_use]
pub fn prune_ephemeral(messages: Vec<Message>) -> Vec<Message> {
    let living = keep_living(to_pieces(messages));
    to_messages(merge(living, Lives::Any))
}

/// Leaves out what has expired, without joining what is left.
pub(crate) fn keep_living(pieces: Vec<Piece>) -> Vec<Piece> {
    if pieces.iter().all(|piece| piece.is_stable) {
        return pieces;
    }
    let living = living(&pieces);
    let mut pieces: Vec<Piece> =
        pieces.into_iter().zip(living).filter_map(|(piece, lives)| lives.then_some(piece)).collect();
    mark_what_will_go(&mut pieces);
    pieces
}

/// A pinned message never goes; a call goes with its results, and they with it.
fn mark_what_will_go(pieces: &mut [Piece]) {
    let calls = calls(pieces);
    let mut pairs = vec![Pair::default(); pieces.len()];
    for (piece, call) in pieces.iter().zip(&calls) {
        if let Some(pair) = call.and_then(|call| pairs.get_mut(call)) {
            pair.add(piece, piece.ttl.is_some());
        }
    }
    for (piece, call) in pieces.iter_mut().zip(&calls) {
        let by_itself = piece.pinned || piece.ttl.is_none();
        piece.is_stable = call.and_then(|call| pairs.get(call)).map_or(by_itself, |pair| pair.stays());
    }
}

/// Says of each message whether it stays.
fn living(pieces: &[Piece]) -> Vec<bool> {
    // From the end: how many of the assistant's messages that stay come later?
    let mut turns: i64 = 0;
    let mut pair = Pair::default();
    let mut living = Vec::with_capacity(pieces.len());
    for piece in pieces.iter().rev() {
        let has_expired = piece.ttl.is_some_and(|ttl| turns > ttl);
        let mut lives = piece.pinned || !has_expired;
        match piece.kind {
            Kind::Result => pair.add(piece, has_expired),
            Kind::System => {}
            Kind::Assistant => {
                pair.add(piece, has_expired);
                lives = std::mem::take(&mut pair).stays();
                turns = turns.saturating_add(i64::from(lives));
            }
            Kind::User | Kind::Other => pair = Pair::default(),
        }
        living.push(lives);
    }
    living.reverse();
    // Results follow the decision on what they answer, which stands before them.
    let mut answered = None;
    for (piece, lives) in pieces.iter().zip(&mut living) {
        match (piece.kind, answered) {
            (Kind::System, _) => {}
            (Kind::Result, Some((Kind::Assistant, call_lives))) => *lives = call_lives,
            (Kind::Result, Some((_, anchor_lives))) => *lives = *lives && (anchor_lives || piece.pinned),
            (Kind::Result, None) => {}
            (kind, _) => answered = Some((kind, *lives)),
        }
    }
    living
}

/// What is known of a call and its results.
#[derive(Clone, Copy, Default)]
struct Pair {
    has_pinned: bool,
    /// Or, of what is to come: that it will.
    has_expired: bool,
}

impl Pair {
    fn add(&mut self, piece: &Piece, has_expired: bool) {
        self.has_pinned |= piece.pinned;
        self.has_expired |= has_expired;
    }

    const fn stays(self) -> bool {
        self.has_pinned || !self.has_expired
    }
}

/// The place of the last message before the first ephemeral one; `None` when there is no ephemeral message,
/// or none before it.
///
/// All up to there stays the same from turn to turn while ephemeral messages expire behind it, so this is
/// where a mark for the provider's cache goes. Takes pruned messages; what [`prepare`](crate::prepare) gives
/// has its own, which also knows of joined messages of which only a part will expire.
///
/// ```
/// use convlog_context::cache_boundary;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let messages = [say(Role::System, "Be brief."), say(Role::User, "Hm.").with_ephemeral_ttl(Some(2))];
/// assert_eq!(cache_boundary(&messages), Some(0));
/// ```
#[must_use]
pub fn cache_boundary(messages: &[Message]) -> Option<usize> {
    boundary(messages.iter().map(|message| message.ephemeral_ttl().is_none()))
}

/// The place before the first that is not stable.
pub(crate) fn boundary(mut are_stable: impl Iterator<Item = bool>) -> Option<usize> {
    are_stable.position(|is_stable| !is_stable)?.checked_sub(1)
}
