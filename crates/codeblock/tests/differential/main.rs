//! convlog beside gptme 0.35.1 on thousands of generated texts.
//!
//! Needs an interpreter with gptme: `CONVLOG_GPTME_PYTHON`, or `target/gptme-0.35.1/bin/python` in the
//! workspace. Without one it says so and is skipped; in CI it fails.

#[path = "../gptme/mod.rs"]
mod gptme;
mod model;
mod texts;

use std::collections::BTreeMap;

use convlog_codeblock::{Codeblock, CodeblockStream, codeblocks};
use gptme::{Block, Gptme};
use model::Why;
use serde_json::json;
use texts::Random;

const TEXTS: u64 = 8_000;

fn plain(block: &Codeblock) -> Block {
    Block {
        lang: block.lang().to_owned(),
        content: block.content().to_owned(),
        path: block.path().map(str::to_owned),
        start: block.start(),
        fence: block.fence().to_string(),
    }
}

fn has_tags(text: &str) -> bool {
    ["<think>", "</think>", "<thinking>", "</thinking>"].iter().any(|tag| text.contains(tag))
}

/// How many texts: a variable of the environment can ask for more.
fn seeds() -> std::ops::Range<u64> {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let first = number("CONVLOG_TEXTS_FROM", 0);
    first..first + number("CONVLOG_TEXTS", TEXTS)
}

#[test]
fn whole_texts() {
    let Some(mut gptme) = Gptme::start() else { return };
    let mut counts = BTreeMap::new();
    for seed in seeds() {
        let text = texts::text(seed);
        let (by_gptme, _) = gptme.blocks(&text);
        let ours: Vec<_> = codeblocks(&text).map(|block| plain(&block)).collect();
        for block in &by_gptme {
            assert!(ours.contains(block), "seed {seed}: {block:#?} is missing\n{text}\nours: {ours:#?}");
        }
        let expected = model::model(&mut gptme, &text, by_gptme);
        let blocks: Vec<_> = expected.iter().map(|(block, _)| block.clone()).collect();
        assert_eq!(ours, blocks, "seed {seed}\n{text}\n{text:?}");
        for (_, why) in expected {
            *counts.entry(why).or_insert(0_u64) += 1;
        }
    }
    println!("{counts:?}");
    let all = [
        Why::Gptme,
        Why::Tildes,
        Why::Indented,
        Why::TextAfter,
        Why::LongerFence,
        Why::IndentedClose,
        Why::SixBackticks,
        Why::RestByGptme,
    ];
    for why in all {
        assert!(counts.get(&why).is_some_and(|count| *count >= 20), "the texts do not try {why:?}");
    }
}

/// What is given while the text comes in pieces of random sizes, and all that is given in the end.
fn stream(text: &str, random: &mut Random) -> (Vec<Block>, Vec<Block>) {
    let mut stream = CodeblockStream::new();
    let mut given = Vec::new();
    let longest = [1, 2, 7, 60, 1000][random.below(5)];
    let mut rest = text;
    while !rest.is_empty() {
        let mut length = rest.len().min(1 + random.below(longest));
        while !rest.is_char_boundary(length) {
            length += 1;
        }
        given.extend(stream.feed(&rest[..length]).iter().map(plain));
        rest = &rest[length..];
    }
    let mut all = given.clone();
    all.extend(stream.finish().blocks.iter().map(plain));
    (given, all)
}

/// The differences in what is given before the text ends; each is a row in `docs/differences.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum WhyStreaming {
    /// None: both give it.
    Same,
    /// gptme waits for a blank line, or takes a bare fence for the beginning of a nested block; the block is
    /// sure without.
    SureBefore,
    /// gptme gives a block that it takes back, or gives otherwise, when the text ends.
    TakenBack,
    /// A here-document may still come to be, which makes this block or one before it another; gptme does not
    /// wait for that.
    HereDocument,
    /// The closing fence has no newline yet, and what may still come on its line would make it another; gptme
    /// does not wait for that.
    UnfinishedLine,
    /// A block that gptme forgets for a thinking section behind it; it was given before that.
    BeforeThinking,
}

fn closes_on_unfinished_line(text: &str, block: &Block) -> bool {
    let visible = model::visible(text).unwrap_or_default().replace("\r\n", "\n").replace('\r', "\n");
    let last = visible.matches('\n').count();
    let close = block.start.unwrap() + 1 + block.content.split('\n').count();
    !visible.ends_with('\n') && (close == last || block.content.is_empty() && close == last + 1)
}

