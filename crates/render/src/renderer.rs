//! Printing messages in whatever format is asked for: [`Renderer`].

use std::io::{self, Write};

use convlog_message::{Message, Zone};

use crate::json::write_json;
use crate::{OutputFormat, Text};

/// Whether hidden messages are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Hidden {
    /// They are passed over and counted.
    #[default]
    Skip,
    /// They are printed like others.
    Show,
}

/// What was printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Printed {
    /// How many messages were printed.
    pub shown: u64,
    /// How many were passed over because they are hidden.
    pub hidden: u64,
}

/// Prints messages: as text, as JSON lines, or not at all.
///
/// ```
/// use convlog_message::{Message, Role, Timestamp, Zone};
/// use convlog_render::{OutputFormat, Printed, Renderer, Text};
///
/// let prompt = Message::new(Role::System, "Be brief.", Timestamp::now()).with_hide(true);
/// let saved = Message::new(Role::System, "Saved to a.md", "2026-01-02T03:04:05".parse()?);
/// let renderer = Renderer::new(Text::new(Zone::UTC));
/// let mut out = Vec::new();
/// assert_eq!(renderer.print(&mut out, [&prompt, &saved])?, Printed { shown: 1, hidden: 1 });
/// assert_eq!(String::from_utf8(out)?, "system  2026-01-02 03:04  ✅\n  Saved to a.md\n\n1 hidden message not shown\n");
///
/// let quiet = renderer.with_format(OutputFormat::Quiet);
/// assert_eq!(quiet.print(&mut std::io::sink(), [&saved])?.shown, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Renderer {
    format: OutputFormat,
    hidden: Hidden,
    text: Text,
}

impl Renderer {
    /// A renderer in the [format of this thread](OutputFormat::current), with hidden messages passed over.
    #[must_use]
    pub fn new(text: Text) -> Self {
        Self { format: OutputFormat::current(), hidden: Hidden::default(), text }
    }

    /// The same renderer in another format.
    #[must_use]
    pub const fn with_format(mut self, format: OutputFormat) -> Self {
        self.format = format;
        self
    }

    /// The same renderer with hidden messages shown or not.
    #[must_use]
    pub const fn with_hidden(mut self, hidden: Hidden) -> Self {
        self.hidden = hidden;
        self
    }

    /// Prints messages and says how many. Under several, text says at the end how many were hidden.
    ///
    /// # Errors
    ///
    /// When `out` fails.
    pub fn print<'a>(
        &self,
        out: &mut impl Write,
        messages: impl IntoIterator<Item = &'a Message>,
    ) -> io::Result<Printed> {
        let mut printed = Printed::default();
        if self.format == OutputFormat::Quiet {
            return Ok(printed);
        }
        let mut seen = 0_u64;
        for message in messages {
            seen = seen.saturating_add(1);
            if message.hide() && self.hidden == Hidden::Skip {
                printed.hidden = printed.hidden.saturating_add(1);
                continue;
            }
            printed.shown = printed.shown.saturating_add(1);
            match self.format {
                OutputFormat::Json => write_json(out, message)?,
                _ => self.text.message(out, message)?,
            }
        }
        if self.format == OutputFormat::Text && printed.hidden > 0 && seen > 1 {
            let things = if printed.hidden == 1 { "message" } else { "messages" };
            self.text.note(out, &format!("{} hidden {things} not shown", printed.hidden))?;
        }
        Ok(printed)
    }
}

impl Default for Renderer {
    fn default() -> Self {
        Self::new(Text::new(Zone::Local))
    }
}
