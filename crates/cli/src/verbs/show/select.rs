//! Which messages are shown: by place, by role, hidden or not; from the beginning or from the end.

use anyhow::Result;
use convlog_codec::Report;
use convlog_message::{Message, Role};
use convlog_store::{Conversation, ReadError, Transcript};

use super::Options;
use super::print::{Place, Selected};

/// What a person asked for.
pub(super) struct Wanted {
    start: u64,
    number: u64,
    last: Option<u64>,
    role: Option<Role>,
    hidden: bool,
}

/// What was seen on the way.
pub(super) struct Seen {
    /// How many messages were left out because they are hidden.
    pub(super) hidden: u64,
    pub(super) report: Report,
}

impl Wanted {
    pub(super) fn new(options: &Options, is_text: bool) -> Self {
        Self {
            start: options.start,
            number: options.number.unwrap_or(u64::MAX),
            last: options.last,
            role: options.role.as_deref().map(Role::from),
            hidden: options.hidden || !is_text,
        }
    }

    /// Hands the messages that are wanted to `show`, in the order of the log.
    pub(super) fn each(
        &self,
        conversation: &Conversation,
        which: &Transcript,
        show: &mut dyn FnMut(Selected) -> Result<()>,
    ) -> Result<Seen> {
        match self.last {
            Some(last) => self.backwards(conversation, which, last, show),
            None => self.forwards(conversation, which, show),
        }
    }

    fn forwards(
        &self,
        conversation: &Conversation,
        which: &Transcript,
        show: &mut dyn FnMut(Selected) -> Result<()>,
    ) -> Result<Seen> {
        let mut reader = conversation.stream(which)?;
        let (mut shown, mut hidden) = (0_u64, 0_u64);
        for (entry, index) in (&mut reader).zip(0_u64..) {
            if shown >= self.number {
                break;
            }
            let message = entry.map_err(|source| stream_error(conversation, which, source))?.message;
            if index < self.start || !self.is_of_role(&message) {
                continue;
            }
            if message.hide() && !self.hidden {
                hidden = hidden.saturating_add(1);
                continue;
            }
            shown = shown.saturating_add(1);
            show(Selected { message, place: Place::Index(index) })?;
        }
        Ok(Seen { hidden, report: reader.into_report() })
    }

    fn backwards(
        &self,
        conversation: &Conversation,
        which: &Transcript,
        last: u64,
        show: &mut dyn FnMut(Selected) -> Result<()>,
    ) -> Result<Seen> {
        let mut tail = conversation.tail(which)?;
        let mut selected = Vec::new();
        let mut hidden = 0_u64;
        for (entry, place) in (&mut tail).zip(1_u64..) {
            if selected.len() as u64 >= last {
                break;
            }
            let message = entry.map_err(|source| stream_error(conversation, which, source))?.message;
            if !self.is_of_role(&message) {
                continue;
            }
            if message.hide() && !self.hidden {
                hidden = hidden.saturating_add(1);
                continue;
            }
            selected.push(Selected { message, place: Place::FromEnd(place) });
        }
        selected.into_iter().rev().try_for_each(show)?;
        Ok(Seen { hidden, report: tail.into_report() })
    }

    fn is_of_role(&self, message: &Message) -> bool {
        self.role.as_ref().is_none_or(|role| role == message.role())
    }
}

fn stream_error(conversation: &Conversation, which: &Transcript, source: std::io::Error) -> ReadError {
    ReadError::Stream { path: conversation.layout().transcript(which), source }
}
