//! A text from the first fence on that gptme leaves open: [`Tail`].

use super::line::{FenceLine, Found};
use super::run::{Outcome, Run};
use super::text::Text;

/// How many more fences gptme's rules may leave open before they are not asked any more.
///
/// Each costs a look at the whole rest of the text. What asking gains is rare; that the cost stays linear is
/// not negotiable.
const PATIENCE: u8 = 16;

/// The scan of the rest: CommonMark's blocks, but each as gptme sees it where gptme, given the text from there
/// on, closes it.
#[derive(Clone, Debug)]
pub(super) struct Tail {
    at: Option<usize>,
    /// A fence that gptme is known to leave open.
    left_open: Option<usize>,
    patience: u8,
    open: Option<Found>,
}

impl Tail {
    pub(super) fn new(from: Option<usize>, left_open: Option<usize>) -> Self {
        Self { at: from, left_open, patience: PATIENCE, open: None }
    }

    /// The next block.
    pub(super) fn step(&mut self, text: Text<'_>) -> Option<Found> {
        while let Some(fence) = self.at.and_then(|at| text.fence_from(at).ok()) {
            if fence.opens() {
                return self.by_gptme(text, fence).or_else(|| self.by_commonmark(text, fence));
            }
            self.at = fence.line.next;
        }
        self.at = None;
        None
    }

    /// The block that is left open at the end.
    pub(super) fn open(&self) -> Option<&Found> {
        self.open.as_ref()
    }

    fn by_gptme(&mut self, text: Text<'_>, fence: FenceLine<'_>) -> Option<Found> {
        if !fence.is_gptmes() || self.patience == 0 || self.left_open == Some(fence.line.start) {
            return None;
        }
        let mut run = Run::open(text, fence);
        if let Outcome::Closed { found, next } = run.advance(text) {
            self.at = next;
            return Some(found);
        }
        self.patience = self.patience.saturating_sub(1);
        None
    }

    fn by_commonmark(&mut self, text: Text<'_>, opener: FenceLine<'_>) -> Option<Found> {
        let found = opener.opener();
        self.at = opener.line.next;
        while let Some(fence) = self.at.and_then(|at| text.fence_from(at).ok()) {
            self.at = fence.line.next;
            if fence.closes(&found) {
                return Some(found.up_to(fence.line.start));
            }
        }
        self.at = None;
        self.open = Some(found);
        None
    }
}
