//! Searching: what is found, where, and in which order.
//!
//! | case | test |
//! |---|---|
//! | B119 every conversation, the full history, composed letters and cases | `b119_…` |
//! | B120 nothing to look for | `b120_an_empty_query_is_an_error` |
//! | B021 content of a wrong type | `b021_what_is_no_message_does_not_end_the_search` |
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::string_slice
)]

mod common;

use std::ops::ControlFlow;
use std::time::{Duration, SystemTime};

use common::{World, line, set_modified, tree};
use convlog_query::{Case, Depth, Found, Query, SearchOptions, Speakers};
use proptest::prelude::*;

const TIME: &str = "2026-01-02T03:04:05";

fn search(world: &World, query: &Query, options: &SearchOptions) -> Vec<String> {
    let mut found = Vec::new();
    let each = |event| {
        match event {
            Found::Hit(hit) => {
                found.push(format!("{} {} {} {:?}", hit.id, hit.transcript, hit.index, hit.matches));
            }
            Found::Skipped(skipped) => found.push(format!("skipped: {skipped}")),
            Found::Searched(_) => {}
        }
        ControlFlow::Continue(())
    };
    world.logs().search(query, options, each).unwrap();
    found
}

fn literal(world: &World, text: &str) -> Vec<String> {
    search(world, &Query::literal(text, Case::Fold).unwrap(), &SearchOptions::default())
}

#[test]
fn b119_a_word_is_found_in_the_oldest_of_many_conversations() {
    let world = World::new();
    for number in 0..80 {
        let id = format!("talk-{number:02}");
        let content = if number == 3 { "the needle" } else { "hay" };
        world.transcript(&id, &[line("system", "needle", TIME), line("user", content, TIME)]);
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000 + number * 60);
        set_modified(&world.home(&id).join("conversation.jsonl"), time);
    }
    assert_eq!(literal(&world, "NEEDLE"), ["talk-03 main 1 [4..10]"]);
    let mut options = SearchOptions::default();
    options.speakers = Speakers::All;
    options.threads = 3.try_into().unwrap();
    let all = search(&world, &Query::literal("needle", Case::Fold).unwrap(), &options);
    assert_eq!(all.len(), 81);
    assert!(all[0].starts_with("talk-79") && all[80].starts_with("talk-00"), "the last changed first");
}

#[test]
fn b119_the_full_history_is_searched_not_the_view() {
    let world = World::new();
    world.transcript("viewed", &[line("user", "before the needle", TIME), line("user", "after", TIME)]);
    world.write("viewed", "views/compacted-001.jsonl", line("system", "summary", TIME));
    world.write("viewed", "views/.current", "compacted-001\n");
    assert_eq!(literal(&world, "needle"), ["viewed main 0 [11..17]"]);
    // Main was compacted by hand: the history lies beside it, and what stands in both is told once.
    world.transcript("viewed", &[line("system", "summary", TIME), line("user", "a new needle", TIME)]);
    let history = [line("user", "before the needle", TIME), line("user", "a new needle", TIME)];
    world.write("viewed", "lossless.jsonl", history.concat());
    assert_eq!(literal(&world, "needle"), ["viewed main 1 [6..12]", "viewed the lossless log 0 [11..17]"]);
}

#[test]
fn b119_letters_are_the_same_composed_or_not_and_in_either_case() {
    let world = World::new();
    let texts = ["die straße", "STRASSE", "cafe\u{301}", "CAFÉ", "ﬁn", "\u{212a}elvin", "한국"];
    let lines: Vec<_> = texts.iter().map(|text| line("user", text, TIME)).collect();
    world.transcript("gptme", &lines);
    let raw: Vec<_> = texts.iter().map(|text| format!("{{\"role\":\"user\",\"content\":\"{text}\"}}\n")).collect();
    world.transcript("utf8", &raw);
    for (query, expected) in [
        ("strasse", vec![0, 1]),
        ("STRAẞE", vec![0, 1]),
        ("ras", vec![0, 1]),
        ("café", vec![2, 3]),
        ("cafe\u{301}", vec![2, 3]),
        ("cafe", vec![]),
        ("FIN", vec![4]),
        ("in", vec![4, 5]),
        ("kelvin", vec![5]),
        ("\u{1112}\u{1161}\u{11ab}", vec![6]),
    ] {
        for id in ["gptme", "utf8"] {
            let found = literal(&world, query);
            let found: Vec<_> = found.iter().filter_map(|hit| hit.strip_prefix(&format!("{id} main "))).collect();
            let indexes: Vec<usize> = found.iter().map(|hit| hit[..1].parse().unwrap()).collect();
            assert_eq!(indexes, expected, "{query} in {id}");
        }
    }
    let exact = Query::literal("STRASSE", Case::Exact).unwrap();
    assert_eq!(search(&world, &exact, &SearchOptions::default()).len(), 2);
}

