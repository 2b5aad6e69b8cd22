//! The blocks of a text that is still being written: [`CodeblockStream`].

use memchr::memchr;

use crate::codeblock::Codeblock;
use crate::scan::newlines::Newlines;
use crate::scan::thinking::{Thinking, Visible};
use crate::scan::{Engine, LineCounter, Next, Text};

/// Finds the code blocks of a text that comes in pieces.
///
/// 1. **A block once given stays.** It never changes and never disappears, whatever comes. What is given
///    depends on the text alone, not on where it is cut into pieces.
/// 2. **A block is given as soon as it is sure:** when its closing line, and the lines behind it that decide
///    (a blank one, often; 200 at the most), are complete, and [`codeblocks`](crate::codeblocks) finds it
///    whatever follows, thinking tags excepted. What takes the end of the text to decide comes with
///    [`finish`](Self::finish): so does a block with text straight after its closing fence, and everything
///    behind it, unless gptme's rules close it after all.
/// 3. **At the end nothing is missing.** After `finish`, the blocks given are those of `codeblocks` for the
///    whole text, in its order. Only before a thinking section that comes *after* a block (which makes
///    `codeblocks`, as gptme, forget what came before) there are more: then the blocks of `codeblocks` are the
///    last ones of those given.
///
/// While thinking is open nothing is given.
///
/// The cost is linear in the text, however small the pieces. Text that is done with is dropped.
///
/// ```
/// use convlog_codeblock::CodeblockStream;
///
/// let mut stream = CodeblockStream::new();
/// assert!(stream.feed("```sh\necho hi\n``").is_empty());
/// assert_eq!(stream.open_block().unwrap().content(), "echo hi\n``");
/// let blocks = stream.feed("`\n");
/// assert_eq!(blocks[0].content(), "echo hi");
/// assert!(stream.finish().blocks.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct CodeblockStream {
    /// The visible text that is not done with.
    text: String,
    /// Whether a line of it was completed since it was last looked at.
    grown: bool,
    tildes: bool,
    newlines: Newlines,
    thinking: Thinking,
    /// Whether thinking is open.
    hidden: bool,
    /// Where the visible text begins, once thinking has ended.
    begin: Option<usize>,
    engine: Engine,
    lines: LineCounter,
}

/// What is left when the text ends; see [`CodeblockStream::finish`].
#[derive(Clone, Debug, Default)]
pub struct StreamEnd {
    /// The blocks that had not been given.
    pub blocks: Vec<Codeblock>,
    /// The block that is left open, as [`Codeblocks::into_open_block`](crate::Codeblocks::into_open_block)
    /// gives it.
    pub open: Option<Codeblock>,
}

impl CodeblockStream {
    /// A stream to which nothing has been fed.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes a piece of the text, and returns the blocks that are sure now.
    pub fn feed(&mut self, piece: &str) -> Vec<Codeblock> {
        let mut blocks = Vec::new();
        let mut rest = piece;
        loop {
            let tag = self.thinking.next_tag(rest);
            // What comes before a tag is judged without it, as it would be if a piece ended there.
            let (before, after) = rest.split_at_checked(tag.unwrap_or(rest.len())).unwrap_or_default();
            self.push(before);
            self.advance(&mut blocks);
            if tag.is_none() {
                return blocks;
            }
            self.obey_tag();
            rest = after;
        }
    }

    /// Ends the text.
    #[must_use]
    pub fn finish(mut self) -> StreamEnd {
        let mut end = StreamEnd::default();
        if !self.hidden {
            self.give(true, &mut end.blocks);
            end.open = self.open_block();
        }
        end
    }

    /// The block that is open by what has come so far, with all that follows its opening fence; for showing.
    ///
    /// Its content may be too long: what closes it may be there and not be sure yet.
    #[must_use]
    pub fn open_block(&self) -> Option<Codeblock> {
        let found = self.engine.open().filter(|_| !self.hidden)?.clone();
        let line = self.lines.clone().line_at(&self.text, found.start);
        Some(found.into_open_block(&self.text, line))
    }

    fn push(&mut self, piece: &str) {
        let before = self.text.len();
        self.newlines.push(piece, &mut self.text);
        let new = self.text.get(before..).unwrap_or_default();
        self.grown |= memchr(b'\n', new.as_bytes()).is_some();
        // Three tildes may have begun in what was there.
        let tail = self.text.as_bytes().get(before.saturating_sub(2)..).unwrap_or_default();
        self.tildes = self.tildes || tail.windows(3).any(|three| three == b"~~~");
    }

    /// Takes in the tag that came last.
    fn obey_tag(&mut self) {
        let visible = self.thinking.visible();
        self.hidden = visible == Visible::Nothing;
        if let Visible::From(position) = visible
            && self.begin != Some(position)
        {
            self.begin = Some(position);
            self.text.clear();
            (self.grown, self.tildes) = (false, false);
            (self.engine, self.lines) = (Engine::default(), LineCounter::default());
        }
    }

    /// Gives what is sure by now.
    fn advance(&mut self, blocks: &mut Vec<Codeblock>) {
        if self.grown && !self.hidden {
            self.grown = false;
            self.give(false, blocks);
            self.drop_done();
        }
    }

    fn give(&mut self, ended: bool, blocks: &mut Vec<Codeblock>) {
        let text = Text { text: &self.text, ended, tildes: self.tildes };
        while let Next::Block(found) = self.engine.next(text) {
            let line = self.lines.line_at(&self.text, found.start);
            blocks.push(found.into_block(&self.text, line));
        }
    }

    /// Drops text that is done with, once that is at least half of it: so each byte is moved but once or so.
    fn drop_done(&mut self) {
        let done = self.engine.done();
        if done.saturating_mul(2) >= self.text.len() && self.text.is_char_boundary(done) {
            self.lines.line_at(&self.text, done);
            self.lines.rebase(done);
            self.engine.rebase(done);
            self.text.drain(..done);
        }
    }
}
