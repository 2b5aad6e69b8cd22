//! Messages as text for a terminal: [`Text`].

mod chars;
mod lines;
mod marks;
mod signature;
mod status;
mod style;
mod time;
mod width;

use std::io::{self, Write};

use chars::printable_line;
use convlog_message::{Message, Zone};

pub use chars::printable;
use lines::{Line, Lines};
pub(crate) use marks::marks;
pub(crate) use signature::without_signatures;
pub use status::Status;
pub use style::role_style;
use style::{faint, paint};
pub(crate) use time::{local_minutes, local_seconds};
pub use width::{cut, pad, wrap};

/// Whether text carries the escape sequences of colours. They are the only ones it ever has: those in a
/// message are shown as symbols.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Colors {
    /// Text alone.
    #[default]
    Plain,
    /// The sixteen colours of the terminal, so that its theme decides.
    Ansi,
}

/// Text wider than this is hard to read.
const WIDEST: usize = 100;
/// Beyond so many lines a shortened message loses its middle.
const MOST_LINES: usize = 40;
/// How many lines are kept of its beginning and of its end.
const KEPT_LINES: usize = 15;

/// Prints messages as text: a heading with role, time and marks, and below it the content, set in by two.
///
/// Nothing in a message can steer the terminal: control characters are shown as symbols. Widths are columns,
/// not bytes.
///
/// ```
/// use convlog_message::{Message, Role, Zone};
/// use convlog_render::Text;
///
/// let message = Message::new(Role::User, "Why is it\u{1b}[31m red?", "2026-01-02T03:04:05".parse()?).with_pinned(true);
/// let mut out = Vec::new();
/// Text::new(Zone::UTC).message(&mut out, &message)?;
/// assert_eq!(String::from_utf8(out)?, "user  2026-01-02 03:04  pinned\n  Why is it\u{241b}[31m red?\n\n");
///
/// let failed = Message::new(Role::System, "Error: no such\nfile", "2026-01-02T03:04:05".parse()?);
/// assert_eq!(Text::new(Zone::UTC).oneline(&failed), r"System: ❌ Error: no such\nfile");
/// assert_eq!(Text::new(Zone::UTC).with_columns(18).oneline(&failed), "System: ❌ Error:…");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Text {
    zone: Zone,
    colors: Colors,
    columns: Option<usize>,
    /// How to see what was left out of the middle of a long message; `None`: all is shown.
    shortened: Option<String>,
}

impl Text {
    /// Text without colours, as wide as it is, in full; times are shown in `zone`.
    #[must_use]
    pub const fn new(zone: Zone) -> Self {
        Self { zone, colors: Colors::Plain, columns: None, shortened: None }
    }

    /// The same with colours or without.
    #[must_use]
    pub const fn with_colors(mut self, colors: Colors) -> Self {
        self.colors = colors;
        self
    }

    /// The same for a terminal of so many columns: long lines are wrapped.
    #[must_use]
    pub const fn with_columns(mut self, columns: usize) -> Self {
        self.columns = Some(columns);
        self
    }

    /// The same with the middle of long messages left out; the gap says how many lines, and this hint.
    #[must_use]
    pub fn shortened(mut self, hint: impl Into<String>) -> Self {
        self.shortened = Some(hint.into());
        self
    }

    /// Prints a message and an empty line.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn message(&self, out: &mut impl Write, message: &Message) -> io::Result<()> {
        self.message_at(out, "", message)
    }

    /// Prints a message with its place (`  3`, say) before the heading, and an empty line.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn message_at(&self, out: &mut impl Write, place: &str, message: &Message) -> io::Result<()> {
        if !place.is_empty() {
            write!(out, "{} ", paint(self.colors, faint(), printable_line(place)))?;
        }
        let role = message.role();
        let mut time = local_minutes(message.timestamp(), self.zone);
        if !message.has_recorded_timestamp() {
            time.insert(0, '~');
        }
        let role_name = paint(self.colors, role_style(role), printable_line(role.as_str()));
        write!(out, "{role_name}  {}", paint(self.colors, faint(), time))?;
        let content = without_signatures(message.terminal_display_content().unwrap_or(message.content()));
        if let Some(status) = Status::of(message) {
            write!(out, "  {}", status.mark())?;
        }
        let marks = printable_line(&marks(message));
        let marks = self.columns.map_or(marks.clone(), |columns| cut(&marks, columns.saturating_sub(36)));
        if !marks.is_empty() {
            write!(out, "  {}", paint(self.colors, faint(), marks))?;
        }
        writeln!(out)?;
        self.content(out, &printable(content.trim_end_matches('\n')))?;
        writeln!(out)
    }

    /// A message on one line, without a newline: role, mark, and as much of the content as the columns allow.
    /// Line ends are shown as `\n`, and blanks joined. Empty for a message that says nothing.
    #[must_use]
    pub fn oneline(&self, message: &Message) -> String {
        let content = without_signatures(message.terminal_display_content().unwrap_or(message.content()));
        if content.is_empty() {
            return String::new();
        }
        let mark = Status::of(message).map(|status| format!("{} ", status.mark())).unwrap_or_default();
        let content = content.replace("\r\n", "\n").replace('\n', "\\n");
        let content = content.split_whitespace().collect::<Vec<_>>().join(" ");
        let role = printable_line(&capitalised(message.role().as_str()));
        let line = format!("{role}: {mark}{}", printable_line(&content));
        let line = self.columns.map_or(line.clone(), |columns| cut(&line, columns));
        match line.split_at_checked(role.len()) {
            Some((role, rest)) => format!("{}{rest}", paint(self.colors, role_style(message.role()), role)),
            None => line,
        }
    }

    /// Prints a remark that is no message, on a line of its own.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn note(&self, out: &mut impl Write, note: &str) -> io::Result<()> {
        writeln!(out, "{}", paint(self.colors, faint(), printable_line(note)))
    }

    fn content(&self, out: &mut impl Write, content: &str) -> io::Result<()> {
        let mut lines = Lines::of(content, self.colors).into_inner();
        if let Some(columns) = self.columns {
            let columns = columns.min(WIDEST).saturating_sub(2).max(1);
            lines = lines.into_iter().flat_map(|line| line.wrapped(columns)).collect();
        }
        let (beginning, left_out, end) = match &self.shortened {
            Some(_) if lines.len() > MOST_LINES => shorten(&lines),
            _ => (&*lines, 0, &[][..]),
        };
        beginning.iter().try_for_each(|line| line.write(out, self.colors))?;
        if left_out > 0 {
            let hint = self.shortened.as_deref().unwrap_or_default();
            self.note(out, &format!("  … {left_out} lines left out; {hint} …"))?;
        }
        end.iter().try_for_each(|line| line.write(out, self.colors))
    }
}

/// The beginning and the end of a long message, and how many lines lie between.
fn shorten(lines: &[Line]) -> (&[Line], usize, &[Line]) {
    let (head, end) = lines.split_at_checked(lines.len().saturating_sub(KEPT_LINES)).unwrap_or((lines, &[]));
    let beginning = head.get(..KEPT_LINES).unwrap_or(head);
    (beginning, head.len().saturating_sub(beginning.len()), end)
}

/// A name with its first letter large and the others small.
pub(crate) fn capitalised(name: &str) -> String {
    let mut letters = name.chars();
    letters
        .next()
        .map(|first| first.to_uppercase().chain(letters.flat_map(char::to_lowercase)).collect())
        .unwrap_or_default()
}
