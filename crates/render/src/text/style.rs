//! Colours: those of a terminal's own sixteen.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};
use convlog_message::Role;

use super::Colors;
use crate::highlight::Kind;

/// Each role has its colour.
#[must_use]
pub fn role_style(role: &Role) -> Style {
    let color = match role {
        Role::System => AnsiColor::Yellow,
        Role::User => AnsiColor::Green,
        Role::Assistant => AnsiColor::Cyan,
        Role::Other(_) => AnsiColor::Magenta,
    };
    color.on_default().bold()
}

pub(super) const fn faint() -> Style {
    Style::new().dimmed()
}

pub(super) fn of_kind(kind: Kind) -> Style {
    match kind {
        Kind::Plain => Style::new(),
        Kind::Comment => faint().italic(),
        Kind::Text | Kind::Inserted => AnsiColor::Green.on_default(),
        Kind::Number => AnsiColor::Magenta.on_default(),
        Kind::Keyword => AnsiColor::Blue.on_default().bold(),
        Kind::Name => AnsiColor::Cyan.on_default(),
        Kind::Deleted => AnsiColor::Red.on_default(),
    }
}

/// A text in a style.
pub(super) struct Painted<T>(Option<Style>, T);

pub(super) fn paint<T: Display>(colors: Colors, style: Style, text: T) -> Painted<T> {
    let is_shown = colors == Colors::Ansi && !style.is_plain();
    Painted(is_shown.then_some(style), text)
}

impl<T: Display> Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Some(style) => write!(f, "{}{}{}", style.render(), self.1, style.render_reset()),
            None => self.1.fmt(f),
        }
    }
}
