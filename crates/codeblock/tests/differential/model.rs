//! What convlog should find, worked out slowly, with gptme itself for every question that gptme answers:
//! [`model`].

use crate::gptme::{Block, Gptme};

/// How many fences gptme may leave open, after the first, before it is not asked any more.
const PATIENCE: usize = 16;

/// The difference from gptme that explains a block. Each is a row in `docs/differences.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Why {
    /// None: gptme finds it.
    Gptme,
    /// Tildes, where gptme finds nothing.
    Tildes,
    /// A backtick fence behind one to three spaces.
    Indented,
    /// A closing fence with text on the line straight after it, or that gptme takes for another reason for
    /// content (quotes, say).
    TextAfter,
    /// A closing fence that is longer than the opening one.
    LongerFence,
    /// A closing fence behind one to three spaces.
    IndentedClose,
    /// An opening fence of six backticks and a word, which gptme takes for two of three.
    SixBackticks,
    /// Behind a fence that gptme leaves open: gptme finds it in the text from there on.
    RestByGptme,
}

/// A block with the reason for it.
pub(crate) type Expected = (Block, Why);

/// A fence line as CommonMark sees it.
struct Fence {
    indent: usize,
    mark: char,
    run: usize,
    info: String,
}

fn fence(line: &str) -> Option<Fence> {
    let marks = line.trim_start_matches(' ');
    let indent = line.len() - marks.len();
    let mark = marks.chars().next().filter(|c| "`~".contains(*c))?;
    let info = marks.trim_start_matches(mark);
    let run = marks.len() - info.len();
    (indent <= 3 && run >= 3).then(|| Fence { indent, mark, run, info: info.to_owned() })
}

impl Fence {
    fn opens(&self) -> bool {
        self.mark == '~' || !self.info.contains('`')
    }

    fn closes(&self, opener: &Self) -> bool {
        self.mark == opener.mark && self.run >= opener.run && self.info.trim_matches([' ', '\t']).is_empty()
    }
}

fn is_gptmes(line: &str) -> bool {
    line.starts_with("```")
}

fn strip(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || ('\x1c'..='\x1f').contains(&c))
}

/// The text that gptme looks at, after its own code, word for word.
pub(crate) fn visible(markdown: &str) -> Option<&str> {
    let at_line_start = |text: &str, tag: &str| {
        if text.starts_with(tag) { Some(0) } else { text.find(&format!("\n{tag}")) }
    };
    let mut glued_end = None;
    for end_tag in ["</thinking>", "</think>"] {
        if let Some(end) = markdown.find(end_tag) {
            let start_tag = end_tag.replace('/', "");
            let prefix = &markdown[..end];
            let end = end + end_tag.len();
            if at_line_start(prefix, &start_tag).is_some() || !prefix.contains(&start_tag) {
                return Some(&markdown[end..]);
            }
            glued_end = Some(end);
        }
    }
    for tag in ["<thinking>", "<think>"] {
        let after = &markdown[glued_end.unwrap_or(0)..];
        if let Some(start) = at_line_start(after, tag)
            && !(glued_end.is_some() && after[start..].contains(&tag.replace('<', "</")))
        {
            return None;
        }
    }
    Some(markdown)
}

/// The lines that a block of gptme's covers: where it closes, and where the scan goes on, in lines that are cut
/// where two fences are glued.
fn close_line(lines: &mut [String], block: &Block) -> (usize, usize) {
    let start = block.start.unwrap();
    let mut count = block.content.split('\n').count();
    if block.content.is_empty() && lines[start + 1].starts_with(&block.fence) {
        count = 0;
    }
    let close = start + 1 + count;
    if strip(&lines[close]) == block.fence {
        return (close, close + 1);
    }
    lines[close] = lines[close].strip_prefix(&block.fence).unwrap().to_owned();
    (close, close)
}

/// Hides the tags of a rest of a text, whose thinking has been dealt with, from gptme.
fn tagless(text: &str) -> String {
    let text = text.replace("</think", "</thimk").replace("<think", "<thimk");
    text.replace("`<thimk", "`<think")
}

struct Model<'a> {
    gptme: &'a mut Gptme,
    lines: Vec<String>,
    blocks: Vec<Expected>,
}

/// The blocks that convlog should find.
pub(crate) fn model(gptme: &mut Gptme, text: &str, by_gptme: Vec<Block>) -> Vec<Expected> {
    let Some(visible) = visible(text) else {
        assert!(by_gptme.is_empty());
        return Vec::new();
    };
    let lines = visible.replace("\r\n", "\n").replace('\r', "\n");
    let lines = lines.split('\n').map(str::to_owned).collect();
    let mut model = Model { gptme, lines, blocks: Vec::new() };
    let (from, left_open) = model.gaps(by_gptme);
    model.tail(from, left_open);
    model.blocks
}

