//! A conversation as one Markdown document: [`markdown`].

use std::fmt::Write as _;

use convlog_message::{Message, Zone};
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag};

use crate::text::{capitalised, local_seconds};

/// A conversation as Markdown: its name as the title, and each message under a heading of its role and time.
/// Hidden messages are left out.
///
/// The content stands as it is. Where it leaves something open that would take the next heading in (a code
/// block, an HTML comment), that is closed.
///
/// ```
/// use convlog_message::{Message, Role, Zone};
///
/// let asked = Message::new(Role::User, "Why?", "2026-01-02T03:04:05".parse()?);
/// let cut_short = Message::new(Role::Assistant, "```sh\nls", "2026-01-02T03:04:06".parse()?);
/// assert_eq!(
///     convlog_render::markdown("A talk", [&asked, &cut_short], Zone::UTC),
///     "# A talk\n\n## User  (2026-01-02 03:04:05)\n\nWhy?\n\n## Assistant  (2026-01-02 03:04:06)\n\n```sh\nls\n```\n"
/// );
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[must_use]
pub fn markdown<'a>(name: &str, messages: impl IntoIterator<Item = &'a Message>, zone: Zone) -> String {
    let mut text = format!("# {}\n", one_line(name));
    for message in messages.into_iter().filter(|message| !message.hide()) {
        let _ = write!(text, "\n## {}", one_line(&capitalised(message.role().as_str())));
        if message.has_recorded_timestamp() {
            let _ = write!(text, "  ({})", local_seconds(message.timestamp(), zone));
        }
        let content = message.content();
        let _ = write!(text, "\n\n{content}{}", closing(content));
        text.push('\n');
    }
    text
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).collect::<Vec<_>>().join(" ")
}

/// What is to be put behind a text so that a heading behind it is a heading.
fn closing(content: &str) -> String {
    if is_closed(content, "") {
        return String::new();
    }
    let fence = open_fence(content);
    let ends = ["-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">"].map(str::to_owned);
    let candidates = fence.into_iter().chain(ends);
    candidates.map(|end| format!("\n{end}")).find(|end| is_closed(content, end)).unwrap_or_default()
}

/// Whether a heading behind the two is a heading.
fn is_closed(content: &str, end: &str) -> bool {
    const PROBE: &str = "\n\n## x";
    let text = [content, end, PROBE].concat();
    let start = text.len().saturating_sub(PROBE.len());
    Parser::new(&text)
        .into_offset_iter()
        .any(|(event, span)| matches!(event, Event::Start(Tag::Heading { .. })) && span.start > start)
}

/// The fence of the last block that a fence opens.
fn open_fence(content: &str) -> Option<String> {
    let parser = Parser::new(content).into_offset_iter();
    let fenced = parser.filter(|(event, _)| matches!(event, Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_)))));
    let opening = content.get(fenced.last()?.1.start..)?;
    let mark = opening.chars().next()?;
    Some(opening.chars().take_while(|character| *character == mark).collect())
}
