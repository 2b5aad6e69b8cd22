//! How long the logs of a conversation are, and lists of such things.

use std::io::Write as _;

use anyhow::Result;
use convlog_store::{Conversation, Transcript};

use crate::app::App;
use crate::args::Format;
use crate::output::pad;
use crate::telling::told;

/// How long a log is.
pub(crate) struct Length {
    pub(crate) messages: u64,
    pub(crate) bytes: u64,
}

impl Length {
    /// Counts the messages of a log that can be read. One that cannot be opened is told of and passed over: it must not
    /// hide the others.
    pub(crate) fn measure(app: &App, conversation: &Conversation, which: &Transcript) -> Option<Self> {
        let measured = || -> Result<Self> {
            let bytes = conversation.stat(which)?.len;
            let mut reader = conversation.stream(which)?;
            let mut messages = 0_u64;
            for entry in &mut reader {
                entry?;
                messages = messages.saturating_add(1);
            }
            app.report(&conversation.layout().transcript(which), &reader.into_report());
            Ok(Self { messages, bytes })
        };
        measured().map_err(|error| app.warn(format_args!("{which} is passed over: {}", told(&error)))).ok()
    }
}

/// Prints rows: each an object for programs, or cells for people, one below the other.
pub(crate) fn print_rows(app: &App, rows: &[(serde_json::Value, Vec<String>)]) -> Result<()> {
    let mut out = anstream::AutoStream::auto(std::io::stdout()).lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => rows.iter().try_for_each(|(object, _)| writeln!(out, "{object}"))?,
        Format::Text => {
            let cells: Vec<_> = rows.iter().map(|(_, cells)| &**cells).collect();
            aligned(&cells).iter().try_for_each(|line| writeln!(out, "{line}"))?;
        }
    }
    Ok(())
}

/// Rows as lines, each column as wide as its widest cell.
fn aligned(rows: &[&[String]]) -> Vec<String> {
    use unicode_width::UnicodeWidthStr as _;
    let columns = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let widest =
        |column| rows.iter().filter_map(|row| row.get(column)).map(|cell: &String| cell.width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(widest).collect();
    let line = |row: &&[String]| {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| pad(cell, *width)).collect();
        cells.join("  ").trim_end().to_owned()
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = [["main", "10 messages", ""], ["日本", "1 message", "backup"]].map(|row| row.map(str::to_owned));
        let rows: Vec<&[String]> = rows.iter().map(|row| &row[..]).collect();
        assert_eq!(aligned(&rows), ["main  10 messages", "日本  1 message    backup"]);
    }
}