#[test]
fn streams() {
    let Some(mut gptme) = Gptme::start() else { return };
    let mut counts = BTreeMap::new();
    for seed in seeds() {
        let text = texts::text(seed);
        let mut random = Random(seed);
        let (whole, streaming) = gptme.blocks(&text);
        let ours: Vec<_> = codeblocks(&text).map(|block| plain(&block)).collect();
        let (given, all) = stream(&text, &mut random);
        assert_eq!(stream(&text, &mut random), (given.clone(), all.clone()), "seed {seed}: pieces matter\n{text}");
        assert!(all.ends_with(&ours), "seed {seed}\n{text}\nstream: {all:#?}\nwhole: {ours:#?}");
        assert!(all == ours || has_tags(&text), "seed {seed}\n{text}\nstream: {all:#?}\nwhole: {ours:#?}");
        let before_thinking = all.len() - ours.len();
        // What holds back the blocks that are not given.
        let held_back = all.get(given.len()).map_or("", |block| &block.content);

        for block in &streaming {
            let why = [
                (given.contains(block), WhyStreaming::Same),
                (!whole.contains(block), WhyStreaming::TakenBack),
                (held_back.contains("<<"), WhyStreaming::HereDocument),
                (closes_on_unfinished_line(&text, block), WhyStreaming::UnfinishedLine),
            ];
            let why = why.into_iter().find(|(holds, _)| *holds);
            let why = why.unwrap_or_else(|| panic!("seed {seed}: {block:#?}\n{text}\n{given:#?}")).1;
            *counts.entry(why).or_insert(0_u64) += 1;
        }
        for (i, block) in given.iter().enumerate().filter(|(_, block)| !streaming.contains(block)) {
            let why = [
                (i < before_thinking, WhyStreaming::BeforeThinking),
                (ours.contains(block), WhyStreaming::SureBefore),
            ];
            let why = why.into_iter().find(|(holds, _)| *holds);
            let why = why.unwrap_or_else(|| panic!("seed {seed}: {block:#?}\n{text}\n{given:#?}")).1;
            *counts.entry(why).or_insert(0_u64) += 1;
        }
    }
    println!("{counts:?}");
    let all = [
        WhyStreaming::Same,
        WhyStreaming::SureBefore,
        WhyStreaming::TakenBack,
        WhyStreaming::HereDocument,
        WhyStreaming::UnfinishedLine,
        WhyStreaming::BeforeThinking,
    ];
    for why in all {
        assert!(counts.get(&why).is_some_and(|count| *count >= 5), "the texts do not try {why:?}");
    }
}

/// A text of characters that XML or Markdown have a use for.
fn odd_text(random: &mut Random, odd: &[&str]) -> String {
    (0..random.below(12)).map(|_| random.pick(odd)).collect()
}

#[test]
fn xml() {
    let Some(mut gptme) = Gptme::start() else { return };
    let mut random = Random(1);
    let odd = ["a", " ", "<", ">", "&", "\"", "'", "\n", "\t", "&amp;", "]]>", "é", "😀", ".", "```", "\u{85}"];
    for _ in 0..3_000 {
        let content = odd_text(&mut random, &odd);
        let mut block = Codeblock::new(odd_text(&mut random, &odd), content.clone());
        if random.one_in(2) {
            block = block.with_path(odd_text(&mut random, &odd));
        }
        let theirs = gptme.ask(&json!({ "block": [block.lang(), content, block.path()] }));
        let xml = block.to_xml();
        assert_eq!(theirs["xml"], xml, "the same bytes");
        assert_eq!(Codeblock::from_xml(&xml), Ok(block.clone()));
        // gptme reads what we write; it takes every newline off the ends, and we but the one of the form.
        let read = Block::from(&gptme.ask(&json!({ "xml": xml }))["block"]);
        assert_eq!((read.lang.as_str(), read.path.as_deref()), (block.lang(), block.path()));
        assert_eq!(read.content, content.trim_matches('\n'));
    }
    // What gptme writes and no reader takes.
    let block = Codeblock::new("py", "a\x1b\rb");
    let theirs = gptme.ask(&json!({ "block": [block.lang(), block.content(), null] }));
    assert!(gptme.ask(&json!({ "xml": theirs["xml"] }))["error"].is_string());
    let read = gptme.ask(&json!({ "xml": block.to_xml() }));
    assert_eq!(Block::from(&read["block"]).content, "a\u{fffd}\rb");
}
