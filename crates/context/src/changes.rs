//! Whether the last answer changed files: [`changed_files`].

use convlog_message::{Message, Role};

use crate::call::tool_calls;

/// The tools of gptme that change files, by the names that [`changed_files`] asks for.
pub const CHANGING_TOOLS: [&str; 4] = ["save", "patch", "append", "morph"];

/// Says whether the assistant's last message since the person's last one calls a tool that changes files.
///
/// Only that message counts: earlier ones may have changed files too, but what a program does after a change
/// (running checks, say) it has done for them already. Calls are those of [`tool_calls`]; `is_changing` gets
/// the name of each tool and says whether it counts.
///
/// ```
/// use convlog_context::{CHANGING_TOOLS, changed_files};
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let log = Log::new()
///     .append(Message::new(Role::User, "Write it down.", Timestamp::now()))
///     .append(Message::new(Role::Assistant, "```save notes.txt\nIt\n```", Timestamp::now()));
/// assert!(changed_files(&log, |tool| CHANGING_TOOLS.contains(&tool)));
/// assert!(!changed_files(&log, |tool| tool == "patch"));
/// ```
pub fn changed_files<'a, L>(log: L, is_changing: impl Fn(&str) -> bool) -> bool
where
    L: IntoIterator<Item = &'a Message>,
    L::IntoIter: DoubleEndedIterator,
{
    let mut last_answer = None;
    for message in log.into_iter().rev() {
        match message.role() {
            Role::User => {
                return last_answer.is_some_and(|answer: &Message| {
                    tool_calls(answer.content()).iter().any(|call| is_changing(&call.tool))
                });
            }
            Role::Assistant => last_answer = last_answer.or(Some(message)),
            _ => {}
        }
    }
    false
}
