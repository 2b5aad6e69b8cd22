//! A text that may still grow, read line by line: [`Text`].

use std::sync::LazyLock;

use memchr::memmem::Finder;
use memchr::{memchr, memrchr};

use super::line::{FenceLine, Line};

static BACKTICKS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("```"));
static TILDES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("~~~"));

/// A text with `\n` alone as line end, or the beginning of one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    pub(crate) text: &'a str,
    /// Whether nothing follows. Before that the last line counts only once its newline is there.
    pub(crate) ended: bool,
    /// Whether three tildes stand anywhere in it.
    pub(crate) tildes: bool,
}

impl<'a> Text<'a> {
    pub(crate) fn has_backticks(text: &str) -> bool {
        BACKTICKS.find(text.as_bytes()).is_some()
    }

    pub(crate) fn has_tildes(text: &str) -> bool {
        TILDES.find(text.as_bytes()).is_some()
    }

    /// The line that starts at `at`; `None` while it is not complete.
    pub(super) fn line(self, at: usize) -> Option<Line<'a>> {
        let rest = self.text.get(at..)?;
        let newline = memchr(b'\n', rest.as_bytes());
        #[cfg(test)]
        super::steps::add(newline.unwrap_or(rest.len()));
        match newline {
            Some(length) => {
                let next = at.saturating_add(length).saturating_add(1);
                Some(Line { start: at, text: rest.get(..length)?, next: Some(next) })
            }
            None => self.ended.then_some(Line { start: at, text: rest, next: None }),
        }
    }

    /// The first line at or after the line at `at` that begins with a fence, or else where to look again when
    /// more has come.
    pub(super) fn fence_from(self, at: usize) -> Result<FenceLine<'a>, usize> {
        self.seek(at, self.tildes)
    }

    /// The same for fences that gptme knows.
    pub(super) fn gptme_fence_from(self, mut at: usize) -> Result<FenceLine<'a>, usize> {
        loop {
            let fence = self.seek(at, false)?;
            if fence.is_gptmes() {
                return Ok(fence);
            }
            at = fence.line.next.ok_or(self.text.len())?;
        }
    }

    fn seek(self, mut at: usize, tildes: bool) -> Result<FenceLine<'a>, usize> {
        loop {
            if !tildes {
                at = self.line_with_backticks(at)?;
            }
            let line = self.line(at).ok_or(at)?;
            if let Some(fence) = line.fence() {
                return Ok(fence);
            }
            at = line.next.ok_or(self.text.len())?;
        }
    }

    /// Where the first line at or after the line at `at` starts that holds three backticks in a row.
    fn line_with_backticks(self, at: usize) -> Result<usize, usize> {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        let hit = BACKTICKS.find(rest);
        #[cfg(test)]
        super::steps::add(hit.unwrap_or(rest.len()));
        let before = rest.get(..hit.unwrap_or(rest.len())).unwrap_or_default();
        let start = memrchr(b'\n', before).map_or(at, |newline| at.saturating_add(newline).saturating_add(1));
        if hit.is_some() { Ok(start) } else { Err(start) }
    }
}
