//! Renaming, deleting, finding what may go, following.
//!
//! | case | test |
//! |---|---|
//! | B061 delete while open | `b061_what_is_open_is_not_deleted` |
//! | B134, B138 ids that lead out or cannot be seen | `b134_…`; `convlog-store`, `name.rs` |
//! | B135 names that other systems refuse | `convlog-store`, `name.rs` |
//! | B136 names within a conversation | `convlog-store`, `name.rs`; in the program, `cli.rs` |
//! | B140 containment | `b140_an_id_is_always_below_the_logs` |
//! | B142 case and composition | `b142_…`; `convlog-store`, `name.rs` |
//! | B147 names made from the time | `b147_no_name_is_made_from_the_time` |
//! | B175 retention | `b175_what_may_go_is_only_named` |
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

mod common;

use std::io::Write as _;
use std::sync::Arc;

use common::{World, ids, line, tree};
use convlog_fs::RealFs;
use convlog_message::{Message, Timestamp};
use convlog_query::{CleanOptions, DeleteError, Deletion, Follower, LogsDir, TrashError};
use convlog_store::{ConversationId, Session, SessionOptions, Transcript};

const TIME: &str = "2026-01-02T03:04:05";

fn id(text: &str) -> ConversationId {
    text.parse().unwrap()
}

#[test]
fn a_name_is_changed_and_comments_stay() {
    let world = World::new();
    world.transcript("talk", &[line("user", "hi", TIME)]);
    world.write("talk", "config.toml", "# mine\n[chat]\nname = \"old\" # yes\nmodel = \"m\"\n\n[env]\nA = \"b\"\n");
    world.logs().rename(&id("talk"), "a \"new\" name").unwrap();
    let text = std::fs::read_to_string(world.home("talk").join("config.toml")).unwrap();
    for kept in ["# mine", "# yes", "model = \"m\"", "[env]\nA = \"b\""] {
        assert!(text.contains(kept), "{text}");
    }
    assert_eq!(world.list().conversations[0].meta.name, "a \"new\" name");
    let transcript = std::fs::read(world.home("talk").join("conversation.jsonl")).unwrap();
    assert_eq!(transcript, line("user", "hi", TIME).into_bytes());
    assert!(world.logs().rename(&id("talk"), " ").unwrap_err().to_string().contains("character"));
    assert!(world.logs().rename(&id("nobody"), "x").unwrap_err().to_string().contains("no conversation"));
    assert!(!world.home("nobody").exists());
}

#[test]
fn a_conversation_without_settings_gets_a_name() {
    let world = World::new();
    world.transcript("talk", &[]);
    world.logs().rename(&id("talk"), "named").unwrap();
    assert_eq!(world.list().conversations[0].meta.name, "named");
}

#[test]
fn a_dry_run_tells_and_changes_nothing() {
    let world = World::new();
    world.transcript("talk", &[line("user", "hi", TIME)]);
    world.write("talk", "files/abc.txt", "12345");
    let before = tree(world.path());
    let told = world.logs().delete(&id("talk"), Deletion::DryRun).unwrap();
    assert_eq!(before, tree(world.path()));
    let length = line("user", "hi", TIME).len() as u64;
    assert_eq!((told.bytes, told.files), (length + 5, 2));
    assert_eq!(world.logs().delete(&id("talk"), Deletion::Real).unwrap(), told);
    assert_eq!(std::fs::read_dir(world.path().join("logs")).unwrap().count(), 0);
    assert!(matches!(world.logs().delete(&id("talk"), Deletion::Real), Err(DeleteError::Open(_))));
}

#[test]
fn b061_what_is_open_is_not_deleted() {
    let world = World::new();
    world.transcript("talk", &[line("user", "hi", TIME)]);
    let session = Session::open(Arc::new(RealFs), world.home("talk"), SessionOptions::default()).unwrap();
    for deletion in [Deletion::DryRun, Deletion::Real] {
        let error = world.logs().delete(&id("talk"), deletion).unwrap_err();
        assert!(matches!(error, DeleteError::Lock(_)), "{error}");
    }
    assert_eq!(world.list().conversations.len(), 1);
    drop(session);
    world.logs().delete(&id("talk"), Deletion::Real).unwrap();
    assert!(!world.home("talk").exists());
    // Whoever had it open does not bring it back.
    assert!(Session::open(Arc::new(RealFs), world.home("talk"), SessionOptions::default()).is_err());
}

