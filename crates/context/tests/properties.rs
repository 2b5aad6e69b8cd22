//! What holds of every log.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod common;

use std::cell::Cell;

use common::logs::{any_log, turns};
use convlog_context::{
    CACHE_BOUNDARY, Options, Prepared, TokenCounter, active_generation, count_tokens, hoist_resume_prompts, limit,
    merge_neighbours, prepare, prune_ephemeral,
};
use convlog_message::{Message, Role};
use proptest::prelude::*;

fn letters(text: &str) -> usize {
    text.chars().count()
}

fn log() -> impl Strategy<Value = Vec<Message>> {
    prop_oneof![any_log(16), turns(10)]
}

fn identical(a: &[Message], b: &[Message]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_identical(b))
}

/// Whether the messages are the parts of others, in order, and nothing but these and the blank lines between:
/// each message of `sent` is one message of `log` or several that were joined.
fn is_subsequence(sent: &[Message], log: &[Message]) -> bool {
    let mut log = log.iter();
    sent.iter().all(|message| {
        let mut rest = message.content();
        loop {
            let Some(part) = log.find(|part| part.role() == message.role() && rest.starts_with(part.content())) else {
                return false;
            };
            let after = rest.strip_prefix(part.content()).unwrap();
            if after.is_empty() {
                return true;
            }
            match after.strip_prefix("\n\n") {
                Some(after) => rest = after,
                None => continue, // an empty or shorter text that only began alike
            }
        }
    })
}

/// The log with each text made one of a kind, so that a part can be told from any other.
fn numbered(log: Vec<Message>) -> Vec<Message> {
    let number = |(at, message): (usize, Message)| {
        let content = if message.content() == CACHE_BOUNDARY { "x" } else { message.content() }.to_owned();
        message.with_content(format!("<{at}>{content}"))
    };
    log.into_iter().enumerate().map(number).collect()
}

/// Whether a message of the log is there, alone or joined with others. Only for numbered logs.
fn is_sent(message: &Message, sent: &[Message]) -> bool {
    let mark = message.content().split_inclusive('>').next().unwrap();
    sent.iter().any(|other| other.content().contains(mark))
}

/// The places of the assistant's messages and their results. Only for what was not joined.
fn pairs(log: &[Message]) -> Vec<Vec<&Message>> {
    let mut pairs: Vec<Vec<&Message>> = Vec::new();
    let mut is_open = false;
    for message in log {
        match message.role() {
            Role::Assistant => {
                pairs.push(vec![message]);
                is_open = true;
            }
            Role::System if message.call_id().is_some() && is_open => pairs.last_mut().unwrap().push(message),
            Role::System => {}
            _ => is_open = false,
        }
    }
    pairs
}

fn options(tokens: Option<usize>) -> Options<'static> {
    let options = Options::new().with_counter(&letters);
    tokens.map_or(options, |tokens| options.with_limit(tokens))
}

