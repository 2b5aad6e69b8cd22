//! Lists: what they hold, in which order, from how few bytes, and the same with an index as without.
//!
//! | case | test |
//! |---|---|
//! | B022, B112 one bad conversation | `fixtures.rs`, `bad_neighbours_are_listed_on_their_own`; `b112_…` |
//! | B114 a last line larger than the window | `b114_…` |
//! | B116, B117 order | `b116_…`, `b117_…` |
//! | B122 limits of every size | `b122_…`; in the program, `args.rs` |
//! | B124 a page of many | `b124_a_page_takes_few_bytes_of_each` |
//! | B125 the index is a cache | `b125_…` |
//! | B130 which are tests | `b130_…` and the example of `is_test` |
//! | B133 workspaces through links | `b133_…` |
//! | B144, B145 times with an offset and without | `b144_…` |
//! | B172, B176 size | `b172_…`; in the program, `memory.rs` |
//! | B174 side data | `b174_…` |
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use std::sync::Arc;
use std::time::{Duration, SystemTime};

use common::{World, ids, later, line, set_modified, tree};
use convlog_fs::{Metered, Operation, RealFs};
use convlog_message::Zone;
use convlog_query::{Detail, Direction, Index, ListOptions, Listing, LogsDir, Sort, Tests};

const TIME: &str = "2026-01-02T03:04:05";

fn options() -> ListOptions {
    let mut options = ListOptions::default();
    options.zone = Zone::UTC;
    options.threads = 2.try_into().unwrap();
    options
}

fn with(world: &World, change: impl FnOnce(&mut ListOptions)) -> Listing {
    let mut options = options();
    change(&mut options);
    world.logs().listing(&options, None).unwrap()
}

fn opened(world: &World) -> Index {
    Index::open(&RealFs, &world.path().join("cache/convlog"), &world.path().join("logs"), later())
}

/// A list made with the index, which learns; the bytes that were read for it.
fn indexed(world: &World, index: &mut Index) -> (Listing, u64) {
    let fs = Arc::new(Metered::new(RealFs));
    let logs = LogsDir::new(Arc::<Metered<RealFs>>::clone(&fs), world.path().join("logs"));
    let listing = logs.listing(&options(), Some(index)).unwrap();
    (listing, fs.snapshot().bytes_read())
}

#[test]
fn b112_a_conversation_that_cannot_be_read_hides_no_other() {
    let world = World::new();
    world.transcript("good", &[line("user", "hi", TIME)]);
    world
        .transcript("deep", &[format!("{{\"role\":\"user\",\"content\":\"x\",\"metadata\":{}}}\n", "[".repeat(3_000))]);
    world.transcript("usage", &["{\"role\":\"user\",\"content\":\"x\",\"metadata\":{\"usage\":[1]}}\n".to_owned()]);
    std::fs::create_dir_all(world.home("directory").join("conversation.jsonl")).unwrap();
    std::fs::create_dir_all(world.home("dangling")).unwrap();
    std::os::unix::fs::symlink("/nowhere", world.home("dangling").join("conversation.jsonl")).unwrap();
    for limit in [usize::MAX, 1] {
        let listing = with(&world, |o| o.limit = limit);
        let reasons: Vec<_> = listing.skipped.iter().map(ToString::to_string).collect();
        assert!(reasons.iter().any(|reason| reason.contains("is a directory")), "{reasons:?}");
        assert!(reasons.iter().any(|reason| reason.contains("a link to a file that is missing")), "{reasons:?}");
        assert_eq!(reasons.len(), 2);
        assert_eq!(listing.conversations.len() + listing.more, 3);
    }
    let listing = world.list();
    let deep = listing.conversations.iter().find(|listed| listed.meta.id == "deep").unwrap();
    assert_eq!((deep.meta.messages, deep.unreadable), (0, 1));
}

#[test]
fn b114_a_last_line_of_any_length_is_shown() {
    let world = World::new();
    for (id, length) in [("a", 20_000), ("b", 300_000)] {
        world.transcript(
            id,
            &[line("user", "first", TIME), line("assistant", &"word ".repeat(length / 5), "2026-05-05T00:00:00")],
        );
    }
    for detail in [Detail::Full, Detail::Fast] {
        for limit in [1, 9] {
            let listing = with(&world, |o| (o.detail, o.limit) = (detail, limit));
            let meta = &listing.conversations[0].meta;
            assert!(meta.last_message_preview.as_ref().unwrap().starts_with("word word"));
            assert_eq!((meta.id.as_str(), meta.last_message_at), ("a", Some(1_777_939_200.0)));
        }
    }
}

