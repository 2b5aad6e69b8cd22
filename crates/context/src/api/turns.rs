//! Which calls and results can be sent as such: [`Turns`].

use std::collections::HashSet;

use convlog_message::{Message, Role};
use serde_json::{Map, Value};

use crate::call::structured_calls;

/// A call that can be sent as one: its arguments are a JSON object.
pub(super) struct Call<'a> {
    pub(super) tool: &'a str,
    pub(super) id: &'a str,
    pub(super) arguments: Map<String, Value>,
}

/// An assistant's message: the text around its calls, and the calls.
pub(super) struct Answer<'a> {
    pub(super) text: String,
    pub(super) calls: Vec<Call<'a>>,
}

/// Takes the structured calls out of an assistant's text, those that the results behind it answer.
///
/// Providers refuse a call without its result, and a result without its call. So a call that was never
/// answered, or whose JSON is broken, stays text; and a result is one only behind its call.
pub(super) fn answer<'a>(message: &'a Message, later: &[Message]) -> Answer<'a> {
    let answered: HashSet<&str> = results(later).filter_map(Message::call_id).collect();
    let content = message.content();
    let (mut text, mut calls, mut from) = (String::new(), Vec::new(), 0);
    let mut ids = HashSet::new();
    for call in structured_calls(content) {
        let arguments = serde_json::from_str(call.arguments).ok();
        let Some(arguments) = arguments.filter(|_| answered.contains(call.call_id) && ids.insert(call.call_id)) else {
            continue;
        };
        text.push_str(content.get(from..call.span.start).unwrap_or_default());
        from = call.span.end;
        calls.push(Call { tool: call.tool, id: call.call_id, arguments });
    }
    text.push_str(content.get(from..).unwrap_or_default());
    Answer { text: text.trim_end().to_owned(), calls }
}

/// The results behind an assistant's message, up to the next message that is not the system's.
fn results(later: &[Message]) -> impl Iterator<Item = &Message> {
    later.iter().take_while(|message| *message.role() == Role::System).filter(|message| message.call_id().is_some())
}
