//! A text by gptme's rules, and between gptme's blocks by CommonMark's: [`Gaps`].

use super::line::{FenceLine, Found};
use super::run::{Outcome, Run};
use super::text::Text;

/// The scan of a text up to the first fence that gptme leaves open.
///
/// Blocks by CommonMark alone (of tildes, or indented) count where gptme finds none in the same lines.
#[derive(Clone, Debug)]
pub(super) struct Gaps {
    /// The line to look at next; `None` at the end.
    at: Option<usize>,
    /// A block that gptme does not see.
    unseen: Option<Unseen>,
    run: Option<Run>,
}

#[derive(Clone, Debug)]
struct Unseen {
    found: Found,
    /// Whether gptme found a block among its lines: it counts no more, and lasts only up to its end.
    void: bool,
}

/// What a scan came to.
pub(super) enum Step {
    Block(Found),
    /// More text is needed.
    Wait,
    /// The text ends.
    End {
        /// The first fence that no block is made of yet.
        from: Option<usize>,
        /// The fence that gptme leaves open.
        left_open: Option<usize>,
    },
}

impl Default for Gaps {
    fn default() -> Self {
        Self { at: Some(0), unseen: None, run: None }
    }
}

impl Gaps {
    pub(super) fn step(&mut self, text: Text<'_>) -> Step {
        loop {
            if let Some(run) = &mut self.run {
                match run.advance(text) {
                    Outcome::Wait => return Step::Wait,
                    Outcome::Open => return self.end(),
                    Outcome::Closed { found, next } => {
                        self.pass_over(text, found.start, next);
                        (self.run, self.at) = (None, next);
                        return Step::Block(found);
                    }
                }
            }
            let Some(at) = self.at else { return self.end() };
            let fence = match text.fence_from(at) {
                Ok(fence) => fence,
                Err(_) if text.ended => return self.end(),
                Err(later) => {
                    self.at = Some(later);
                    return Step::Wait;
                }
            };
            if fence.is_gptmes() {
                self.run = Some(Run::open(text, fence));
            } else if let Some(found) = self.unseen_fence(fence) {
                return Step::Block(found);
            }
        }
    }

    /// Takes a fence that gptme does not see; the block, when it closes one.
    fn unseen_fence(&mut self, fence: FenceLine<'_>) -> Option<Found> {
        self.at = fence.line.next;
        match self.unseen.take() {
            Some(unseen) if fence.closes(&unseen.found) => {
                (!unseen.void).then(|| unseen.found.up_to(fence.line.start))
            }
            None if fence.opens() => {
                self.unseen = Some(Unseen { found: fence.opener(), void: false });
                None
            }
            unseen => {
                self.unseen = unseen;
                None
            }
        }
    }

    /// Makes a block that gptme does not see give way to one of gptme's, which reaches from `start` to `end`.
    fn pass_over(&mut self, text: Text<'_>, start: usize, end: Option<usize>) {
        let Some(unseen) = &mut self.unseen else { return };
        unseen.void = true;
        let mut at = Some(start);
        while let Some(fence) = at.and_then(|at| text.fence_from(at).ok()) {
            if end.is_some_and(|end| fence.line.start >= end) {
                return;
            }
            if fence.closes(&unseen.found) {
                self.unseen = None;
                return;
            }
            at = fence.line.next;
        }
    }

    fn end(&self) -> Step {
        let left_open = self.run.as_ref().map(Run::start);
        let unseen = self.unseen.as_ref().filter(|unseen| !unseen.void).map(|unseen| unseen.found.start);
        Step::End { from: unseen.or(left_open), left_open }
    }

    /// The block that is open by what is known.
    pub(super) fn open(&self) -> Option<&Found> {
        let unseen = self.unseen.as_ref().filter(|unseen| !unseen.void).map(|unseen| &unseen.found);
        unseen.or(self.run.as_ref().map(Run::opener))
    }

    /// How much of the text is done with.
    pub(super) fn done(&self) -> usize {
        if self.run.is_some() || self.unseen.is_some() { 0 } else { self.at.unwrap_or(0) }
    }

    /// Goes on in a text from which so many bytes, at the most [`done`](Self::done), were taken at the start.
    pub(super) fn rebase(&mut self, taken: usize) {
        self.at = self.at.map(|at| at.saturating_sub(taken));
    }
}