#[test]
fn b116_a_touched_file_is_not_an_active_conversation() {
    let world = World::new();
    world.transcript("old", &[line("user", "x", "2025-01-01T00:00:00")]);
    world.transcript("new", &[line("user", "x", "2026-01-01T00:00:00")]);
    world.transcript("b-untimed", &["{\"role\":\"user\",\"content\":\"x\"}\n".to_owned()]);
    world.transcript("a-untimed", &["{\"role\":\"user\",\"content\":\"x\"}\n".to_owned()]);
    let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
    for (id, seconds) in
        [("old", 1_900_000_000), ("new", 1_000), ("b-untimed", 1_750_000_000), ("a-untimed", 1_750_000_000)]
    {
        set_modified(&world.home(id).join("conversation.jsonl"), at(seconds));
    }
    assert_eq!(ids(&world.list()), ["new", "a-untimed", "b-untimed", "old"]);
    for limit in 0..4 {
        assert_eq!(ids(&with(&world, |o| o.limit = limit)), ["new", "a-untimed", "b-untimed", "old"][..limit]);
    }
    let reverse = |o: &mut ListOptions| (o.direction, o.limit) = (Direction::Reverse, 3);
    assert_eq!(ids(&with(&world, reverse)), ["old", "a-untimed", "b-untimed"]);
    assert_eq!(ids(&with(&world, |o| (o.sort, o.limit) = (Sort::Modified, 1))), ["old"]);
    assert_eq!(ids(&with(&world, |o| o.since = Some(1_760_000_000.0))), ["new"]);
    assert_eq!(ids(&with(&world, |o| (o.since, o.limit) = (Some(1_740_000_000.0), 2))), ["new", "a-untimed"]);
}

#[test]
fn b117_the_name_of_an_id_says_nothing_of_its_use() {
    let world = World::new();
    world.transcript("foo", &[line("user", "x", TIME)]);
    world.transcript("bar", &[line("user", "x", "2026-01-03T00:00:00")]);
    assert_eq!(ids(&with(&world, |o| o.limit = 1)), ["bar"]);
}

#[test]
fn b122_limits_of_every_size_are_heeded() {
    let world = World::new();
    for id in ["a", "b", "c"] {
        world.transcript(id, &[line("user", "x", TIME)]);
    }
    for (limit, shown) in [(0, 0), (1, 1), (3, 3), (4, 3), (usize::MAX, 3)] {
        let listing = with(&world, |o| o.limit = limit);
        assert_eq!((listing.conversations.len(), listing.more), (shown, 3 - shown));
    }
}

#[test]
fn b124_a_page_takes_few_bytes_of_each() {
    let world = World::new();
    let long: Vec<_> = (0..200).map(|_| line("user", &"words ".repeat(200), TIME)).collect();
    for number in 0..50 {
        world.transcript(&format!("talk-{number:02}"), &long);
    }
    let fs = Arc::new(Metered::new(RealFs));
    let logs = LogsDir::new(Arc::<Metered<RealFs>>::clone(&fs), world.path().join("logs"));
    let mut options = options();
    options.limit = 2;
    let listing = logs.listing(&options, None).unwrap();
    assert_eq!((ids(&listing).as_slice(), listing.more), (["talk-00", "talk-01"].as_slice(), 48));
    let length = long.concat().len() as u64;
    let read = fs.snapshot().bytes_read();
    assert!(read < 2 * (length + 8_192) + 50 * 4_096, "{read} bytes for a page");
    assert!(fs.snapshot().calls(Operation::Open) < 50 + 2 * 6);
}

#[test]
fn b125_an_index_changes_nothing_but_the_time_it_takes() {
    let world = World::new();
    for number in 0..20 {
        let lines: Vec<_> = (0..10).map(|_| line("assistant", &"words ".repeat(100), TIME)).collect();
        world.transcript(&format!("talk-{number:02}"), &lines);
    }
    world.transcript("torn", &["{\"role\": \"user\", \"con".to_owned()]);
    let before = tree(&world.path().join("logs"));
    let plain = world.list();
    let mut index = opened(&world);
    let (first, read) = indexed(&world, &mut index);
    assert_eq!(first.conversations, plain.conversations);
    assert!(read > 100_000);
    index.save(&RealFs).unwrap();
    let same = |why: &str, index: &mut Index, most: u64| {
        let (listing, read) = indexed(&world, index);
        assert_eq!(listing.conversations, world.list().conversations, "{why}");
        assert!(read <= most, "{why}: {read}");
    };
    same("known", &mut opened(&world), 0);
    same("known, still in memory", &mut index, 0);
    assert_eq!(before, tree(&world.path().join("logs")), "an index is kept elsewhere");

    // Deleted, cut, with a flipped bit, of another version, a directory, of other conversations: rebuilt.
    let path = opened(&world).path().to_path_buf();
    let bytes = std::fs::read(&path).unwrap();
    for at in [0, 30, 60, bytes.len() / 2, bytes.len() - 1] {
        let mut bad = bytes.clone();
        bad[at] ^= 1;
        std::fs::write(&path, &bad).unwrap();
        same("a flipped bit", &mut opened(&world), u64::MAX);
        std::fs::write(&path, &bytes[..at]).unwrap();
        same("cut", &mut opened(&world), u64::MAX);
    }
    std::fs::remove_file(&path).unwrap();
    same("deleted", &mut opened(&world), u64::MAX);
    std::fs::create_dir(&path).unwrap();
    let mut hopeless = opened(&world);
    same("a directory", &mut hopeless, u64::MAX);
    assert!(hopeless.save(&RealFs).is_err());
}