/// What is kept in any case: the leading system messages, the pinned ones, and the calls and results that go
/// with these.
fn kept_in_any_case(log: &[Message]) -> Vec<Message> {
    limit(log.to_vec(), 0, &letters)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pinned_messages_survive(log in log(), tokens in 0..200_usize) {
        let log = numbered(log);
        for sent in [prune_ephemeral(log.clone()), limit(log.clone(), tokens, &letters)] {
            for message in log.iter().filter(|message| message.pinned()) {
                prop_assert!(is_sent(message, &sent), "{message:?}");
            }
        }
        // All steps together leave out pinned ones only for the person's sake or for a newer prompt.
        let shown: Vec<_> = log.into_iter().filter(|message| !message.ui_only()).collect();
        let sent = prepare(&shown, &options(Some(tokens))).messages;
        for message in hoist_resume_prompts(active_generation(shown)).iter().filter(|message| message.pinned()) {
            prop_assert!(is_sent(message, &sent), "{message:?}");
        }
    }

    #[test]
    fn the_result_is_a_subsequence(log in log(), tokens in 0..200_usize) {
        let log = numbered(log);
        prop_assert!(is_subsequence(&merge_neighbours(log.clone()), &log));
        prop_assert!(is_subsequence(&prune_ephemeral(log.clone()), &log));
        prop_assert!(is_subsequence(&limit(log.clone(), tokens, &letters), &log));
        // Hoisting moves, and cuts older copies out: all steps together are one of what that leaves.
        let shown: Vec<_> = log.into_iter().filter(|message| !message.ui_only()).collect();
        let sent = prepare(&shown, &options(Some(tokens))).messages;
        prop_assert!(is_subsequence(&sent, &hoist_resume_prompts(active_generation(shown))));
    }

    #[test]
    fn calls_and_results_stay_together(log in log(), tokens in 0..200_usize) {
        let log = numbered(log);
        for sent in [prune_ephemeral(log.clone()), limit(log.clone(), tokens, &letters)] {
            for pair in pairs(&log) {
                let there = pair.iter().filter(|message| is_sent(message, &sent)).count();
                prop_assert!(there == 0 || there == pair.len(), "{pair:?} in {sent:?}");
            }
        }
    }

    #[test]
    fn once_more_changes_nothing(log in log(), tokens in prop::option::of(0..300_usize)) {
        let again = |step: &dyn Fn(Vec<Message>) -> Vec<Message>| {
            let once = step(log.clone());
            let twice = step(once.clone());
            let lines = |log: &[Message]| log.iter().map(|m| format!("{:?}", common::gptme::as_value(m))).collect::<Vec<_>>();
            identical(&once, &twice).then_some(()).ok_or((lines(&log), lines(&once), lines(&twice)))
        };
        prop_assert_eq!(again(&merge_neighbours), Ok(()));
        prop_assert_eq!(again(&prune_ephemeral), Ok(()));
        prop_assert_eq!(again(&active_generation), Ok(()));
        prop_assert_eq!(again(&|log| limit(log, tokens.unwrap_or(50), &letters)), Ok(()));
        prop_assert_eq!(again(&|log| prepare(&log, &options(tokens)).messages), Ok(()));
    }

    #[test]
    fn the_limit_holds_when_the_pinned_part_fits(log in log(), tokens in 0..300_usize) {
        let check = |log: &[Message], sent: &[Message]| {
            let pinned = count_tokens(&kept_in_any_case(log), &letters);
            let sent = count_tokens(sent, &letters);
            sent <= tokens.max(pinned)
        };
        prop_assert!(check(&log, &limit(log.clone(), tokens, &letters)));
        let unlimited = prepare(&log, &options(None)).messages;
        let Prepared { messages, tokens: counted, .. } = prepare(&log, &options(Some(tokens)));
        prop_assert!(check(&unlimited, &messages));
        prop_assert_eq!(counted, Some(count_tokens(&messages, &letters)));
    }

    #[test]
    fn what_lies_before_the_cache_boundary_stays(log in turns(8), more in turns(3)) {
        let before = prepare(&log, &options(None));
        let Some(boundary) = before.cache_boundary else { return Ok(()) };
        // A new prompt is a new beginning; anything else that follows leaves the beginning as it is.
        let is_prompt = |message: &Message| {
            ["prompt_generation", "resume_key"].iter().any(|key| message.metadata().get(key).is_some())
        };
        prop_assume!(!more.iter().any(is_prompt));
        let longer: Vec<_> = log.iter().chain(&more).cloned().collect();
        let after = prepare(&longer, &options(None)).messages;
        for (a, b) in before.messages[..=boundary].iter().zip(&after) {
            prop_assert!(b.content().starts_with(a.content()));
        }
    }

    #[test]
    fn the_log_is_not_touched(log in log()) {
        let log: convlog_message::Log = log.into_iter().collect();
        let before: Vec<_> = log.iter().cloned().collect();
        let _ = prepare(&log, &options(Some(50)).with_enrichment(&|_: Vec<Message>| Vec::new()));
        let after: Vec<_> = log.iter().cloned().collect();
        prop_assert!(identical(&before, &after));
    }
}

/// The letters that are counted, for logs of two lengths: the tenfold log takes tenfold the counting.
#[test]
fn counting_is_linear() {
    let counted = |turns: usize, limit: usize| {
        let letters = Cell::new(0_usize);
        let count = |text: &str| {
            letters.set(letters.get() + text.len());
            text.len()
        };
        let counter: &dyn TokenCounter = &count;
        let log: Vec<_> = (0..turns)
            .flat_map(|at| {
                let call = common::assistant("@ls(c1): {}").with_pinned(at % 50 == 0);
                [common::user("Go on."), call, common::result("c1", "a.txt"), common::system("Note.")]
            })
            .collect();
        let total: usize = log.iter().map(|message| message.content().len()).sum();
        let prepared = prepare(&log, &Options::new().with_counter(counter).with_limit(total / limit));
        assert!(prepared.tokens.unwrap() <= total / limit);
        letters.get() as f64 / total as f64
    };
    for limit in [1, 2, 10] {
        for turns in [100, 1_000, 10_000] {
            assert!(counted(turns, limit) < 1.5, "{turns} turns: {} times", counted(turns, limit));
        }
    }
}
