//! Which messages belong together: [`anchors`], [`calls`].

use crate::piece::{Kind, Piece};

/// For each message the place of the one that it answers: for a system message the nearest message before it
/// that is none. Tools answer the assistant right behind its message, so place says it, not the call id.
pub(crate) fn anchors(pieces: &[Piece]) -> Vec<Option<usize>> {
    let mut last = None;
    let anchor = |(at, piece): (usize, &Piece)| {
        if piece.kind.is_system() {
            return last;
        }
        last = Some(at);
        None
    };
    pieces.iter().enumerate().map(anchor).collect()
}

/// For each message the place of the assistant's message that it is, or whose tool call it is the result of.
pub(crate) fn calls(pieces: &[Piece]) -> Vec<Option<usize>> {
    let mut last = None;
    let call = |(at, piece): (usize, &Piece)| match piece.kind {
        Kind::Assistant => {
            last = Some(at);
            last
        }
        Kind::Result => last,
        Kind::System => None,
        Kind::User | Kind::Other => {
            last = None;
            None
        }
    };
    pieces.iter().enumerate().map(call).collect()
}
