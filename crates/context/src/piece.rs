//! A message on its way through the steps: [`Piece`].

use convlog_message::{Message, Role};

use crate::TokenCounter;

/// A message, and what the steps look at most, side by side: going through a long log should not touch each
/// message again and again.
#[derive(Clone)]
pub(crate) struct Piece {
    pub(crate) message: Message,
    pub(crate) kind: Kind,
    pub(crate) pinned: bool,
    /// Whether no part of it will expire; a message joined of a lasting and an ephemeral one is lasting as a
    /// whole and yet will change.
    pub(crate) is_stable: bool,
    pub(crate) ttl: Option<i64>,
    /// The tokens of its text, once they are counted.
    pub(crate) tokens: Option<usize>,
}

/// What a message is in a turn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A system message that is no result.
    System,
    /// The result of a tool call that names its call.
    Result,
    User,
    Assistant,
    /// Of a role that gptme does not know.
    Other,
}

impl Kind {
    pub(crate) fn of(message: &Message) -> Self {
        match message.role() {
            Role::System if message.call_id().is_some() => Self::Result,
            Role::System => Self::System,
            Role::User => Self::User,
            Role::Assistant => Self::Assistant,
            Role::Other(_) => Self::Other,
        }
    }

    /// Whether the role is the system's.
    pub(crate) fn is_system(self) -> bool {
        matches!(self, Self::System | Self::Result)
    }
}

impl Piece {
    pub(crate) fn new(message: Message) -> Self {
        let ttl = message.ephemeral_ttl();
        Self {
            kind: Kind::of(&message),
            pinned: message.pinned(),
            is_stable: ttl.is_none(),
            ttl,
            tokens: None,
            message,
        }
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

/// How many system messages there are at the beginning.
pub(crate) fn leading(pieces: &[Piece]) -> usize {
    pieces.iter().take_while(|piece| piece.kind.is_system()).count()
}

pub(crate) fn to_pieces(messages: Vec<Message>) -> Vec<Piece> {
    messages.into_iter().map(Piece::new).collect()
}

pub(crate) fn to_messages(pieces: Vec<Piece>) -> Vec<Message> {
    pieces.into_iter().map(|piece| piece.message).collect()
}
