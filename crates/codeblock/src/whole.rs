//! The blocks of a whole text: [`codeblocks`], [`Codeblocks`].

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use crate::codeblock::Codeblock;
use crate::scan::newlines::normalised;
use crate::scan::{Engine, LineCounter, Next, Text, thinking};

static THINK: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("think"));

/// Finds the code blocks in a text of Markdown, in the order of their opening fences.
///
/// They are those of gptme where it finds any, and CommonMark's elsewhere: see the [crate](crate) for the
/// rules. A block that is not closed is not among them; see [`Codeblocks::into_open_block`].
///
/// Time and memory are linear in the text, whatever it is.
///
/// ```
/// use convlog_codeblock::codeblocks;
///
/// let text = "Look:\n\n```save a.md\n# Title\n```py\nx\n```\n```\n\n~~~sh\nls\n~~~\n";
/// let blocks: Vec<_> = codeblocks(text).collect();
/// assert_eq!(blocks[0].path(), Some("save a.md"));
/// assert_eq!(blocks[0].content(), "# Title\n```py\nx\n```");
/// assert_eq!(blocks[0].start(), Some(2));
/// assert_eq!(blocks[1].lang(), "sh");
/// ```
#[must_use]
pub fn codeblocks(text: &str) -> Codeblocks<'_> {
    let tildes = Text::has_tildes(text);
    let any = tildes || Text::has_backticks(text);
    let visible = match text {
        _ if !any => None,
        text if THINK.find(text.as_bytes()).is_some() => thinking::visible(text),
        text => Some(text),
    };
    let text = normalised(visible.unwrap_or_default());
    Codeblocks { text, tildes, engine: Engine::default(), lines: LineCounter::default() }
}

/// The code blocks of a text; made by [`codeblocks`].
#[derive(Clone, Debug)]
pub struct Codeblocks<'a> {
    text: Cow<'a, str>,
    tildes: bool,
    engine: Engine,
    lines: LineCounter,
}

impl Codeblocks<'_> {
    /// The block that is open at the end of the text, with all that follows its opening fence.
    ///
    /// It is for showing; to execute or save it would be to trust half of something.
    ///
    /// ```
    /// use convlog_codeblock::codeblocks;
    ///
    /// let text = "```py\nprint(1)\n";
    /// assert_eq!(codeblocks(text).count(), 0);
    /// let open = codeblocks(text).into_open_block().unwrap();
    /// assert_eq!((open.lang(), open.content()), ("py", "print(1)"));
    /// ```
    #[must_use]
    pub fn into_open_block(mut self) -> Option<Codeblock> {
        let text = Text { text: &self.text, ended: true, tildes: self.tildes };
        while let Next::Block(_) = self.engine.next(text) {}
        let found = self.engine.open()?.clone();
        let line = self.lines.line_at(&self.text, found.start);
        Some(found.into_open_block(&self.text, line))
    }
}

impl Iterator for Codeblocks<'_> {
    type Item = Codeblock;

    fn next(&mut self) -> Option<Codeblock> {
        let text = Text { text: &self.text, ended: true, tildes: self.tildes };
        match self.engine.next(text) {
            Next::Block(found) => {
                let line = self.lines.line_at(&self.text, found.start);
                Some(found.into_block(&self.text, line))
            }
            Next::Wait | Next::End => None,
        }
    }
}
