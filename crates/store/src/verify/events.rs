//! The event log against its own hashes, and the transcript against the event log.

use convlog_codec::jsonl::Reader;
use convlog_eventlog::{self as eventlog, EventKind, Reading};
use convlog_message::{Log, Message, Timestamp};

use super::{FaultKind, Verification};
use crate::recovery::Plan;
use crate::{Conversation, Transcript};

/// Checks the event log of main or of a branch, and what it says of the transcript.
pub(super) fn check(
    conversation: &Conversation,
    which: &Transcript,
    found: &mut Verification,
) -> Result<(), convlog_fs::Error> {
    if !matches!(which, Transcript::Main | Transcript::Branch(_)) {
        return Ok(());
    }
    let Some(reading) = conversation.events(which)? else { return Ok(()) };
    let chain = eventlog::verify(&reading);
    for misfit in chain.findings {
        found.add(misfit.file.clone(), FaultKind::Event(misfit));
    }
    for misfit in chain.notes {
        found.add(misfit.file.clone(), FaultKind::EventNote(misfit));
    }
    let path = conversation.layout().transcript(which);
    // As the next opening would see it: what a crash tore out is no difference.
    let Ok(plan) = Plan::make(conversation, which) else { return Ok(()) };
    if !plan.report().is_empty() {
        found.add(path.clone(), FaultKind::Unrecovered(plan.report()));
    }
    if let Some(line) = line_with_a_tail(conversation, which)? {
        found.add(path.clone(), FaultKind::Framing { line });
    }
    if let Some(index) = first_difference(&reading, plan.log()) {
        let line = line_of(conversation, which, index);
        found.add(path, FaultKind::Differs { line, index });
    }
    Ok(())
}

/// The first line on which something else than blanks stands behind a message.
fn line_with_a_tail(conversation: &Conversation, which: &Transcript) -> Result<Option<u64>, convlog_fs::Error> {
    let bytes = convlog_fs::read_all(conversation.file_system(), &conversation.layout().transcript(which))?;
    let entries = Reader::new(bytes.as_slice(), Timestamp::now_utc()).filter_map(Result::ok);
    Ok(entries.into_iter().find_map(|entry| {
        let tail = bytes.get(usize::try_from(entry.span.end).ok()?..)?;
        let tail = tail.split(|byte| *byte == b'\n').next()?;
        let is_clean = tail.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r'));
        (!is_clean).then_some(entry.line.number())
    }))
}

/// The first message that is not the one that convlog's lines vouch for, and that no later event of
/// another program explains.
fn first_difference(reading: &Reading, log: &Log) -> Option<usize> {
    let vouched = reading.replay_to_last_convlog()?;
    if reading.ends_with_convlog() {
        let alike = |(a, b): (&Message, &Message)| a.is_stored_alike(b);
        let common = vouched.iter().zip(log).take_while(|pair| alike(*pair)).count();
        return (common < vouched.len().max(log.len())).then_some(common);
    }
    // Another program went on. What it removed is gone by its own event; what it added stands in its events.
    let last = reading.last_convlog()?;
    let foreign = reading.events.get(last.saturating_add(1)..).unwrap_or_default();
    let mut added: Vec<&Message> = Vec::new();
    for event in foreign {
        match &event.kind {
            EventKind::Append(message) => added.push(message),
            EventKind::Edit(log) | EventKind::Checkpoint(log) => added.extend(log),
            _ => {}
        }
    }
    let common = vouched.common_beginning(log);
    let unexplained = log
        .iter()
        .skip(common)
        .position(|message| !added.contains(&message) && !vouched.iter().any(|known| known == message));
    unexplained.map(|at| common.saturating_add(at))
}

/// The line that a message stands on.
fn line_of(conversation: &Conversation, which: &Transcript, index: usize) -> Option<u64> {
    let entry = conversation.stream(which).ok()?.nth(index)?.ok()?;
    Some(entry.line.number())
}
