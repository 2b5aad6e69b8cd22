//! What is special about a message, in a few words.

use convlog_message::Message;

/// Flags, call, model and files, with dots between; empty for most messages.
pub(crate) fn marks(message: &Message) -> String {
    let mut marks = Vec::new();
    let flags = [(message.pinned(), "pinned"), (message.hide(), "hidden"), (message.ui_only(), "ui only")];
    marks.extend(flags.into_iter().filter(|(set, _)| *set).map(|(_, mark)| mark.to_owned()));
    if let Some(ttl) = message.ephemeral_ttl() {
        marks.push(format!("kept for {ttl} answers"));
    }
    marks.extend(message.call_id().map(|id| format!("answers {id}")));
    marks.extend(message.metadata().model().map(str::to_owned));
    marks.extend(message.files().iter().map(|file| file.as_str().to_owned()));
    marks.join(" · ")
}