#[test]
fn of_a_linked_conversation_only_the_link_goes() {
    let world = World::new();
    world.transcript("other", &[]);
    let elsewhere = world.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    std::fs::write(elsewhere.join("conversation.jsonl"), line("user", "hi", TIME)).unwrap();
    std::os::unix::fs::symlink(&elsewhere, world.home("linked")).unwrap();
    let outside = world.path().join("outside.txt");
    std::fs::write(&outside, "stays").unwrap();
    std::os::unix::fs::symlink(&outside, world.home("other").join("workspace")).unwrap();
    let deleted = world.logs().delete(&id("linked"), Deletion::Real).unwrap();
    assert_eq!(deleted.link_to, Some(elsewhere.canonicalize().unwrap()));
    assert!(elsewhere.join("conversation.jsonl").exists() && world.home("linked").symlink_metadata().is_err());
    world.logs().delete(&id("other"), Deletion::Real).unwrap();
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "stays");
}

#[test]
fn b134_an_id_that_leads_out_is_refused_before_any_file_is_touched() {
    for text in
        ["../outside", "/abs/dir", ".", "", "a/b", "..", "a\\b", "  ", " a", "a\tb", "\u{200b}", "\u{202e}", "\u{2028}"]
    {
        assert!(text.parse::<ConversationId>().is_err(), "{text:?}");
    }
}

#[test]
fn b140_an_id_is_always_below_the_logs() {
    let world = World::new();
    world.transcript("c", &[]);
    let beside = world.path().join("logs-old/c");
    std::fs::create_dir_all(&beside).unwrap();
    std::fs::write(beside.join("conversation.jsonl"), "").unwrap();
    world.logs().delete(&id("c"), Deletion::Real).unwrap();
    assert!(beside.exists() && !world.home("c").exists());
    assert_eq!(world.logs().home_of("c").unwrap(), world.home("c"));
}

#[test]
fn b142_ids_that_differ_in_case_or_composition_are_told_apart_where_the_disk_does() {
    let world = World::new();
    for name in ["Chat", "chat", "caf\u{e9}", "cafe\u{301}"] {
        world.transcript(name, &[line("user", name, TIME)]);
    }
    let listing = world.list();
    assert_eq!(ids(&listing), ["Chat", "cafe\u{301}", "café", "chat"]);
    for listed in &listing.conversations {
        assert_eq!(listed.meta.last_message_preview.as_ref(), Some(&listed.meta.id));
    }
}

/// Nothing here makes a name of its own, so there are no two rules for it; days are those of the zone asked for.
#[test]
fn b147_no_name_is_made_from_the_time() {
    let world = World::new();
    world.transcript("2026-01-02-late", &[line("user", "x", "2026-01-02T23:30:00+08:00")]);
    assert_eq!(ids(&world.list()), ["2026-01-02-late"]);
    let mut options = convlog_query::StatsOptions::default();
    options.zone = convlog_message::Zone::Fixed(time::UtcOffset::from_hms(8, 0, 0).unwrap());
    let (stats, _) = world.logs().stats(&options, || {}).unwrap();
    assert_eq!(stats.by_day.keys().collect::<Vec<_>>(), ["2026-01-02"]);
    assert_eq!(stats.by_hour[23], 1);
}

#[test]
fn b175_what_may_go_is_only_named() {
    let world = World::new();
    let one = line("system", "prompt", TIME);
    world.transcript("empty", &[]);
    world.transcript("one", std::slice::from_ref(&one));
    world.transcript("two", &[one.clone(), one.clone()]);
    world.transcript("test-one", std::slice::from_ref(&one));
    world.transcript("branched", std::slice::from_ref(&one));
    world.write("branched", "branches/dev.jsonl", &one);
    world.transcript("compacted", std::slice::from_ref(&one));
    world.write("compacted", "lossless.jsonl", &one);
    world.transcript("torn", &["{\"role\": \"user\", \"con".to_owned()]);
    let mut session = Session::create(
        Arc::new(RealFs),
        world.home("lost"),
        SessionOptions::default(),
        vec![Message::new("user", "was here", TIME.parse::<Timestamp>().unwrap())],
    )
    .unwrap();
    session.append(Message::new("user", "and here", TIME.parse::<Timestamp>().unwrap())).unwrap();
    drop(session);
    world.write("lost", "conversation.jsonl", "");
    let before = tree(world.path());
    let (found, skipped) = world.logs().cleanable(&CleanOptions::default(), None).unwrap();
    assert_eq!(before, tree(world.path()));
    assert!(skipped.is_empty());
    let named: Vec<_> = found.iter().map(|found| (found.id.as_str(), found.bytes)).collect();
    assert_eq!(named, [("empty", 0), ("one", one.len() as u64)]);
}

/// How many files and directories there are beside the trash.
fn count_without_trash(path: &std::path::Path) -> usize {
    tree(path).iter().filter(|entry| !entry.contains(".convlog-trash")).count()
}