#[test]
fn b125_whatever_changes_is_seen_through_the_index() {
    let world = World::new();
    let lines: Vec<_> = (0..100).map(|_| line("user", &"words ".repeat(20), TIME)).collect();
    for id in ["talk", "other", "gone"] {
        world.transcript(id, &lines);
    }
    let mut index = opened(&world);
    indexed(&world, &mut index);
    let mut check = |why: &str, most: u64| {
        let (listing, read) = indexed(&world, &mut index);
        assert_eq!(listing.conversations, world.list().conversations, "{why}");
        assert!(read <= most, "{why}: {read} bytes read");
    };
    let path = world.home("talk").join("conversation.jsonl");
    let append = |text: &str| {
        use std::io::Write as _;
        std::fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(text.as_bytes()).unwrap();
    };
    check("nothing", 0);
    append(&line("assistant", "an answer", "2026-02-02T00:00:00"));
    check("an append: its bytes, and the end of what was there", 15_000);
    append("{\"role\": \"user\", \"content\": \"half");
    check("half a line", 15_000);
    append(" a line\", \"timestamp\": \"2026-03-03T00:00:00\"}\n");
    check("the other half", u64::MAX);
    std::fs::write(&path, lines[1..].concat()).unwrap();
    check("cut in place", u64::MAX);
    std::fs::write(&path, [lines[0].replace("words", "other"), lines.concat()].concat()).unwrap();
    check("written anew in place, longer", u64::MAX);
    let time = std::fs::metadata(&path).unwrap().modified().unwrap();
    std::fs::write(&path, [lines[0].replace("words", "thing"), lines.concat()].concat()).unwrap();
    set_modified(&path, time);
    check("the same length and time", u64::MAX);
    world.write("talk", "config.toml", "[chat]\nname = \"one\"\n");
    check("settings", u64::MAX);
    std::fs::write(world.home("talk").join("config.toml"), "[chat]\nname = \"two\"\n").unwrap();
    check("other settings", u64::MAX);
    world.write("talk", "branches/dev.jsonl", &lines[0]);
    check("a branch", u64::MAX);
    world.write("talk", "branches/dev-2.jsonl", &lines[0]);
    check("another branch", u64::MAX);
    std::fs::remove_dir_all(world.home("gone")).unwrap();
    check("one is gone", 0);
    std::fs::rename(world.home("other"), world.home("renamed")).unwrap();
    check("one has another id", u64::MAX);
}

/// A file may be written again in the very tick of the clock in which it was read.
#[test]
fn what_was_just_written_is_not_trusted_to_stay() {
    let world = World::new();
    world.transcript("talk", &[line("user", "x", TIME)]);
    let mut index = Index::open(&RealFs, &world.path().join("cache"), &world.path().join("logs"), SystemTime::now());
    indexed(&world, &mut index);
    assert!(indexed(&world, &mut index).1 > 0);
}

#[test]
fn two_at_once_are_fine() {
    let world = World::new();
    for number in 0..30 {
        world.transcript(&format!("talk-{number:02}"), &[line("user", &format!("{number}"), TIME)]);
    }
    let expected = world.list().conversations;
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let mut index = opened(&world);
                    assert_eq!(indexed(&world, &mut index).0.conversations, expected);
                    index.save(&RealFs).unwrap();
                }
            });
        }
    });
    assert_eq!(indexed(&world, &mut opened(&world)).1, 0);
}

#[test]
fn b130_a_persons_conversations_do_not_vanish_as_tests() {
    let world = World::new();
    for id in ["test-foo", "tmpfoo", "tmpl-notes", "template", "2026-gptme-evals-x"] {
        world.transcript(id, &[]);
    }
    let mut listed =
        ids(&with(&world, |o| o.tests = Tests::Without)).iter().map(ToString::to_string).collect::<Vec<_>>();
    listed.sort();
    assert_eq!(listed, ["template", "tmpl-notes"]);
    assert_eq!(world.list().conversations.len(), 5);
}

