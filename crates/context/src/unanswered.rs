//! Calls that were cut off from their results: [`unanswered_calls`].

use convlog_message::{Message, Role, Timestamp};

use crate::call::structured_calls;
use crate::piece::Kind;

/// A structured tool call without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnansweredCall {
    /// The tool that was called.
    pub tool: String,
    /// What a result would bear as call id.
    pub call_id: String,
}

impl UnansweredCall {
    /// A result to put in the place of the missing one, for a provider that refuses calls without results.
    #[must_use]
    pub fn result(&self, content: &str, timestamp: Timestamp) -> Message {
        Message::new(Role::System, content, timestamp).with_call_id(Some(&self.call_id))
    }
}

/// The structured calls of the assistant's last message that have no result: the turn was interrupted, by a
/// crash say.
///
/// Nothing is changed. A caller can run the tool now, or append a result that says what happened
/// ([`UnansweredCall::result`]). Calls in code blocks have no id by which a result could be told; they are not
/// among them.
///
/// ```
/// use convlog_context::unanswered_calls;
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let cut_off = Log::new()
///     .append(Message::new(Role::User, "List the files.", Timestamp::now()))
///     .append(Message::new(Role::Assistant, "@shell(c1): {\"command\": \"ls\"}", Timestamp::now()));
/// let calls = unanswered_calls(&cut_off);
/// assert_eq!((calls[0].tool.as_str(), calls[0].call_id.as_str()), ("shell", "c1"));
///
/// let closed = cut_off.append(calls[0].result("Interrupted.", Timestamp::now()));
/// assert!(unanswered_calls(&closed).is_empty());
/// ```
pub fn unanswered_calls<'a, L>(log: L) -> Vec<UnansweredCall>
where
    L: IntoIterator<Item = &'a Message>,
    L::IntoIter: DoubleEndedIterator,
{
    let mut answered = Vec::new();
    for message in log.into_iter().rev() {
        let kind = Kind::of(message);
        if kind == Kind::Result {
            answered.extend(message.call_id());
        } else if kind == Kind::Assistant {
            let mut calls = structured_calls(message.content());
            calls.retain(|call| !answered.contains(&call.call_id));
            return calls
                .into_iter()
                .map(|call| UnansweredCall { tool: call.tool.to_owned(), call_id: call.call_id.to_owned() })
                .collect();
        }
    }
    Vec::new()
}
