//! What holds for every message, whatever it says.

#![allow(clippy::arithmetic_side_effects, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

use convlog_message::{Log, Message, Role, Timestamp, Zone, arbitrary};
use convlog_render::{Colors, Renderer, Text, html, markdown, message_xml, printable, xml};
use proptest::prelude::*;
use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd};
use unicode_width::UnicodeWidthStr as _;

/// Lines that mean something in Markdown, and what is hard to show.
fn content() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        3 => "[ ]{0,4}(`{3,5}|~{3,4})(py|sh|save a\\.md|)",
        2 => "</?(think|script|pre|div|a b)>|<!--|-->|<\\?|\\?>|<!\\[CDATA\\[|\\]\\]>",
        2 => "(- |> |# |1\\. |    |\\| a \\|)[ -~]{0,20}",
        2 => "\\PC{0,30}",
        1 => arbitrary::text(),
    ];
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

fn log() -> impl Strategy<Value = Log> {
    let message = (content(), arbitrary::message(), any::<bool>()).prop_map(|(content, message, is_plain)| {
        let message = if is_plain { message.with_role(Role::Assistant) } else { message };
        message.with_content(content)
    });
    prop::collection::vec(message, 1..4).prop_map(|messages| messages.into_iter().collect())
}

fn shown(text: &Text, message: &Message) -> String {
    let mut out = Vec::new();
    text.message(&mut out, message).unwrap();
    String::from_utf8(out).unwrap()
}

/// Without the escape sequences of colours.
fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn nothing_in_a_message_steers_the_terminal(log in log(), columns in 1..120_usize) {
        for message in &log {
            let text = Text::new(Zone::UTC);
            let plain = shown(&text, message);
            prop_assert_eq!(&printable(&plain), &plain);
            prop_assert_eq!(&without_colors(&shown(&text.clone().with_colors(Colors::Ansi), message)), &plain, "colours are all");
            let oneline = text.clone().with_columns(columns).oneline(message);
            prop_assert!(oneline.width() <= columns && printable(&oneline) == oneline && !oneline.contains('\n'));
        }
    }

    /// Lines are wrapped by columns; a character that is wider than the terminal is alone on its line.
    #[test]
    fn lines_fit_and_nothing_is_left_out(log in log(), columns in 20..120_usize) {
        for message in &log {
            let wide = shown(&Text::new(Zone::UTC), message);
            let narrow = shown(&Text::new(Zone::UTC).with_columns(columns).with_colors(Colors::Ansi), message);
            let narrow = without_colors(&narrow);
            for line in narrow.lines().skip(1) {
                prop_assert!(line.width() <= columns.max(4), "{line:?}");
            }
            let letters = |text: &str| -> String {
                text.lines().skip(1).flat_map(str::chars).filter(|c| !c.is_whitespace()).collect()
            };
            prop_assert_eq!(letters(&narrow), letters(&wide));
        }
    }

    #[test]
    fn xml_is_xml_and_comes_back(log in log(), name in arbitrary::text()) {
        let text = xml(&name, &log);
        let document = roxmltree::Document::parse(&text).unwrap();
        let messages: Vec<_> = document.root_element().children().filter(roxmltree::Node::is_element).collect();
        prop_assert_eq!(messages.len(), log.len());
        for (element, message) in messages.iter().zip(&log) {
            let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
            let held = |text: &str| -> String { text.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect() };
            prop_assert_eq!(element.text(), Some(&*format!("\n{}\n", held(message.content()))));
            prop_assert_eq!(element.attribute("role"), Some(&*held(message.role().as_str())));
            prop_assert_eq!(element.attribute("hide").is_some(), message.hide());
            roxmltree::Document::parse(&message_xml(message)).unwrap();
        }
    }

    /// Whatever a message leaves open, the heading of the next one is a heading.
    #[test]
    fn markdown_has_a_heading_for_each_message(contents in prop::collection::vec(content(), 1..5)) {
        let time: Timestamp = "2026-01-02T03:04:05".parse().unwrap();
        let log: Vec<_> = contents.iter().map(|text| Message::new(Role::User, &**text, time.clone())).collect();
        let text = markdown("x", &log, Zone::UTC);
        let (mut headings, mut is_heading) = (0, false);
        for event in Parser::new(&text) {
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => is_heading = true,
                Event::End(TagEnd::Heading(_)) => is_heading = false,
                Event::Text(text) if is_heading && &*text == "User  (2026-01-02 03:04:05)" => headings += 1,
                _ => {}
            }
        }
        prop_assert_eq!(headings, log.len(), "{}", text);
    }

    #[test]
    fn html_holds_each_message_and_no_tag_of_theirs(log in log(), name in arbitrary::text()) {
        let page = html(&name, &log, Zone::UTC);
        let count = |tag: &str| page.matches(tag).count();
        prop_assert_eq!(count(" id=\"m"), log.len());
        for tag in ["<script", "<img", "<iframe", "<!--", "javascript:\"", "<link", "<a b"] {
            prop_assert_eq!(count(tag), 0, "{}", tag);
        }
        for (open, close) in [("<details", "</details>"), ("<article", "</article>"), ("<div", "</div>"), ("<pre", "</pre>")] {
            prop_assert_eq!(count(open), count(close), "{}", open);
        }
        let printed = Renderer::new(Text::new(Zone::UTC)).print(&mut std::io::sink(), &log).unwrap();
        prop_assert_eq!(printed.shown + printed.hidden, log.len() as u64);
    }
}
