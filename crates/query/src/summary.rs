//! What a transcript says of its conversation, message by message: [`Summary`].

use std::borrow::Cow;
use std::io::{self, BufRead};
use std::ops::Range;

use convlog_codec::Finding;
use convlog_codec::jsonl::{Figures, MessageReader, Skimmed, Skimmer};
use convlog_fs::{File, read_full_at};
use convlog_message::{Role, Timestamp};
use serde::{Deserialize, Serialize};

use crate::preview::preview;
use crate::totals::Totals;

/// What is gathered from a transcript. Small, whatever the transcript's size; more lines can be added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Summary {
    pub(crate) messages: u64,
    /// Lines, or parts of lines, that cannot be read.
    pub(crate) unreadable: u64,
    /// The time of the first message, as it stands in the file; `None` when it records none.
    pub(crate) first: Option<String>,
    /// The last time that a message records.
    pub(crate) last: Option<String>,
    pub(crate) totals: Totals,
    pub(crate) spoken: Spoken,
}

/// What person or model said last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) enum Spoken {
    /// Nothing so far, or nothing to show.
    #[default]
    Nothing,
    /// It begins so.
    Text { role: String, preview: String },
    /// It stands there in the file and was not decoded, since more may follow.
    At(Range<u64>),
}

impl Summary {
    /// Adds all lines that are left, and hands each oddity to `report`.
    pub(crate) fn read<R: BufRead>(
        &mut self,
        skimmer: &mut Skimmer<R>,
        mut report: impl FnMut(Finding),
    ) -> io::Result<()> {
        let mut last = None;
        while skimmer.next_line(|message| self.add(&message, &mut last))? {
            for finding in skimmer.report_mut().drain() {
                self.unreadable = self.unreadable.saturating_add(finding.problem.is_skipped().into());
                report(finding);
            }
        }
        if let Some(last) = last {
            self.last = Some(last.to_string());
        }
        Ok(())
    }

    /// Adds the messages of one line; `false` at the end of the file.
    pub(crate) fn read_line<R: BufRead>(&mut self, skimmer: &mut Skimmer<R>) -> io::Result<bool> {
        let mut last = None;
        let more = skimmer.next_line(|message| self.add(&message, &mut last))?;
        skimmer.report_mut().drain();
        Ok(more)
    }

    fn add(&mut self, message: &Skimmed<'_>, last: &mut Option<Timestamp>) {
        let (role, timestamp, is_recorded) = match message {
            Skimmed::Plain(skim) => {
                self.totals.add(skim.figures());
                (skim.role(), skim.timestamp(), true)
            }
            Skimmed::Odd(entry) => {
                let message = &entry.message;
                self.totals.add(&Figures::of(message.metadata()));
                (message.role(), message.timestamp(), message.has_recorded_timestamp())
            }
        };
        if self.messages == 0 && is_recorded {
            self.first = Some(timestamp.to_string());
        }
        self.messages = self.messages.saturating_add(1);
        if is_recorded {
            *last = Some(timestamp.clone());
        }
        if matches!(role, Role::User | Role::Assistant) {
            self.spoken = match message {
                Skimmed::Plain(skim) => Spoken::At(skim.span()),
                Skimmed::Odd(entry) => Spoken::of(role, entry.message.content()),
            };
        }
    }

    /// Decodes what was said last, now that nothing follows.
    pub(crate) fn look_up_spoken(&mut self, file: &dyn File) -> Result<(), convlog_fs::Error> {
        self.decode_spoken(|span| {
            let length = span.end.saturating_sub(span.start);
            let mut line = vec![0; length];
            let read = read_full_at(file, &mut line, span.start as u64)?;
            line.truncate(read);
            Ok(line.into())
        })
    }

    /// The same, where `line` gives the bytes of a line.
    pub(crate) fn decode_spoken<'a, E>(
        &mut self,
        line: impl FnOnce(Range<usize>) -> Result<Cow<'a, [u8]>, E>,
    ) -> Result<(), E> {
        let Spoken::At(span) = &self.spoken else { return Ok(()) };
        let place = |offset| usize::try_from(offset).unwrap_or(usize::MAX);
        let line = line(place(span.start)..place(span.end))?;
        // A file that was changed meanwhile may hold anything there; the next look sees that it was.
        self.spoken = match MessageReader::new(Timestamp::from(std::time::SystemTime::UNIX_EPOCH)).read(&line) {
            Ok(read) => Spoken::of(read.message.role(), read.message.content()),
            Err(_) => Spoken::Nothing,
        };
        Ok(())
    }
}

impl Spoken {
    pub(crate) fn of(role: &Role, content: &str) -> Self {
        match preview(content) {
            Some(preview) => Self::Text { role: role.to_string(), preview },
            None => Self::Nothing,
        }
    }
}