#[test]
fn b133_a_workspace_is_told_by_its_real_path() {
    let world = World::new();
    let real = world.path().join("real/project");
    std::fs::create_dir_all(&real).unwrap();
    std::os::unix::fs::symlink(world.path().join("real"), world.path().join("link")).unwrap();
    world.write(
        "a",
        "config.toml",
        format!("[chat]\nworkspace = \"{}\"\n", world.path().join("link/project").display()),
    );
    world.transcript("a", &[]);
    world.transcript("b", &[]);
    std::os::unix::fs::symlink(&real, world.home("b").join("workspace")).unwrap();
    let mut index = opened(&world);
    indexed(&world, &mut index);
    let real = real.canonicalize().unwrap().to_string_lossy().into_owned();
    for listing in [world.list(), indexed(&world, &mut index).0] {
        assert!(listing.conversations.iter().all(|listed| listed.meta.workspace == real));
    }
    // What the path leads to is asked each time, whatever the index knows.
    std::fs::rename(world.path().join("real"), world.path().join("renamed")).unwrap();
    assert_eq!(indexed(&world, &mut index).0.conversations, world.list().conversations);
    assert_eq!(ids(&with(&world, |o| o.sort = Sort::Name)), ["a", "b"], "and the conversations stay where they are");
}

#[test]
fn b144_times_with_an_offset_and_without_have_one_order() {
    let world = World::new();
    world.transcript("naive", &[line("user", "x", "2026-01-02T03:04:05")]);
    world.transcript("utc", &[line("user", "x", "2026-01-02T03:04:04+00:00")]);
    world.transcript("east", &[line("user", "x", "2026-01-02T05:04:06+02:00")]);
    assert_eq!(ids(&world.list()), ["east", "naive", "utc"]);
    let west = Zone::Fixed(time::UtcOffset::from_hms(-5, 0, 0).unwrap());
    assert_eq!(ids(&with(&world, |o| o.zone = west)), ["naive", "east", "utc"], "naive is local time");
}

#[test]
fn b030_a_message_without_a_time_has_the_files() {
    let world = World::new();
    world.transcript("a", &["{\"role\":\"user\",\"content\":\"x\"}\n".to_owned()]);
    set_modified(
        &world.home("a").join("conversation.jsonl"),
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_714_521_600),
    );
    let meta = world.list().conversations.remove(0).meta;
    assert_eq!((meta.created, meta.modified, meta.last_message_at), (1_714_521_600.0, 1_714_521_600.0, None));
}

#[test]
fn b006_what_is_no_message_is_not_counted() {
    let world = World::new();
    let nul = format!("{}\n", "\0".repeat(300));
    let good = line("user", "a", TIME);
    let glued = format!("{}{}", good.trim_end(), good);
    world.transcript("a", &[good.clone(), nul, good.clone(), "{bad\n".to_owned(), glued, "\u{2028}\n\r\n".to_owned()]);
    for detail in [Detail::Full, Detail::Fast] {
        let listing = with(&world, |o| o.detail = detail);
        let expected = if detail == Detail::Full { 4 } else { 3 };
        assert_eq!(listing.conversations[0].meta.messages, expected, "{detail:?}");
    }
}

#[test]
fn b172_a_hole_of_gigabytes_is_listed_searched_and_tailed() {
    let world = World::new();
    world.transcript("huge", &[line("user", "before", TIME)]);
    let path = world.home("huge").join("conversation.jsonl");
    let file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.set_len(64 << 20).unwrap();
    drop(file);
    use std::io::Write as _;
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(format!("\n{}", line("assistant", "the needle after", "2026-02-02T00:00:00")).as_bytes()).unwrap();
    let listing = with(&world, |o| o.limit = 1);
    let meta = &listing.conversations[0].meta;
    assert_eq!((meta.messages, meta.last_message_preview.as_deref()), (2, Some("the needle after")));
    let conversation = world.logs().open(&"huge".parse().unwrap()).unwrap();
    let mut tail = conversation.tail(&convlog_store::Transcript::Main).unwrap();
    assert_eq!(tail.next().unwrap().unwrap().message.content(), "the needle after");
}

/// Records of other programs in a transcript are no messages, and cost no memory.
#[test]
fn b174_side_data_in_a_transcript_is_not_counted() {
    let world = World::new();
    let mut lines = vec![line("user", "x", TIME)];
    lines.extend((0..35_000).map(|n| format!("{{\"type\":\"progress\",\"n\":{n}}}\n")));
    world.transcript("a", &lines);
    let listing = world.list();
    assert_eq!((listing.conversations[0].meta.messages, listing.conversations[0].unreadable), (1, 35_000));
}