#[test]
fn b175_what_is_cleaned_away_lies_in_the_trash_and_can_be_put_back() {
    let (world, now) = (World::new(), TIME.parse::<Timestamp>().unwrap());
    world.transcript("talk", &[line("user", "hi", TIME)]);
    world.write("talk", "files/abc.txt", "12345");
    let logs = world.logs();
    let before = tree(world.path());
    let looked = logs.discard(&id("talk"), Deletion::DryRun, &now).unwrap();
    assert_eq!(before, tree(world.path()));
    assert_eq!(logs.discard(&id("talk"), Deletion::Real, &now).unwrap(), looked);
    assert!(world.list().conversations.is_empty() && !world.home("talk").exists());
    // Another one of that name comes and goes.
    world.transcript("talk", &[line("user", "again", TIME)]);
    logs.discard(&id("talk"), Deletion::Real, &now).unwrap();
    let names = |logs: &LogsDir| -> Vec<String> {
        logs.trash().unwrap().iter().map(|trashed| format!("{} {}", trashed.id, trashed.files)).collect()
    };
    assert_eq!(names(&logs), ["talk 3", "talk-2 2"], "files and the lock");
    world.transcript("talk", &[line("user", "third", TIME)]);
    assert!(matches!(logs.put_back(&id("talk"), &now), Err(TrashError::Exists { .. })));
    logs.delete(&id("talk"), Deletion::Real).unwrap();
    logs.put_back(&id("talk"), &now).unwrap();
    assert_eq!(count_without_trash(world.path()), before.len() + 1, "all is back, and the lock");
    assert_eq!(world.list().conversations.len(), 1);
    logs.remove_trashed(&id("talk-2"), &now).unwrap();
    assert!(matches!(logs.remove_trashed(&id("talk-2"), &now), Err(TrashError::NotThere { .. })));
    assert!(logs.trash().unwrap().is_empty());
    let log = std::fs::read_to_string(logs.trash_dir().join("log.jsonl")).unwrap();
    let noted: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let noted: Vec<_> =
        noted.iter().map(|line| format!("{} {}", line["action"], line["id"]).replace('"', "")).collect();
    assert_eq!(noted, ["discarded talk", "discarded talk-2", "put back talk", "removed talk-2"]);
}

#[test]
fn what_is_open_or_linked_is_not_put_into_the_trash() {
    let (world, now) = (World::new(), TIME.parse::<Timestamp>().unwrap());
    world.transcript("talk", &[line("user", "hi", TIME)]);
    let session = Session::open(Arc::new(RealFs), world.home("talk"), SessionOptions::default()).unwrap();
    let refused = world.logs().discard(&id("talk"), Deletion::Real, &now);
    assert!(matches!(refused, Err(DeleteError::Lock(_))), "{refused:?}");
    drop(session);
    std::os::unix::fs::symlink(world.home("talk"), world.home("linked")).unwrap();
    let gone = world.logs().discard(&id("linked"), Deletion::Real, &now).unwrap();
    assert_eq!(gone.link_to, Some(world.home("talk").canonicalize().unwrap()));
    assert!(world.home("talk").exists() && world.logs().trash().unwrap().is_empty());
}

#[test]
fn what_is_appended_is_seen_whole_lines_only() {
    let world = World::new();
    world.transcript("talk", &[line("user", "one", TIME)]);
    let conversation = world.logs().open(&id("talk")).unwrap();
    let mut follower = Follower::new(conversation, Transcript::Main).unwrap();
    let mut seen = || {
        let followed = follower.poll().unwrap();
        let messages: Vec<_> = followed.messages.iter().map(|(at, m)| format!("{at} {}", m.content())).collect();
        (messages, followed.findings.len(), followed.is_rewritten)
    };
    assert_eq!(seen(), (vec![], 0, false));
    let path = world.home("talk").join("conversation.jsonl");
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    let (two, three) = (line("assistant", "two", TIME), line("user", "three", TIME));
    let (head, tail) = two.split_at(20);
    file.write_all(head.as_bytes()).unwrap();
    assert_eq!(seen(), (vec![], 0, false), "half a line has not come yet");
    file.write_all(tail.as_bytes()).unwrap();
    file.write_all(format!("{{bad\n{three}").as_bytes()).unwrap();
    assert_eq!(seen(), (vec!["1 two".to_owned(), "2 three".to_owned()], 1, false));
    // An undo puts another file in its place, and an append follows.
    let rewritten = world.home("talk").join("new");
    std::fs::write(&rewritten, [line("user", "one", TIME), two].concat()).unwrap();
    std::fs::rename(&rewritten, &path).unwrap();
    assert_eq!(seen(), (vec![], 0, true));
    let mut file = std::fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(line("user", "four", TIME).as_bytes()).unwrap();
    assert_eq!(seen(), (vec!["2 four".to_owned()], 0, false));
}
