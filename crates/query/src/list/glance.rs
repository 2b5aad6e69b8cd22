//! The fast way to a summary: lines counted by their looks, and the rest from both ends of the file.

use convlog_fs::Stat;
use convlog_message::Role;
use convlog_store::{Conversation, ReadError, Transcript};

use crate::summary::{Spoken, Summary};

/// How far from the end the model is looked for.
const WINDOW: u64 = 64 << 10;
/// How far from the end what was said last is looked for.
const FARTHEST: u64 = 4 << 20;

/// A summary without totals.
pub(super) fn glance(conversation: &Conversation) -> Result<(Summary, Stat), ReadError> {
    let stream = |source| ReadError::Stream { path: conversation.layout().transcript(&Transcript::Main), source };
    let mut skimmer = conversation.skim(&Transcript::Main)?;
    let stat = skimmer.input().get_ref().stat()?;
    let mut summary = Summary::default();
    while summary.messages == 0 && summary.read_line(&mut skimmer).map_err(stream)? {}
    summary = Summary { messages: summary.messages, first: summary.first, ..Summary::default() };
    while let Some(count) = skimmer.count_line().map_err(stream)? {
        skimmer.report_mut().drain();
        summary.messages = summary.messages.saturating_add(count);
    }
    let mut looked_for_spoken = true;
    for entry in conversation.tail(&Transcript::Main)? {
        let entry = entry.map_err(stream)?;
        let message = &entry.message;
        if summary.last.is_none() && message.has_recorded_timestamp() {
            summary.last = Some(message.timestamp().to_string());
        }
        if looked_for_spoken && matches!(message.role(), Role::User | Role::Assistant) {
            summary.spoken = Spoken::of(message.role(), message.content());
            looked_for_spoken = false;
        }
        if summary.totals.model.is_none() {
            summary.totals.model = message.metadata().model().filter(|model| !model.is_empty()).map(str::to_owned);
        }
        let behind = stat.len.saturating_sub(entry.span.start);
        let has_all = !looked_for_spoken && summary.last.is_some();
        if (has_all && (summary.totals.model.is_some() || behind > WINDOW)) || behind > FARTHEST {
            break;
        }
    }
    Ok((summary, stat))
}
