//! What a caller adds, and shortening: enrichment, evidence, [`reduce`].

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use std::cell::RefCell;

use common::{assistant, say, system, user};
use convlog_context::{BLOCK_TOOLS, Options, TokenCounter, limit, prepare, reduce};
use convlog_message::{Message, Role};

fn contents(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(Message::content).collect()
}

fn letters(text: &str) -> usize {
    text.chars().count()
}

fn lines(from: usize, to: usize) -> String {
    (from..to).map(|n| n.to_string()).collect::<Vec<_>>().join("\n")
}

#[test]
fn enrichment_comes_before_pruning() {
    let log = [user("Read /a."), assistant("Done."), user("And?")];
    let add_file = |messages: Vec<Message>| -> Vec<Message> {
        let of = |message: Message| match message.content() {
            "Read /a." => vec![system("/a: gone").with_ephemeral_ttl(Some(0)), message],
            _ => vec![message],
        };
        messages.into_iter().flat_map(of).collect()
    };
    let prepared = prepare(&log, &Options::new().with_enrichment(&add_file));
    assert_eq!(contents(&prepared.messages), ["Read /a.", "Done.", "And?"]);
    assert_eq!(prepared.left_out.expired, 1);
}

#[test]
fn evidence_comes_behind_the_start_prompt_within_the_limit() {
    let log =
        [system("Start.").with_pinned(true), user("What was the colour?"), assistant("Of what?"), user("The car.")];
    let query = RefCell::new(String::new());
    let recall = |asked: &str| {
        asked.clone_into(&mut query.borrow_mut());
        let long = "long ".repeat(100);
        vec![user("The car."), user("The car is red."), user("The car is red."), assistant("Nice."), user(&long)]
    };
    let prepared = prepare(&log, &Options::new().with_recall(&recall));
    let (red, nice) = (
        "[Evidence from earlier in this conversation (user)]\nThe car is red.",
        "[Evidence from earlier in this conversation (assistant)]\nNice.",
    );
    assert_eq!(contents(&prepared.messages[..3]), ["Start.", red, nice]);
    assert!(prepared.messages[1].pinned() && prepared.messages[1].hide());
    assert_eq!(*query.borrow(), "What was the colour? The car.");
    assert_eq!(prepared.messages.len(), 7);

    let options = Options::new().with_recall(&recall).with_counter(&letters);
    let prepared = prepare(&log, &options.with_limit(400));
    assert_eq!(contents(&prepared.messages[..2]), ["Start.", red]); // a fifth of 400 has room for one
    assert!(prepared.tokens.unwrap() <= 400);
    assert_eq!(prepare(&log, &options.with_limit(50)).messages.len(), 4);
}

#[test]
fn the_longest_is_shortened_first_and_no_more_than_needed() {
    let block = |count| format!("See:\n```\n{}\n```\nDone.", lines(0, count));
    let log = vec![user(&block(40)), user(&block(60)), user("short")];
    let all: usize = log.iter().map(|message| letters(message.content())).sum();
    let is_tool = |_: &str| false;
    let reduced = reduce(log.clone(), all - 1, &letters, is_tool);
    assert_eq!(reduced[0].content(), log[0].content());
    assert_eq!(reduced[1].content(), format!("See:\n```\n{}\n[...]\n{}\n```\nDone.", lines(0, 10), lines(50, 60)));
    let reduced = reduce(log, 0, &letters, is_tool);
    assert!(reduced[0].content().contains("[...]") && reduced[1].content().contains("[...]"));
    assert_eq!(contents(&reduce(reduced.clone(), 0, &letters, is_tool)), contents(&reduced));
}

#[test]
fn pinned_messages_and_tool_calls_stay_whole() {
    let block = |language| format!("```{language}\n{}\n```", lines(0, 50));
    let log = vec![
        user(&block("py")).with_pinned(true),
        assistant(&block("save a.txt")),
        assistant(&format!("@ls(c1): {{}}\n{}", block("text"))),
        assistant(&format!("<tool-use><ls></ls></tool-use>\n{}", block("text"))),
        say(Role::User, &block("save a.txt")),
    ];
    let reduced = reduce(log.clone(), 0, &letters, |tool| BLOCK_TOOLS.contains(&tool));
    assert_eq!(contents(&reduced[..4]), contents(&log[..4]));
    assert!(reduced[4].content().contains("[...]"));
}

#[test]
fn every_long_part_of_a_message_is_shortened() {
    let text = format!(
        "a\r\n````md\n{0}\n```\nx\n```\n{0}\n````\nb\n```\n{0}\n```\n<details><summary>S</summary>\n{0}\n</details>",
        lines(0, 30)
    );
    let reduced = reduce(vec![user(&text)], 0, &letters, |_| false);
    let (first, last) = (lines(0, 10), lines(20, 30));
    let cut = format!("{first}\n[...]\n{last}");
    let expected =
        format!("a\n````md\n{cut}\n````\nb\n```\n{cut}\n```\n<details><summary>S</summary>\n{cut}\n</details>");
    assert_eq!(reduced[0].content(), expected);
}

#[test]
fn reduction_comes_before_messages_are_left_out() {
    let long = format!("```\n{}\n```", lines(0, 200));
    let log = [user(&long), assistant("Fine."), user("And?")];
    let options = Options::new().with_counter(&letters).with_limit(150);
    assert_eq!(prepare(&log, &options).messages.len(), 2);
    let prepared = prepare(&log, &options.with_reduction(&|_| false));
    assert_eq!(prepared.messages.len(), 3);
    assert!(prepared.tokens.unwrap() <= 150);
}

#[test]
fn what_is_always_kept_may_exceed_the_limit() {
    let log = vec![system("A long start prompt."), user("U")];
    assert_eq!(contents(&limit(log.clone(), 5, &letters)), ["A long start prompt."]);
    let prepared = prepare(&log, &Options::new().with_counter(&letters).with_limit(5));
    assert_eq!((prepared.tokens, prepared.left_out.over_limit), (Some(20), 1));
    let counter: &dyn TokenCounter = &letters;
    assert_eq!(limit(log, 21, counter).len(), 2);
}
