//! gptme's server takes no lock: it works on a conversation that convlog has open, and nobody's messages are lost.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_store::{AppendError, Conversation, Refusal, RewriteError, Session, SessionOptions, Transcript};
use convlog_trust::gptme::{self, Gptme, World, contents, message, messages, plain, says};
use serde_json::json;

fn say(content: &str) -> serde_json::Value {
    gptme::say("user", content)
}

fn create(home: &Path, initial: &[&str]) -> Session {
    Session::create(Arc::new(RealFs), home, SessionOptions::default(), messages(&says(initial))).unwrap()
}

fn open(home: &Path) -> Session {
    Session::open(Arc::new(RealFs), home, SessionOptions::default()).unwrap()
}

fn load_unlocked(gptme: &mut Gptme, home: &Path) {
    gptme.ask(&json!({"do": "load", "dir": home, "lock": false}));
}

/// The transcript, the event log, and gptme's reading of both are one.
#[track_caller]
fn check(gptme: &mut Gptme, home: &Path, expected: &[&str]) {
    assert_eq!(contents(&gptme::read(home)), expected);
    assert_eq!(contents(&gptme.read(home)), expected);
    assert_eq!(contents(&gptme::recover(home).unwrap()), expected);
    assert_eq!(contents(&gptme.recover(home).unwrap()), expected);
}

/// What a branch holds.
#[track_caller]
fn check_branch(home: &Path, branch: &str, expected: &[&str]) {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    let read = conversation.read(&Transcript::Branch(branch.parse().unwrap())).unwrap();
    assert_eq!(contents(&plain(&read.log)), expected);
}

#[test]
fn what_the_server_appends_meanwhile_is_a_conflict_and_taken_in_later() {
    let world = World::new();
    let Some(mut theirs) = world.gptme() else { return };
    let home = world.talk("talk");
    let mut session = create(&home, &["a"]);
    load_unlocked(&mut theirs, &home);
    theirs.append(&say("theirs"));
    let error = session.append(message(&say("ours"))).unwrap_err();
    assert!(matches!(error, AppendError::Refused(Refusal::Changed(_))) && !error.may_stand(), "{error}");
    let error = session.undo(1).unwrap_err();
    assert!(matches!(error, RewriteError::Refused(Refusal::Changed(_))), "{error}");
    assert_eq!(contents(&gptme::read(&home)), ["a", "theirs"]);
    session.close().unwrap();

    let mut session = open(&home);
    assert_eq!(contents(&plain(session.log())), ["a", "theirs"]);
    session.append(message(&say("ours"))).unwrap();
    check(&mut theirs, &home, &["a", "theirs", "ours"]);
}

#[test]
fn what_the_server_undoes_or_edits_meanwhile_is_a_conflict_and_taken_in_later() {
    let world = World::new();
    let Some(mut theirs) = world.gptme() else { return };
    for (name, left) in [("undo", &["a"][..]), ("edit", &["other", "b"])] {
        let home = world.talk(name);
        let mut session = create(&home, &["a"]);
        session.append(message(&say("b"))).unwrap();
        load_unlocked(&mut theirs, &home);
        if name == "undo" {
            theirs.undo(1);
        } else {
            theirs.edit(&says(left));
        }
        let error = session.append(message(&say("ours"))).unwrap_err();
        assert!(matches!(error, AppendError::Refused(Refusal::Changed(_))), "{error}");
        drop(session);
        let mut session = open(&home);
        assert_eq!(contents(&plain(session.log())), left);
        check_branch(&home, &format!("main-{name}-0"), &["a", "b"]);
        session.append(message(&say("ours"))).unwrap();
        check(&mut theirs, &home, &[left, &["ours"]].concat());
    }
}

#[test]
fn a_server_that_overwrites_what_convlog_wrote_does_not_lose_it() {
    let world = World::new();
    let Some(mut theirs) = world.gptme() else { return };
    let home = world.talk("talk");
    create(&home, &["a"]).close().unwrap();
    load_unlocked(&mut theirs, &home);
    let mut session = open(&home);
    session.append(message(&say("ours"))).unwrap();
    session.close().unwrap();
    // It knows nothing of that, and writes its own list over the file.
    theirs.append(&say("theirs"));
    assert_eq!(contents(&gptme::read(&home)), ["a", "theirs"], "gptme's fault is not there any more");

    let mut session = open(&home);
    assert_eq!(contents(&plain(session.log())), ["a", "theirs"], "the transcript is the truth");
    let backups: Vec<_> = session.recovery().backups.iter().map(|(name, _)| name.as_str().to_owned()).collect();
    assert!(backups.contains(&"main-recover-0".to_owned()), "{backups:?}");
    let kept: Vec<_> = backups
        .iter()
        .flat_map(|name| {
            let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
            plain(&conversation.read(&Transcript::Branch(name.parse().unwrap())).unwrap().log)
        })
        .collect();
    assert!(contents(&kept).contains(&"ours"), "{kept:?}");
    session.append(message(&say("more"))).unwrap();
    session.close().unwrap();
    check(&mut theirs, &home, &["a", "theirs", "more"]);
}

#[test]
fn an_event_of_the_servers_between_transcript_and_event_is_a_conflict() {
    let world = World::new();
    let Some(mut theirs) = world.gptme() else { return };
    let home = world.talk("talk");
    let mut session = create(&home, &["a"]);
    // An undo of nothing changes the event log alone, as does an event that comes late.
    let line = "{\"seq\": 9, \"ts\": \"2026-01-02T03:04:05+00:00\", \"type\": \"undo\", \"payload\": {\"n\": 0}}\n";
    let mut file = std::fs::OpenOptions::new().append(true).open(home.join("events.jsonl")).unwrap();
    std::io::Write::write_all(&mut file, line.as_bytes()).unwrap();
    drop(file);
    let error = session.append(message(&say("ours"))).unwrap_err();
    assert!(matches!(error, AppendError::Refused(Refusal::Changed(_))), "{error}");
    assert_eq!(contents(&gptme::read(&home)), ["a"]);
    drop(session);
    let mut session = open(&home);
    session.append(message(&say("ours"))).unwrap();
    session.close().unwrap();
    check(&mut theirs, &home, &["a", "ours"]);
}
