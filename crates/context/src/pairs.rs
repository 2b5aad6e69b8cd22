//! Which message a result belongs to: [`anchors`].

use convlog_message::{Message, Role};

/// Whether it is the result of a tool call that names its call.
pub(crate) fn is_result(message: &Message) -> bool {
    *message.role() == Role::System && message.call_id().is_some()
}

pub(crate) fn is_assistant(message: &Message) -> bool {
    *message.role() == Role::Assistant
}

/// For each message the place of the one that it answers: for a system message the nearest message before it
/// that is none. Tools answer the assistant right behind its message, so place says it, not the call id.
pub(crate) fn anchors<'a>(messages: impl Iterator<Item = &'a Message>) -> Vec<Option<usize>> {
    let mut last = None;
    messages
        .enumerate()
        .map(|(at, message)| {
            if *message.role() == Role::System {
                return last;
            }
            last = Some(at);
            None
        })
        .collect()
}
