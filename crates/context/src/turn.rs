//! Whose turn it is after a conversation was loaded: [`whose_turn`].

use convlog_message::{Message, Role};

use crate::call::structured_calls;

const INTERRUPTED: &str = "Interrupted by user";
const DECLINED: &str = "Execution declined by user";
const REQUEST_FAILED: &str = "LLM request failed:";

/// Who is to speak next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// The person, for this reason.
    Input(InputReason),
    /// The model: it answers what is there (the last turn was cut short, by a crash say).
    Generate,
}

/// Why the person is to speak next. Where several reasons hold, the first of this list is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum InputReason {
    /// There is no message, or none that is not looked through.
    Empty,
    /// The last message is the assistant's, and a structured tool call in it has no result: the turn was cut
    /// short (see [`unanswered_calls`](crate::unanswered_calls)).
    CallUnanswered,
    /// The last message is the assistant's.
    Answered,
    /// The person interrupted the last answer or tool.
    Interrupted,
    /// The person declined to have a tool run.
    Declined,
    /// The request to the model failed.
    RequestFailed,
    /// The limit on steps ended the turn.
    StepLimit,
    /// The last message is pinned: a prompt, not something to answer.
    Pinned,
    /// There is nothing from a person that could be answered.
    NoUserMessage,
}

/// Says who is to speak next in a conversation that was just loaded, and why.
///
/// Only the log is consulted: its last messages, and whether there is a message of a person. Some messages at
/// the end are looked through, as though they were not there:
/// - a system message without call id whose metadata has `compaction_reminder_view`, unless it is pinned and
///   the very last;
/// - a pinned message whose metadata has `resume_key` (a prompt applied again), and with it all others that
///   have that key.
///
/// What ends a turn (an interruption, a refusal, a failed request, the limit on steps) is looked for from the
/// end back to the first message of the assistant or a person; the result of a tool call never says it,
/// whatever its text.
///
/// Takes a [`Log`](convlog_message::Log) or a slice. Reads from the end; the cost is in proportion to the
/// messages after the last one of a person.
///
/// ```
/// use convlog_context::{InputReason, Turn, whose_turn};
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let log = Log::new()
///     .append(say(Role::User, "List the files."))
///     .append(say(Role::Assistant, "@shell(c1): {\"command\": \"ls\"}"));
/// let with_result = log.append(say(Role::System, "a.txt").with_call_id(Some("c1")));
/// assert_eq!(whose_turn(&with_result), Turn::Generate);
///
/// let interrupted = log.append(say(Role::System, "Interrupted by user"));
/// assert_eq!(whose_turn(&interrupted), Turn::Input(InputReason::Interrupted));
/// ```
pub fn whose_turn<'a, L>(log: L) -> Turn
where
    L: IntoIterator<Item = &'a Message>,
    L::IntoIter: DoubleEndedIterator + Clone,
{
    let from_end = log.into_iter().rev();
    let last = from_end.clone().next();
    let shown = match last {
        Some(message) if message.pinned() => last,
        _ => from_end.clone().find(|message| !is_reminder(message)),
    };
    let reason = if shown.is_some_and(|message| message.pinned() && has_resume_key(message)) {
        input_reason(from_end.filter(|message| !has_resume_key(message)))
    } else {
        input_reason(from_end)
    };
    reason.map_or(Turn::Generate, Turn::Input)
}

/// The decision on messages from the last to the first, no prompt applied again being at the end.
fn input_reason<'a>(from_end: impl Iterator<Item = &'a Message> + Clone) -> Option<InputReason> {
    let Some(shown) = from_end.clone().find(|message| !is_reminder(message)) else {
        return Some(InputReason::Empty);
    };
    if *shown.role() == Role::Assistant {
        let has_call = !structured_calls(shown.content()).is_empty();
        return Some(if has_call { InputReason::CallUnanswered } else { InputReason::Answered });
    }
    let since_spoken = from_end.clone().take_while(|message| !matches!(message.role(), Role::Assistant | Role::User));
    if let Some(reason) = since_spoken.filter_map(end_of_turn).next() {
        return Some(reason);
    }
    if from_end.clone().next().is_some_and(Message::pinned) {
        return Some(InputReason::Pinned);
    }
    let mut from_end = from_end;
    (!from_end.any(|message| *message.role() == Role::User)).then_some(InputReason::NoUserMessage)
}

/// What a note of the program says about the end of a turn.
fn end_of_turn(message: &Message) -> Option<InputReason> {
    if *message.role() != Role::System || message.call_id().is_some() {
        return None;
    }
    match message.content() {
        INTERRUPTED => Some(InputReason::Interrupted),
        DECLINED => Some(InputReason::Declined),
        text if text.starts_with(REQUEST_FAILED) => Some(InputReason::RequestFailed),
        _ if message.metadata().max_steps_stop() => Some(InputReason::StepLimit),
        _ => None,
    }
}

/// A reminder to compact, which is part of no turn.
fn is_reminder(message: &Message) -> bool {
    *message.role() == Role::System
        && message.call_id().is_none()
        && message.metadata().get("compaction_reminder_view").is_some()
}

fn has_resume_key(message: &Message) -> bool {
    message.metadata().get("resume_key").is_some()
}
