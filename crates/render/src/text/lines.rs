//! A content as lines of styled spans: [`Lines`].

use std::io::{self, Write};

use anstyle::Style;
use convlog_codeblock::{Piece, pieces};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::style::{faint, of_kind, paint};
use super::{Colors, wrap};
use crate::highlight::{Kind, highlight};

/// A line: spans of one style each.
#[derive(Debug)]
pub(super) struct Line {
    spans: Vec<(Style, String)>,
    /// Code is broken at the edge, not between words.
    is_code: bool,
}

/// The lines of a content.
#[derive(Debug)]
pub(super) struct Lines(Vec<Line>);

impl Lines {
    /// Thinking is faint, code highlighted, the rest plain. Without colours, nothing is looked for.
    pub(super) fn of(content: &str, colors: Colors) -> Self {
        let mut lines = Self(vec![Line { spans: Vec::new(), is_code: false }]);
        for piece in pieces(content) {
            match piece {
                Piece::Thinking(text) => lines.push(faint(), text),
                Piece::Code(code) => {
                    lines.push(faint(), code.opening);
                    lines.set_code(true);
                    let tokens = match colors {
                        Colors::Ansi => highlight(code.block.lang(), code.content),
                        Colors::Plain => vec![(Kind::Plain, code.content)],
                    };
                    tokens.into_iter().for_each(|(kind, text)| lines.push(of_kind(kind), text));
                    lines.set_code(false);
                    lines.push(faint(), code.closing);
                }
                Piece::Text(text) => lines.push(Style::new(), text),
                _ => {}
            }
        }
        lines
    }

    pub(super) fn into_inner(self) -> Vec<Line> {
        self.0
    }

    fn push(&mut self, style: Style, text: &str) {
        let is_code = self.0.last().is_some_and(|line| line.is_code);
        for (number, part) in text.split('\n').enumerate() {
            if number > 0 {
                self.0.push(Line { spans: Vec::new(), is_code });
            }
            if let Some(line) = self.0.last_mut().filter(|_| !part.is_empty()) {
                line.spans.push((style, part.to_owned()));
            }
        }
    }

    fn set_code(&mut self, is_code: bool) {
        self.0.last_mut().into_iter().for_each(|line| line.is_code = is_code);
    }
}

impl Line {
    /// Set in by two, with a newline.
    pub(super) fn write(&self, out: &mut impl Write, colors: Colors) -> io::Result<()> {
        let indent = if self.spans.is_empty() { "" } else { "  " };
        out.write_all(indent.as_bytes())?;
        for (style, text) in &self.spans {
            write!(out, "{}", paint(colors, *style, text))?;
        }
        writeln!(out)
    }

    /// The lines that fit so many columns.
    pub(super) fn wrapped(self, columns: usize) -> Vec<Self> {
        let width: usize = self.spans.iter().map(|(_, text)| text.width()).sum();
        if width <= columns {
            return vec![self];
        }
        match &*self.spans {
            [(style, text)] if !self.is_code => {
                let line = |text| Self { spans: vec![(*style, text)], is_code: false };
                wrap(text, Some(columns)).into_iter().map(line).collect()
            }
            _ => self.broken(columns),
        }
    }

    /// Broken wherever the columns end.
    fn broken(self, columns: usize) -> Vec<Self> {
        let empty = || Self { spans: Vec::new(), is_code: self.is_code };
        let (mut lines, mut line, mut room) = (Vec::new(), empty(), columns);
        for (style, text) in self.spans {
            let mut span = String::new();
            for character in text.chars() {
                let width = character.width().unwrap_or(0);
                if width > room {
                    line.spans.push((style, std::mem::take(&mut span)));
                    lines.push(std::mem::replace(&mut line, empty()));
                    room = columns;
                }
                room = room.saturating_sub(width);
                span.push(character);
            }
            line.spans.push((style, span));
        }
        lines.push(line);
        lines
    }
}
