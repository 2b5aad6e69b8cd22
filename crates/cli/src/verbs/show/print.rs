//! How a message is printed, for people and for programs.

use std::io::Write;

use anyhow::Result;
use convlog_codec::json::Style;
use convlog_codec::jsonl::write_line;
use convlog_message::{Message, Zone};

use super::select::{Place, Selected};
use crate::output::{counted, cut, local_time, printable, terminal_width, wrap};
use crate::style;

/// Beyond so many lines a message is shortened in the middle.
const MOST_LINES: usize = 40;
/// How many lines are shown of its beginning and of its end.
const SHOWN_LINES: usize = 15;
/// Text wider than this is hard to read.
const WIDEST: usize = 100;

/// Writes the transcript's own object with the message's place, as strict JSON.
pub(super) fn json(out: &mut impl Write, selected: Selected) -> Result<()> {
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

/// Messages as text.
pub(super) struct Text {
    zone: Zone,
    full: bool,
    columns: Option<usize>,
}

impl Text {
    /// Long messages are shortened on a terminal only, unless they are wanted in full.
    pub(super) fn new(zone: Zone, full: bool) -> Self {
        let columns = terminal_width();
        Self { zone, full: full || columns.is_none(), columns }
    }

    /// A heading with place, role, time and marks; below it the content, set in by two.
    pub(super) fn message(&self, out: &mut impl Write, selected: &Selected) -> Result<()> {
        let message = &selected.message;
        let place = match selected.place {
            Place::Index(index) => format!("{index:>3}"),
            Place::FromEnd(place) => format!("{:>3}", format!("-{place}")),
        };
        let role = style::role(message.role(), printable(message.role().as_str()));
        let mut time = local_time(message.timestamp(), self.zone);
        if !message.has_recorded_timestamp() {
            time.insert(0, '~');
        }
        let marks = marks(message);
        let marks = self.columns.map_or(marks.clone(), |columns| cut(&marks, columns.saturating_sub(36)));
        write!(out, "{} {role}  {}", style::faint(place), style::faint(time))?;
        if !marks.is_empty() {
            write!(out, "  {}", style::faint(marks))?;
        }
        writeln!(out)?;
        let columns = self.columns.map(|columns| columns.min(WIDEST).saturating_sub(2));
        let content = printable(message.content().trim_end_matches('\n'));
        let lines = wrap(&content, columns);
        let (beginning, left_out, end) = self.shorten(&lines);
        beginning.iter().try_for_each(|line| content_line(out, line))?;
        if left_out > 0 {
            let note = format!("  … {} left out; `--full` shows them …", counted(left_out as u64, "line"));
            writeln!(out, "{}", style::faint(note))?;
        }
        end.iter().try_for_each(|line| content_line(out, line))?;
        Ok(writeln!(out)?)
    }

    /// How many messages were passed over because they are hidden.
    pub(super) fn hidden(&self, out: &mut impl Write, hidden: u64) -> Result<()> {
        if hidden > 0 {
            let note = format!("{} not shown; `--hidden` shows them", counted(hidden, "hidden message"));
            writeln!(out, "{}", style::faint(note))?;
        }
        Ok(())
    }

    /// The beginning and the end of a long message, and how many lines lie between.
    fn shorten<'a>(&self, lines: &'a [String]) -> (&'a [String], usize, &'a [String]) {
        if self.full || lines.len() <= MOST_LINES {
            return (lines, 0, &[]);
        }
        let end_start = lines.len().saturating_sub(SHOWN_LINES);
        let (head, end) = lines.split_at_checked(end_start).unwrap_or((lines, &[]));
        let beginning = head.get(..SHOWN_LINES).unwrap_or(head);
        (beginning, head.len().saturating_sub(beginning.len()), end)
    }
}

fn content_line(out: &mut impl Write, line: &str) -> Result<()> {
    let indent = if line.is_empty() { "" } else { "  " };
    Ok(writeln!(out, "{indent}{line}")?)
}

/// What is special about a message, in a few words.
fn marks(message: &Message) -> String {
    let mut marks = Vec::new();
    let flags = [(message.pinned(), "pinned"), (message.hide(), "hidden"), (message.ui_only(), "ui only")];
    marks.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, mark)| mark.to_owned()));
    if let Some(ttl) = message.ephemeral_ttl() {
        marks.push(format!("kept for {ttl} answers"));
    }
    marks.extend(message.call_id().map(|id| format!("answers {}", printable(id))));
    marks.extend(message.metadata().model().map(printable));
    marks.extend(message.files().iter().map(|file| printable(file.as_str())));
    marks.join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_message_loses_its_middle_on_a_terminal() {
        let text = Text { zone: Zone::UTC, full: false, columns: Some(80) };
        let lines: Vec<String> = (0..50).map(|n| n.to_string()).collect();
        let (beginning, left_out, end) = text.shorten(&lines);
        assert_eq!((beginning.len(), left_out, end.len()), (15, 20, 15));
        assert_eq!((beginning[0].as_str(), end[14].as_str()), ("0", "49"));
        assert_eq!(text.shorten(&lines[..40]).1, 0);
        assert_eq!(Text { full: true, ..text }.shorten(&lines).0.len(), 50);
    }
}
