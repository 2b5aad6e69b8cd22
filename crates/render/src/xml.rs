//! XML: one message as a model may be given it, or a whole log as a document.

use convlog_message::Message;

/// A message as gptme puts it into a prompt: `<message role="…">`, the content on lines of its own, escaped.
///
/// Characters that XML cannot hold (most control characters) become U+FFFD, so that any parser takes it.
///
/// ```
/// use convlog_message::{Message, Role, Timestamp};
///
/// let message = Message::new(Role::User, "1 < 2", Timestamp::now());
/// assert_eq!(convlog_render::message_xml(&message), "<message role=\"user\">\n1 &lt; 2\n</message>");
/// ```
#[must_use]
pub fn message_xml(message: &Message) -> String {
    element(&[("role", message.role().as_str())], &escaped(message.content()))
}

/// A log as an XML document: a `conversation` with its name, and in it the messages as [`message_xml`] has
/// them, with more attributes: `timestamp` (when it is recorded), `hide`, and `call_id`.
///
/// All that XML can hold comes back, line ends of Windows included.
///
/// ```
/// use convlog_message::{Message, Role};
///
/// let message = Message::new(Role::User, "hi", "2026-01-02T03:04:05".parse()?);
/// let text = convlog_render::xml("a talk", [&message]);
/// assert!(text.ends_with("<conversation name=\"a talk\">\n<message role=\"user\" timestamp=\"2026-01-02T03:04:05\">\nhi\n</message>\n</conversation>\n"));
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[must_use]
pub fn xml<'a>(name: &str, messages: impl IntoIterator<Item = &'a Message>) -> String {
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<conversation name={}>\n", quoted(name));
    for message in messages {
        let timestamp = message.timestamp().to_string();
        let mut attributes = vec![("role", message.role().as_str())];
        attributes.extend(message.has_recorded_timestamp().then_some(("timestamp", &*timestamp)));
        attributes.extend(message.hide().then_some(("hide", "true")));
        attributes.extend(message.call_id().map(|id| ("call_id", id)));
        text.push_str(&element(&attributes, &escaped(message.content()).replace('\r', "&#13;")));
        text.push('\n');
    }
    text.push_str("</conversation>\n");
    text
}

fn element(attributes: &[(&str, &str)], content: &str) -> String {
    let attributes: String = attributes.iter().map(|(name, value)| format!(" {name}={}", quoted(value))).collect();
    format!("<message{attributes}>\n{content}\n</message>")
}

/// Text between tags, as Python's `xml.sax.saxutils.escape` has it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ if is_allowed(character) => out.push(character),
            _ => out.push('\u{fffd}'),
        }
    }
    out
}

/// The value of an attribute with its quotes, as Python's `quoteattr` has it.
fn quoted(text: &str) -> String {
    let text = escaped(text).replace('\n', "&#10;").replace('\r', "&#13;").replace('\t', "&#9;");
    match (text.contains('"'), text.contains('\'')) {
        (false, _) => format!("\"{text}\""),
        (true, false) => format!("'{text}'"),
        (true, true) => format!("\"{}\"", text.replace('"', "&quot;")),
    }
}

/// Whether XML 1.0 can hold a character.
const fn is_allowed(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}
