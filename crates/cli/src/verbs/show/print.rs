//! How a message is printed, for people and for programs.

use std::io::Write;

use anyhow::Result;
use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_message::{Message, Zone};
use convlog_render::Text;

use crate::output::{counted, terminal_width};
use crate::style;

/// A message to be shown.
pub(crate) struct Selected {
    pub(crate) message: Message,
    pub(crate) place: Place,
}

/// Where a message stands in its log.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Counted from 0.
    Index(u64),
    /// Counted from 1, the last message is 1.
    FromEnd(u64),
}

/// Writes the transcript's own object with the message's place, as strict JSON.
pub(crate) fn json(out: &mut impl Write, selected: Selected) -> Result<()> {
    let mut extra = selected.message.extra().clone();
    match selected.place {
        Place::Index(index) => extra.insert("index", index),
        Place::FromEnd(place) => extra.insert("from_end", place),
    }
    let mut line = Vec::new();
    // A changed message is written from its fields: what was odd in the file does not get in here.
    write_line(&selected.message.with_extra(extra), Style::Utf8, &mut line);
    Ok(out.write_all(&line)?)
}

/// Text as wide as the terminal; there, long messages are shortened unless they are wanted in full.
pub(crate) fn text(zone: Zone, full: bool) -> Text {
    let text = Text::new(zone).with_colors(style::colors());
    let Some(columns) = terminal_width() else { return text };
    let text = text.with_columns(columns);
    if full { text } else { text.shortened("`--full` shows them") }
}

/// Writes a message with its place as text.
pub(crate) fn message(out: &mut impl Write, text: &Text, selected: &Selected) -> Result<()> {
    let place = match selected.place {
        Place::Index(index) => format!("{index:>3}"),
        Place::FromEnd(place) => format!("{:>3}", format!("-{place}")),
    };
    Ok(text.message_at(out, &place, &selected.message)?)
}

/// How many messages were passed over because they are hidden.
pub(super) fn hidden(out: &mut impl Write, text: &Text, hidden: u64) -> Result<()> {
    if hidden > 0 {
        text.note(out, &format!("{} not shown; `--hidden` shows them", counted(hidden, "hidden message")))?;
    }
    Ok(())
}
