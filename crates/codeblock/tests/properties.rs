//! What holds for every text.

#![allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(clippy::print_stdout, clippy::string_slice, clippy::unwrap_used)]

use convlog_codeblock::{Codeblock, CodeblockStream, Fence, Mark, Piece, codeblocks, pieces};
use proptest::prelude::*;

/// Lines that mean something, and any characters at all.
fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        4 => "[ ]{0,4}(`{3,8}|~{3,5})(|py|sh|ipython|save a\\.md|[ -~]{0,6}|<think>|\\PC{0,3})",
        2 => "cat <<'?E|E|it's|s = \"\"\"|'''|text||  |</?think(ing)?>",
        1 => "\\PC{0,12}",
        1 => any::<String>(),
    ];
    let newline = prop_oneof![8 => Just("\n"), 1 => Just("\r\n"), 1 => Just("\r")];
    prop::collection::vec((line, newline), 0..30)
        .prop_map(|lines| lines.into_iter().flat_map(|(line, newline)| [line, newline.to_owned()]).collect())
}

fn has_tags(text: &str) -> bool {
    ["<think>", "</think>", "<thinking>", "</thinking>"].iter().any(|tag| text.contains(tag))
}

type Seen = (Codeblock, Option<usize>, Fence);

fn seen(block: Codeblock) -> Seen {
    let (start, fence) = (block.start(), block.fence());
    (block, start, fence)
}

fn finish(stream: CodeblockStream, given: &[Seen]) -> Vec<Seen> {
    given.iter().cloned().chain(stream.finish().blocks.into_iter().map(seen)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_block_once_given_stays(text in text()) {
        let mut stream = CodeblockStream::new();
        let mut given: Vec<Seen> = Vec::new();
        let mut buffer = [0; 4];
        for (at, c) in text.char_indices() {
            given.extend(stream.feed(c.encode_utf8(&mut buffer)).into_iter().map(seen));
            let prefix = &text[..at + c.len_utf8()];
            // The same as when all of it comes at once.
            let at_once: Vec<_> = CodeblockStream::new().feed(prefix).into_iter().map(seen).collect();
            prop_assert_eq!(&given, &at_once);
            // Were this the end, the blocks of the whole would come out.
            let whole: Vec<_> = codeblocks(prefix).map(seen).collect();
            let all = finish(stream.clone(), &given);
            prop_assert!(all.ends_with(&whole));
            prop_assert!(all == whole || has_tags(prefix));
            prop_assert_eq!(stream.clone().finish().open, codeblocks(prefix).into_open_block());
            let _ = stream.open_block();
        }
    }

    #[test]
    fn markdown_comes_back(
        lang in "[^\\s`\\x00-\\x1f\u{85}]([^`\\x00-\\x1f\u{85}]{0,8}[^\\s`\\x00-\\x1f\u{85}])?|",
        content in prop_oneof![text(), any::<String>()],
        tildes in any::<bool>(),
        length in 3..8_usize,
    ) {
        prop_assume!(!has_tags(&content) && !has_tags(&lang));
        let fence = Fence::new(if tildes { Mark::Tilde } else { Mark::Backtick }, length);
        let block = Codeblock::new(lang.clone(), content.clone()).with_fence(fence);
        let markdown = block.to_markdown();
        let content = content.replace("\r\n", "\n").replace('\r', "\n");
        let blocks: Vec<_> = codeblocks(&markdown).collect();
        prop_assert_eq!(blocks, [Codeblock::new(lang, content)]);
        prop_assert_eq!(codeblocks(&markdown).into_open_block(), None);
    }

    #[test]
    fn xml_comes_back(lang in any::<String>(), content in text(), path in any::<Option<String>>()) {
        let mut block = Codeblock::new(lang, content);
        if let Some(path) = path {
            block = block.with_path(path);
        }
        let xml = block.to_xml();
        let read = Codeblock::from_xml(&xml).unwrap();
        // What XML cannot say is another character once, and then stays.
        prop_assert_eq!(read.to_xml(), xml.clone());
        if !xml.contains('\u{fffd}') {
            prop_assert_eq!(read, block);
        }
    }

    #[test]
    fn no_xml_makes_it_panic(xml in "(<codeblock( lang=['\"]?)?|>|</codeblock>|&#?[a-z0-9]{0,4};?|<!--|-->|\\PC|\n){0,12}") {
        let _ = Codeblock::from_xml(&xml);
    }

    /// For showing a text: nothing of it is left out, and its blocks are the blocks.
    #[test]
    fn the_pieces_are_the_text(text in text()) {
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let (mut joined, mut closed, mut open) = (String::new(), Vec::new(), None);
        for piece in pieces(&text) {
            match piece {
                Piece::Thinking(part) | Piece::Text(part) => joined.push_str(part),
                Piece::Code(code) => {
                    joined.extend([code.opening, code.content, code.closing]);
                    if code.closing.is_empty() { open = Some(code.block) } else { closed.push(seen(code.block)) }
                }
                other => panic!("{other:?}"),
            }
        }
        prop_assert_eq!(&joined, &text);
        prop_assert_eq!(closed, codeblocks(&text).map(seen).collect::<Vec<_>>());
        prop_assert_eq!(open, codeblocks(&text).into_open_block());
    }
}
