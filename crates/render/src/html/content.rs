//! A content as HTML: Markdown laid out, code highlighted, nothing let through.

use std::fmt::Write as _;

use convlog_codeblock::{CodePiece, Piece, pieces};
use pulldown_cmark::{CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd, html};

use super::escape::{escaped, visible};
use crate::highlight::{Kind, highlight};

/// Where links may lead.
const SCHEMES: [&str; 3] = ["http://", "https://", "mailto:"];

/// Writes a content. Code blocks are those that convlog finds (nested fences nest), the text between them is
/// Markdown.
pub(super) fn write(page: &mut String, content: &str) {
    for piece in pieces(&visible(content)) {
        match piece {
            Piece::Thinking(text) => {
                page.push_str("<details class=\"thinking\"><summary>Thinking</summary>\n");
                markdown(page, without_tags(text));
                page.push_str("</details>\n");
            }
            Piece::Text(text) => markdown(page, text),
            Piece::Code(CodePiece { block, .. }) => code(page, block.lang(), block.content()),
            _ => {}
        }
    }
}

/// The text within thinking tags.
fn without_tags(text: &str) -> &str {
    let text = text.trim();
    let opened = ["<thinking>", "<think>"].iter().find_map(|tag| text.strip_prefix(tag)).unwrap_or(text);
    ["</thinking>", "</think>"].iter().find_map(|tag| opened.strip_suffix(tag)).unwrap_or(opened)
}

/// A code block, and above it what stands behind its fence.
fn code(page: &mut String, info: &str, code: &str) {
    page.push_str("<figure class=\"code\">");
    if !info.is_empty() {
        let _ = write!(page, "<figcaption>{}</figcaption>", escaped(info));
    }
    page.push_str("<pre><code>");
    for (kind, token) in highlight(info, code) {
        match class(kind) {
            Some(class) => {
                let _ = write!(page, "<span class=\"{class}\">{}</span>", escaped(token));
            }
            None => page.push_str(&escaped(token)),
        }
    }
    page.push_str("</code></pre></figure>\n");
}

const fn class(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::Plain => None,
        Kind::Comment => Some("c"),
        Kind::Text => Some("t"),
        Kind::Number => Some("n"),
        Kind::Keyword => Some("k"),
        Kind::Name => Some("f"),
        Kind::Inserted => Some("i"),
        Kind::Deleted => Some("d"),
    }
}

/// Markdown, with nothing in it that acts: HTML is text, links of other schemes are their text, images are links.
fn markdown(page: &mut String, text: &str) {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let mut events = Vec::new();
    let mut parser = Parser::new_ext(text, options);
    // Whether each link that is open was let through.
    let mut links = Vec::new();
    while let Some(event) = parser.next() {
        match event {
            Event::Html(text) | Event::InlineHtml(text) => events.push(Event::Text(text)),
            Event::SoftBreak => events.push(Event::HardBreak),
            Event::Start(Tag::CodeBlock(kind)) => events.push(inner_code(&kind, &mut parser)),
            Event::Start(Tag::HtmlBlock) => events.push(Event::Html("<p class=\"raw\">".into())),
            Event::End(TagEnd::HtmlBlock) => events.push(Event::Html("</p>\n".into())),
            Event::Start(Tag::Heading { level, .. }) => events.push(Event::Start(heading(level))),
            Event::End(TagEnd::Heading(level)) => events.push(Event::End(TagEnd::Heading(lower(level)))),
            Event::Start(Tag::Link { link_type, dest_url, .. } | Tag::Image { link_type, dest_url, .. }) => {
                let link = link(link_type, dest_url);
                links.push(link.is_some());
                events.extend(link.map(Event::Start));
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                events.extend((links.pop() == Some(true)).then_some(Event::End(TagEnd::Link)));
            }
            other => events.push(other),
        }
    }
    html::push_html(page, events.into_iter());
}

/// A code block that stands deeper in Markdown than convlog looks: in a list, say.
fn inner_code<'a>(kind: &CodeBlockKind<'_>, parser: &mut Parser<'a>) -> Event<'a> {
    let mut content = String::new();
    for event in parser.by_ref() {
        match event {
            Event::End(TagEnd::CodeBlock) => break,
            Event::Text(text) => content.push_str(&text),
            _ => {}
        }
    }
    let info = match kind {
        CodeBlockKind::Fenced(info) => info,
        CodeBlockKind::Indented => "",
    };
    let mut shown = String::new();
    code(&mut shown, info, &content);
    Event::Html(shown.into())
}

/// Headings of messages stand below those of the page.
fn heading(level: HeadingLevel) -> Tag<'static> {
    Tag::Heading { level: lower(level), id: None, classes: Vec::new(), attrs: Vec::new() }
}

const fn lower(level: HeadingLevel) -> HeadingLevel {
    match level {
        HeadingLevel::H1 => HeadingLevel::H3,
        HeadingLevel::H2 => HeadingLevel::H4,
        HeadingLevel::H3 => HeadingLevel::H5,
        _ => HeadingLevel::H6,
    }
}

/// A link, when it leads where links may lead.
fn link<'a>(link_type: LinkType, target: CowStr<'a>) -> Option<Tag<'a>> {
    let lower = target.get(..8).unwrap_or(&target).to_ascii_lowercase();
    let is_allowed = link_type == LinkType::Email || SCHEMES.iter().any(|scheme| lower.starts_with(scheme));
    is_allowed.then(|| Tag::Link { link_type, dest_url: target, title: CowStr::from(""), id: CowStr::from("") })
}
