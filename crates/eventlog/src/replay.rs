//! [`replay`]: the messages that a log leads to.

use convlog_message::{Log, Message};

use crate::{Event, EventKind};

/// The messages after the last of these events: from the newest checkpoint on, in the order given.
///
/// `None` when no event is about messages; an empty log when all was undone.
///
/// What is [`Unusable`](EventKind::Unusable) or [`Other`](EventKind::Other) is passed over. The numbers of
/// the events do not count: where they fall behind a checkpoint's, gptme drops the event and convlog does
/// not.
#[must_use]
pub fn replay(events: &[Event]) -> Option<Log> {
    let start = events.iter().rposition(|event| matches!(event.kind, EventKind::Checkpoint(_))).unwrap_or(0);
    let mut state = None::<State>;
    for event in events.get(start..).unwrap_or_default().iter().filter(|event| event.kind.is_about_messages()) {
        state.get_or_insert_default().apply(&event.kind);
    }
    state.map(State::into_log)
}

/// The messages after the last event that convlog wrote: as [`replay`], with nothing that came later.
#[must_use]
pub fn replay_to_last_convlog(events: &[Event]) -> Option<Log> {
    let last = events.iter().rposition(|event| event.convlog.is_some())?;
    replay(events.get(..=last)?)
}

/// A log under way: what is appended is gathered, and joined to the rest once.
#[derive(Default)]
struct State {
    log: Log,
    appended: Vec<Message>,
}

impl State {
    fn apply(&mut self, kind: &EventKind) {
        match kind {
            EventKind::Append(message) => self.appended.push(message.clone()),
            EventKind::Checkpoint(log) | EventKind::Edit(log) => {
                self.appended.clear();
                self.log = log.clone();
            }
            EventKind::Undo(count) => {
                let count = usize::try_from(*count).unwrap_or(usize::MAX);
                let beyond = count.saturating_sub(self.appended.len());
                self.appended.truncate(self.appended.len().saturating_sub(count));
                if beyond > 0 {
                    self.log = self.log.truncate(self.log.len().saturating_sub(beyond));
                }
            }
            _ => {}
        }
    }

    fn into_log(mut self) -> Log {
        self.log.extend(self.appended);
        self.log
    }
}
