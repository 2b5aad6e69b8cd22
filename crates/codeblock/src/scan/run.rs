//! One block by gptme's rules, from its opening fence on: [`Run`].

use std::ops::Range;

use super::line::{FenceLine, Found, Line};
use super::lookahead::{HereEnd, nests};
use super::python::{is_space, strip};
use super::text::Text;
use super::{ipython, shell};

const SHELLS: [&str; 9] = ["shell", "sh", "bash", "zsh", "fish", "ksh", "nu", "ps1", "powershell"];

/// What the language tells about fences inside.
#[derive(Clone, Debug)]
enum Lang {
    /// Nothing.
    Other,
    Shell(Shell),
    Ipython(ipython::Quote),
}

#[derive(Clone, Debug, Default)]
struct Shell {
    quote: shell::Quote,
    /// The word that ends the here-document which is open.
    here: Option<Range<usize>>,
    /// A here-document that may begin on the line that comes next.
    pending: Option<HereEnd>,
}

/// A block that gptme has opened, and how far it has been followed.
#[derive(Clone, Debug)]
pub(super) struct Run {
    found: Found,
    /// Where the line of its fence starts, with what gptme takes off it.
    start: usize,
    /// The line to look at next; `None` when there is none.
    at: Option<usize>,
    /// 1 in the block itself, more in blocks nested in it.
    depth: usize,
    lang: Lang,
}

/// How a run stands.
pub(super) enum Outcome {
    /// It is closed. What comes next starts at `next`, in the same line when two fences stood side by side.
    Closed { found: Found, next: Option<usize> },
    /// More text is needed.
    Wait,
    /// The text ends, and it is open.
    Open,
}

/// What a fence of the block's own length means in it.
enum Meaning {
    Close,
    Nest,
    Content,
}

impl Run {
    /// The run that begins with the line of `fence`.
    pub(super) fn open(text: Text<'_>, fence: FenceLine<'_>) -> Self {
        let torn = fence.run == 6 && fence.info().chars().next().is_some_and(|c| !is_space(c));
        // The first three of six backticks close a block that is not there.
        let second = fence.line.text.get(3..).filter(|_| torn);
        let line = second.map(|text| Line { start: fence.line.start.saturating_add(3), text, ..fence.line });
        let found = line.and_then(Line::fence).unwrap_or(fence).opener();
        let lang = match found.lang(text.text) {
            "ipython" => Lang::Ipython(ipython::Quote::None),
            lang if SHELLS.contains(&lang) => Lang::Shell(Shell::default()),
            _ => Lang::Other,
        };
        Self { found, start: fence.line.start, at: fence.line.next, depth: 1, lang }
    }

    pub(super) fn opener(&self) -> &Found {
        &self.found
    }

    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Follows the block as far as the text goes.
    pub(super) fn advance(&mut self, text: Text<'_>) -> Outcome {
        while let Some(at) = self.at {
            let line = match self.lang {
                Lang::Other => match text.gptme_fence_from(at) {
                    Ok(fence) => Some(fence.line),
                    Err(_) if text.ended => break,
                    Err(later) => {
                        self.at = Some(later);
                        None
                    }
                },
                _ => text.line(at),
            };
            let Some(line) = line else { return Outcome::Wait };
            let fence = line.fence().filter(|fence| fence.is_gptmes());
            if let Some(next) = fence.and_then(|fence| self.glued(fence)) {
                return Outcome::Closed { found: self.found.clone().up_to(line.start), next: Some(next) };
            }
            let Some(lang) = self.lang.after(text, line) else { return Outcome::Wait };
            if let Some(fence) = fence {
                match self.meaning(text, fence, &lang) {
                    None => return Outcome::Wait,
                    Some(Meaning::Close) if self.depth == 1 => {
                        return Outcome::Closed { found: self.found.clone().up_to(line.start), next: line.next };
                    }
                    Some(Meaning::Close) => self.depth = self.depth.saturating_sub(1),
                    Some(Meaning::Nest) => self.depth = self.depth.saturating_add(1),
                    Some(Meaning::Content) => {}
                }
            }
            self.lang = lang;
            self.at = line.next;
        }
        Outcome::Open
    }

    /// Where the next fence, or a thinking tag, begins that is glued to a fence which closes this block.
    fn glued(&self, fence: FenceLine<'_>) -> Option<usize> {
        let rest = fence.run.checked_sub(self.found.fence_length()).filter(|_| self.depth == 1)?;
        let glued = match rest {
            0 => fence.info().starts_with("<think>") || fence.info().starts_with("<thinking>"),
            3 => fence.info().chars().next().is_some_and(|c| !is_space(c)),
            _ => rest > 3,
        };
        glued.then(|| fence.line.start.saturating_add(self.found.fence_length()))
    }

    fn meaning(&self, text: Text<'_>, fence: FenceLine<'_>, lang: &Lang) -> Option<Meaning> {
        if fence.is_bare() && (self.depth > 1 || fence.run == self.found.fence_length()) {
            return if lang.is_quoted() {
                Some(Meaning::Content)
            } else if self.depth > 1 || lang.always_closes() {
                Some(Meaning::Close)
            } else {
                bare_fence(text, fence)
            };
        }
        let nests = fence.has_lang() && !matches!(lang, Lang::Ipython(quote) if quote.is_triple());
        Some(if nests { Meaning::Nest } else { Meaning::Content })
    }
}

/// What a bare fence means where the language does not tell: it closes before a blank line, another fence or
/// the end; before text it nests, or is content.
fn bare_fence(text: Text<'_>, fence: FenceLine<'_>) -> Option<Meaning> {
    let Some(at) = fence.line.next else { return Some(Meaning::Close) };
    let next = text.line(at)?;
    if next.is_blank() || next.text.starts_with("```") {
        return Some(Meaning::Close);
    }
    Some(if nests(text, at)? { Meaning::Nest } else { Meaning::Content })
}

impl Lang {
    /// The state after `line`; `None` while that depends on lines that are not there.
    fn after(&mut self, text: Text<'_>, line: Line<'_>) -> Option<Self> {
        match self {
            Self::Other => Some(Self::Other),
            Self::Ipython(quote) => Some(Self::Ipython(ipython::scan(line.text, *quote))),
            Self::Shell(shell) => shell.after(text, line).map(Self::Shell),
        }
    }

    /// Whether a fence in this place is a part of a string.
    fn is_quoted(&self) -> bool {
        match self {
            Self::Other => false,
            Self::Shell(shell) => shell.quote != shell::Quote::None,
            Self::Ipython(quote) => quote.is_triple(),
        }
    }

    /// Whether a bare fence can only be the end: no code in this language has one.
    fn always_closes(&self) -> bool {
        match self {
            Self::Other => false,
            Self::Shell(shell) => shell.here.is_none(),
            Self::Ipython(_) => true,
        }
    }
}

impl Shell {
    fn after(&mut self, text: Text<'_>, line: Line<'_>) -> Option<Self> {
        if let Some(word) = &self.here {
            let ends = text.text.get(word.clone()) == Some(strip(line.text));
            return Some(if ends { Self::default() } else { self.clone() });
        }
        if self.pending.is_none() {
            let (word, quote) = shell::scan(line.text, self.quote);
            let Some(word) = word else { return Some(Self { quote, ..Self::default() }) };
            let start = |offset: usize| line.start.saturating_add(offset);
            self.pending = Some(HereEnd::new(start(word.start)..start(word.end), line.next));
        }
        let pending = self.pending.as_mut()?;
        let here = pending.exists(text)?.then(|| pending.word.clone());
        Some(Self { here, ..Self::default() })
    }
}
