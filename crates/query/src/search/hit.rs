//! A message that was found: [`Hit`], and the lines of it to show.

use std::ops::Range;

use convlog_message::Message;
use convlog_store::{ConversationId, Transcript};

/// A message that was found.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Hit {
    /// The conversation.
    pub id: ConversationId,
    /// The log that it stands in.
    pub transcript: Transcript,
    /// Which message of that log, counted from 0.
    pub index: u64,
    /// The message.
    pub message: Message,
    /// Where in its content, in bytes, in order; at least one.
    pub matches: Vec<Range<usize>>,
}

/// A line of a message, for showing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnippetLine<'a> {
    /// Counted from 1.
    pub number: usize,
    /// Without what ends it.
    pub text: &'a str,
    /// What was found on it, in bytes of the text; empty for a line of context.
    pub matches: Vec<Range<usize>>,
}

impl Hit {
    /// The lines on which something was found, with so many lines of context before and after each.
    #[must_use]
    pub fn lines(&self, context: usize) -> Vec<SnippetLine<'_>> {
        let mut lines = Vec::new();
        let mut start = 0_usize;
        for (number, line) in self.message.content().split('\n').enumerate() {
            let end = start.saturating_add(line.len());
            let on_line =
                self.matches.iter().filter(|found| found.start < end.max(start.saturating_add(1)) && found.end > start);
            let place = |at: usize| at.clamp(start, end).saturating_sub(start);
            let matches = on_line.map(|found| place(found.start)..place(found.end)).collect();
            let text = line.strip_suffix('\r').unwrap_or(line);
            lines.push(SnippetLine { number: number.saturating_add(1), text, matches });
            start = end.saturating_add(1);
        }
        let hits: Vec<usize> = lines.iter().filter(|line| !line.matches.is_empty()).map(|line| line.number).collect();
        lines.retain(|line| {
            let near = hits.partition_point(|hit| hit.saturating_add(context) < line.number);
            hits.get(near).is_some_and(|hit| hit.saturating_sub(context) <= line.number)
        });
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use convlog_message::{Role, Timestamp};

    #[test]
    fn lines_are_shown_with_their_neighbours() {
        let content = "one\r\ntwo\nthree\nfour\nfive\nsix";
        let at = content.find("four").unwrap();
        let hit = Hit {
            id: "talk".parse().unwrap(),
            transcript: Transcript::Main,
            index: 0,
            message: Message::new(Role::User, content, "2026-01-02".parse::<Timestamp>().unwrap()),
            matches: vec![1..3, at..at + 4],
        };
        let shown = |context| {
            hit.lines(context).iter().map(|l| format!("{} {} {:?}", l.number, l.text, l.matches)).collect::<Vec<_>>()
        };
        assert_eq!(shown(0), ["1 one [1..3]", "4 four [0..4]"]);
        assert_eq!(shown(1), ["1 one [1..3]", "2 two []", "3 three []", "4 four [0..4]", "5 five []"]);
        assert_eq!(shown(usize::MAX).len(), 6);
    }
}
