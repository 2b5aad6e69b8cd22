//! What only CommonMark sees is what a CommonMark parser sees: tildes and indented fences beside pulldown-cmark.

use convlog_codeblock::codeblocks;
use proptest::prelude::*;
use pulldown_cmark::{CodeBlockKind, Event, Parser, Tag, TagEnd};

fn by_pulldown(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut open: Option<(String, String)> = None;
    for event in Parser::new(text) {
        match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => open = Some((info.to_string(), String::new())),
            Event::Text(text) => open.iter_mut().for_each(|(_, content)| content.push_str(&text)),
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

// No fence that gptme sees, no list or quote, nothing behind four spaces: these are other matters.
proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn as_a_commonmark_parser(
        lines in prop::collection::vec("[ ]{0,3}~{3,5}(|py| b c|~)[ ]{0,2}|[ ]{1,3}`{3,5}(|py)[ ]{0,2}|[ ]{0,3}(text|x)|", 0..20)
    ) {
        let text: String = lines.iter().flat_map(|line| [line, "\n"]).collect();
        let mut expected = by_pulldown(&text);
        // To CommonMark, a block that is open at the end is one.
        if codeblocks(&text).into_open_block().is_some() {
            expected.pop();
        }
        let found: Vec<_> = codeblocks(&text).map(|b| (b.lang().to_owned(), b.content().to_owned())).collect();
        let without_newline = |content: String| content.strip_suffix('\n').unwrap_or(&content).to_owned();
        let expected: Vec<_> = expected.into_iter().map(|(lang, content)| (lang, without_newline(content))).collect();
        prop_assert_eq!(found, expected);
    }
}
