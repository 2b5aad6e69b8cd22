//! The cost grows as the text does, on hostile texts too: counted in bytes looked at, not in time.

use super::steps;
use crate::{CodeblockStream, codeblocks};

/// Texts made of a part that comes again and again, with another number each time where `#` stands.
const PARTS: [&str; 30] = [
    "`",
    "~",
    "`\n",
    "```",
    "```\n",
    "```py\n",
    "``````py\n",
    "```````\n",
    "````````````\n",
    "```py\nx\n```\ntext\n",
    "```py\n ```\n",
    "```a#\n ```\n```\n\n",
    "```a`b\n",
    " ```py\n```\n",
    "~~~\n```\n```\n\n",
    "~~~~\n```py\n~~~\n```\n\n",
    "```sh\n<<A#\n ```\n",
    "```sh\n<<A#\n",
    "```sh\necho \"it's\n```\ntext\n",
    "```sh\n$((\n$'\n",
    "```ipython\n\"\"\"\n ```\n",
    "```\n```\na\n",
    "```\na\n\n\n\n",
    "<think>\n```\n",
    "</think>\n```\n",
    "```<think></think>\n<think>",
    "<",
    "<think",
    "\r",
    " ",
];

fn text(part: &str, size: usize) -> String {
    let mut text = String::from("```py\nx\n");
    for number in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&part.replace('#', &number.to_string()));
    }
    text
}

fn deep(size: usize) -> String {
    "```py\n".repeat(size / 20) + &"```\n".repeat(size / 8)
}

fn cost_of_whole(text: &str) -> u64 {
    steps::take();
    let _ = codeblocks(text).count();
    let _ = codeblocks(text).into_open_block();
    steps::take()
}

fn cost_of_stream(text: &str, piece: usize) -> u64 {
    steps::take();
    let mut stream = CodeblockStream::new();
    text.as_bytes().chunks(piece).for_each(|piece| drop(stream.feed(std::str::from_utf8(piece).unwrap())));
    let _ = stream.finish();
    steps::take()
}

/// Four times the text costs little more than four times as much, and each byte is looked at a bounded number
/// of times.
#[track_caller]
fn check(name: &str, text: impl Fn(usize) -> String, cost: impl Fn(&str) -> u64) {
    let (small, large) = (text(16 << 10), text(64 << 10));
    let (cost_small, cost_large) = (cost(&small), cost(&large));
    assert!(cost_large <= cost_small * 5 + 10_000, "{name:?}: {cost_small} grows to {cost_large}");
    // Here-documents are looked for in 200 lines, by each of the rests that gptme is asked about.
    assert!(cost_large <= 9 * 2 * 210 * large.len() as u64, "{name:?}: {cost_large}");
}

#[test]
fn the_cost_of_a_whole_text_is_linear() {
    for part in PARTS {
        check(part, |size| text(part, size), cost_of_whole);
    }
    check("deep", deep, cost_of_whole);
}

#[test]
fn the_cost_of_a_stream_is_linear_whatever_the_pieces() {
    for piece in [1, 4096] {
        for part in PARTS {
            check(part, |size| text(part, size), |text| cost_of_stream(text, piece));
        }
        check("deep", deep, |text| cost_of_stream(text, piece));
    }
}

#[test]
fn a_megabyte_of_backticks() {
    let text = "`".repeat(1 << 20);
    assert!(cost_of_whole(&text) <= 8 << 20);
    assert!(cost_of_stream(&text, 1) <= 8 << 20);
}
