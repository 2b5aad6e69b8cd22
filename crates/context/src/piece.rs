//! A message on its way through the steps: [`Piece`].

use convlog_message::Message;

use crate::TokenCounter;

/// A message, and what the steps know of it beyond its fields.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) message: Message,
    /// Whether no part of it will expire; a message joined of a lasting and an ephemeral one is lasting as a
    /// whole and yet will change.
    pub(crate) is_stable: bool,
    /// The tokens of its text, once they are counted.
    pub(crate) tokens: Option<usize>,
}

impl Piece {
    pub(crate) fn new(message: Message) -> Self {
        Self { is_stable: message.ephemeral_ttl().is_none(), message, tokens: None }
    }

    /// The tokens of its text, counted at the first call only.
    pub(crate) fn tokens<C: TokenCounter + ?Sized>(&mut self, counter: &C) -> usize {
        *self.tokens.get_or_insert_with(|| counter.count(self.message.content()))
    }
}

/// The tokens of all.
pub(crate) fn total<C: TokenCounter + ?Sized>(pieces: &mut [Piece], counter: &C) -> usize {
    pieces.iter_mut().map(|piece| piece.tokens(counter)).fold(0, usize::saturating_add)
}
