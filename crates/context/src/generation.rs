//! The newest generation of the start prompt: [`active_generation`].

use convlog_message::{Message, Role};

/// Puts the newest generation of the start prompt first and leaves the older ones out.
///
/// A change of model or tools appends a new start prompt, whose messages bear its mark in their metadata
/// (`prompt_generation`, a text; it counts on system messages). The older prompts stay in the log; a model gets the newest and then the
/// history. The first prompt of a conversation has no mark: it is the pinned system messages that the log
/// begins with, and it goes too once there is a generation. Without any mark nothing changes.
///
/// ```
/// use convlog_context::active_generation;
/// use convlog_message::{Message, Metadata, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let second = Metadata::new().with("prompt_generation", "2");
/// let sent = active_generation(vec![
///     say(Role::System, "You have a shell.").with_pinned(true),
///     say(Role::User, "Hi."),
///     say(Role::System, "You have no tools.").with_metadata(second),
/// ]);
/// assert_eq!(sent.iter().map(Message::content).collect::<Vec<_>>(), ["You have no tools.", "Hi."]);
/// ```
#[must_use]
pub fn active_generation(messages: Vec<Message>) -> Vec<Message> {
    let Some(newest) = messages.iter().rev().find_map(generation).map(str::to_owned) else { return messages };
    let unmarked_start = messages
        .iter()
        .take_while(|message| *message.role() == Role::System && message.pinned() && generation(message).is_none())
        .count();
    let (mut active, mut history) = (Vec::new(), Vec::with_capacity(messages.len()));
    for (at, message) in messages.into_iter().enumerate() {
        match generation(&message) {
            Some(generation) if generation == newest => active.push(message),
            Some(_) => {}
            None if at < unmarked_start => {}
            None => history.push(message),
        }
    }
    active.append(&mut history);
    active
}

/// The mark of a start prompt, which is made of system messages.
pub(crate) fn generation(message: &Message) -> Option<&str> {
    message.metadata().prompt_generation().filter(|_| *message.role() == Role::System)
}