impl Model<'_> {
    /// gptme's blocks, and CommonMark's between them; returns where the tail begins, and which fence gptme
    /// leaves open.
    fn gaps(&mut self, by_gptme: Vec<Block>) -> (Option<usize>, Option<usize>) {
        let mut unseen: Option<(usize, bool)> = None;
        let mut at = 0;
        let mut by_gptme = by_gptme.into_iter().peekable();
        while at < self.lines.len() {
            let opener = unseen.map(|(line, _)| fence(&self.lines[line]).unwrap());
            if let Some(block) = by_gptme.next_if(|block| block.start == Some(at)) {
                let before = self.lines.clone();
                let (close, next) = close_line(&mut self.lines, &block);
                unseen = unseen.map(|(line, _)| (line, true)).filter(|_| {
                    !(at..=close).any(|line| fence(&before[line]).is_some_and(|f| f.closes(opener.as_ref().unwrap())))
                });
                self.blocks.push((block, Why::Gptme));
                at = next;
                continue;
            }
            if is_gptmes(&self.lines[at]) {
                assert_eq!(by_gptme.next(), None, "gptme goes on behind a fence that it leaves open");
                let from = unseen.filter(|(_, void)| !void).map_or(at, |(line, _)| line);
                return (Some(from), Some(at));
            }
            if let Some(fence) = fence(&self.lines[at]) {
                match (unseen, opener) {
                    (Some((line, void)), Some(opener)) if fence.closes(&opener) => {
                        if !void {
                            self.push_commonmark(line, at, None);
                        }
                        unseen = None;
                    }
                    (None, _) if fence.opens() => unseen = Some((at, false)),
                    _ => {}
                }
            }
            at += 1;
        }
        assert_eq!(by_gptme.next(), None);
        (None, None)
    }

    fn tail(&mut self, from: Option<usize>, left_open: Option<usize>) {
        let Some(mut at) = from else { return };
        let mut patience = PATIENCE;
        while at < self.lines.len() {
            let Some(opener) = fence(&self.lines[at]).filter(Fence::opens) else {
                at += 1;
                continue;
            };
            if is_gptmes(&self.lines[at]) && Some(at) != left_open && patience > 0 {
                let rest = tagless(&self.lines[at..].join("\n"));
                let first = self.gptme.blocks(&rest).0.into_iter().next();
                if let Some(mut block) = first.filter(|block| block.start == Some(0)) {
                    block.start = Some(at);
                    block.content = block.content.replace("thimk", "think");
                    block.lang = block.lang.replace("thimk", "think");
                    block.path = block.path.map(|path| path.replace("thimk", "think"));
                    at = close_line(&mut self.lines, &block).1;
                    self.blocks.push((block, Why::RestByGptme));
                    continue;
                }
                patience -= 1;
            }
            let closes = |line: &usize| fence(&self.lines[*line]).is_some_and(|f| f.closes(&opener));
            let Some(close) = (at + 1..self.lines.len()).find(closes) else { return };
            self.push_commonmark(at, close, Some(&opener));
            at = close + 1;
        }
    }

    fn push_commonmark(&mut self, start: usize, close: usize, in_tail: Option<&Fence>) {
        let opener = fence(&self.lines[start]).unwrap();
        let closer = fence(&self.lines[close]).unwrap();
        let unindented = |line: &String| {
            let spaces = line.bytes().take(opener.indent).take_while(|b| *b == b' ').count();
            line[spaces..].to_owned()
        };
        let content: Vec<_> = self.lines[start + 1..close].iter().map(unindented).collect();
        let lang = strip(&opener.info).to_owned();
        let path = lang.contains(['.', '/']).then(|| lang.clone());
        let why = [
            (opener.mark == '~', Why::Tildes),
            (opener.indent > 0, Why::Indented),
            (opener.run == 6 && opener.info.chars().next().is_some_and(|c| !c.is_whitespace()), Why::SixBackticks),
            (in_tail.is_some() && closer.indent > 0, Why::IndentedClose),
            (in_tail.is_some() && closer.run > opener.run, Why::LongerFence),
            (in_tail.is_some(), Why::TextAfter),
        ];
        let why = why.into_iter().find(|(holds, _)| *holds).map(|(_, why)| why).expect("a class of difference");
        let fence = opener.mark.to_string().repeat(opener.run);
        let block = Block { lang, content: content.join("\n"), path, start: Some(start), fence };
        self.blocks.push((block, why));
    }
}
