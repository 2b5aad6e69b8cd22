//! The whole scan: [`Engine`].

use super::gaps::{Gaps, Step};
use super::line::Found;
use super::tail::Tail;
use super::text::Text;

/// Finds the blocks of a text one after the other, in the order of their first lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Engine {
    gaps: Gaps,
    /// From the end of the text on.
    tail: Option<Tail>,
}

/// What comes next.
pub(crate) enum Next {
    /// A block, which no further text can change.
    Block(Found),
    /// More text is needed.
    Wait,
    /// There is no further block.
    End,
}

impl Engine {
    /// Goes on in a text that begins as at the last call.
    pub(crate) fn next(&mut self, text: Text<'_>) -> Next {
        let tail = match &mut self.tail {
            Some(tail) => tail,
            None => match self.gaps.step(text) {
                Step::Block(found) => return Next::Block(found),
                Step::Wait => return Next::Wait,
                Step::End { from, left_open } => self.tail.insert(Tail::new(from, left_open)),
            },
        };
        tail.step(text).map_or(Next::End, Next::Block)
    }

    /// The block that is open: at the end of the text for good, before that by what is known.
    pub(crate) fn open(&self) -> Option<&Found> {
        match &self.tail {
            Some(tail) => tail.open(),
            None => self.gaps.open(),
        }
    }

    /// How many bytes at the start of the text are needed no more.
    pub(crate) fn done(&self) -> usize {
        self.gaps.done()
    }

    /// Goes on in a text from which so many bytes, at the most [`done`](Self::done), were taken at the start.
    pub(crate) fn rebase(&mut self, taken: usize) {
        self.gaps.rebase(taken);
    }
}