#[test]
fn b120_an_empty_query_is_an_error() {
    for text in ["", "   ", "\n\t"] {
        assert!(Query::literal(text, Case::Fold).unwrap_err().to_string().contains("nothing to search for"));
    }
    assert!(Query::regex("", Case::Fold).is_err());
    assert!(Query::regex("(", Case::Fold).unwrap_err().to_string().contains("no regular expression"));
}

#[test]
fn b021_what_is_no_message_does_not_end_the_search() {
    let world = World::new();
    let odd = "{\"role\":\"user\",\"content\":null}\n{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"needle\"}]}\nneedle\n";
    world.transcript("odd", &[odd.to_owned(), line("user", "needle", TIME)]);
    std::fs::create_dir_all(world.home("broken").join("conversation.jsonl")).unwrap();
    let found = literal(&world, "needle");
    assert_eq!(found[0], "odd main 0 [0..6]");
    assert!(found[1].starts_with("skipped: ") && found[1].contains("is a directory"), "{found:?}");
}

#[test]
fn roles_dates_branches_conversations_and_limits_are_heeded() {
    let world = World::new();
    let lines = [
        line("user", "needle one", TIME),
        line("assistant", "needle two", "2026-02-02T03:04:05"),
        line("tool", "needle three", "2026-03-02T03:04:05"),
    ];
    world.transcript("a", &lines);
    world.write(
        "a",
        "branches/dev.jsonl",
        [&lines[0], &line("user", "needle on a branch", TIME)].map(String::as_str).concat(),
    );
    world.transcript("b", &[line("user", "needle", TIME)]);
    let query = Query::literal("needle", Case::Fold).unwrap();
    let with = |change: fn(&mut SearchOptions)| {
        let mut options = SearchOptions::default();
        options.zone = convlog_message::Zone::UTC;
        options.ids = vec!["a".parse().unwrap()];
        change(&mut options);
        search(&world, &query, &options).iter().map(|hit| hit[2..hit.len() - 7].to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(with(|_| {}), ["main 0", "main 1", "main 2"]);
    assert_eq!(with(|o| o.speakers = Speakers::Only("tool".into())), ["main 2"]);
    assert_eq!(with(|o| o.since = Some(1_769_900_000.0)), ["main 1", "main 2"]);
    assert_eq!(with(|o| o.most = 1), ["main 0"]);
    assert_eq!(with(|o| o.depth = Depth::Branches), ["main 0", "main 1", "main 2", "branch dev 1"]);
    assert_eq!(with(|o| o.ids.clear()).len(), 4);
}

#[test]
fn searching_changes_nothing() {
    let world = World::new();
    world.transcript("a", &[line("user", "needle", TIME)]);
    world.write("a", "config.toml", "[chat]\nname = \"x\"\n");
    let before = tree(world.path());
    assert_eq!(literal(&world, "needle").len(), 1);
    assert_eq!(before, tree(world.path()));
}

/// A text in one of the ways it can stand in a JSON string.
fn spelled(text: &str, style: u8) -> String {
    let escape = |c: char| {
        let mut units = [0; 2];
        let units = c.encode_utf16(&mut units).iter();
        units
            .map(|unit| if style == 2 { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") })
            .collect::<String>()
    };
    text.chars()
        .map(|c| match (c, style) {
            ('"' | '\\', 0 | 1) => format!("\\{c}"),
            (' '..='~', 0 | 1) => c.to_string(),
            (c, 1) if c > '\u{7f}' => c.to_string(),
            (c, _) => escape(c),
        })
        .collect()
}

fn text() -> impl Strategy<Value = String> {
    let letters = "aAeEsSßẞſtTkK\u{212a}iIıİfﬁﬃﬆnŉêéế\u{301}\u{302}\u{323}\u{327}ÅåΣσςjǰ한\u{1112}\u{1161}\u{11ab}😀\"\\/\n ;\u{37e}≠=\u{338}";
    let letters: Vec<char> = letters.chars().collect();
    proptest::collection::vec(proptest::sample::select(letters), 1..8).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    /// What stands in a text is found however the file spells it: the look at the bytes loses nothing.
    #[test]
    fn nothing_is_lost_by_looking_at_bytes_first(
        before in text(), query in text(), after in text(), style in 0..3_u8, exact in any::<bool>()
    ) {
        let case = if exact { Case::Exact } else { Case::Fold };
        let content = format!("{before}{query}{after}");
        let Ok(query) = Query::literal(&query, case) else { return Ok(()) };
        let expected = query.find(&content);
        let world = World::new();
        let line = format!("{{\"role\": \"user\", \"content\": \"{}\", \"timestamp\": \"{TIME}\"}}\n", spelled(&content, style));
        world.transcript("talk", &[line]);
        let found = search(&world, &query, &SearchOptions::default());
        prop_assert_eq!(found.is_empty(), expected.is_empty());
        for range in expected {
            prop_assert!(content.is_char_boundary(range.start) && content.is_char_boundary(range.end));
        }
    }
}
