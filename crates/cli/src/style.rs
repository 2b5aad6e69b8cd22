//! Colours, and nothing but colours: what carries them off a terminal is taken away on the way out.

use std::fmt::{self, Display};

use anstyle::{AnsiColor, Style};
use convlog_message::Role;
use convlog_render::Colors;

/// A text in a style.
pub(crate) struct Styled<T>(Style, T);

impl<T: Display> Display for Styled<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.0.render(), self.1, self.0.render_reset())
    }
}

pub(crate) fn problem<T: Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Red.on_default().bold(), text)
}

pub(crate) fn warning<T: Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Yellow.on_default().bold(), text)
}

pub(crate) fn good<T: Display>(text: T) -> Styled<T> {
    Styled(AnsiColor::Green.on_default(), text)
}

pub(crate) fn faint<T: Display>(text: T) -> Styled<T> {
    Styled(Style::new().dimmed(), text)
}

/// Each role has its colour.
pub(crate) fn role<T: Display>(role: &Role, text: T) -> Styled<T> {
    Styled(convlog_render::role_style(role), text)
}

/// Whether standard output takes colours.
pub(crate) fn colors() -> Colors {
    match anstream::AutoStream::choice(&std::io::stdout()) {
        anstream::ColorChoice::Never => Colors::Plain,
        _ => Colors::Ansi,
    }
}
