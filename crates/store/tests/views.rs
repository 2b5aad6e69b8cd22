//! Views: what is appended goes to main and the view, what is undone or edited to the view alone; the faults of
//! gptme's event log that have to do with views.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_fs::sim::Tree;
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Conversation, Session, SessionOptions, Transcript, ViewError, ViewName, verify};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

fn log(contents: &[&str]) -> Log {
    contents.iter().map(|content| say(content)).collect()
}

fn begin(contents: &[&str]) -> (tempfile::TempDir, PathBuf, Session) {
    let logs = tempfile::tempdir().unwrap();
    let home = logs.path().join("talk");
    let session =
        Session::create(Arc::new(RealFs), &home, SessionOptions::default(), log(contents).iter().cloned()).unwrap();
    (logs, home, session)
}

fn open(home: &Path) -> Session {
    Session::open(Arc::new(RealFs), home, SessionOptions::default()).unwrap()
}

fn view(name: &str) -> ViewName {
    name.parse().unwrap()
}

fn contents(home: &Path, which: &Transcript) -> Vec<String> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    conversation.read(which).unwrap().log.iter().map(|message| message.content().to_owned()).collect()
}

/// What main's event log says.
fn replayed(home: &Path) -> Vec<String> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    let replayed = conversation.events(&Transcript::Main).unwrap().unwrap().replay().unwrap();
    replayed.iter().map(|message| message.content().to_owned()).collect()
}

#[track_caller]
fn is_sound(home: &Path) {
    let verified = verify(&Conversation::open(Arc::new(RealFs), home).unwrap()).unwrap();
    assert!(verified.is_sound(), "{:?}", verified.faults);
}

/// A conversation of three messages with an active view of one.
fn with_view() -> (tempfile::TempDir, PathBuf, Session) {
    let (logs, home, mut session) = begin(&["m1", "m2", "m3"]);
    let name = session.next_view_name().unwrap();
    assert_eq!(name.as_str(), "compacted-001");
    session.create_view(&name, &log(&["sum"])).unwrap();
    assert_eq!(session.active_view(), None);
    session.switch_view(&name).unwrap();
    (logs, home, session)
}

const VIEW: &str = "compacted-001";

/// CASES B062.
#[test]
fn an_append_on_a_view_goes_to_main_and_to_the_view() {
    let (_logs, home, mut session) = with_view();
    let appended = session.append(say("v1")).unwrap();
    assert_eq!(appended.index(), 1, "an index is that of the log shown");
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["m1", "m2", "m3", "v1"]);
    assert_eq!(contents(&home, &Transcript::View(view(VIEW))), ["sum", "v1"]);
    assert_eq!(replayed(&home), ["m1", "m2", "m3", "v1"]);
    is_sound(&home);
    let mut session = open(&home);
    assert_eq!(session.active_view(), Some(&view(VIEW)));
    assert_eq!(session.next_view_name().unwrap().as_str(), "compacted-002");
    session.leave_view().unwrap();
    assert_eq!(session.log().len(), 4);
    assert!(!home.join("views/.current").exists());
}

/// CASES B067: a checkpoint while a view is active is one of main.
#[test]
fn a_checkpoint_on_a_view_is_one_of_main() {
    let (_logs, home, mut session) = with_view();
    for at in 0..60 {
        session.append(say(&format!("v{at}"))).unwrap();
    }
    drop(session);
    let replayed = replayed(&home);
    assert_eq!((replayed.len(), &*replayed[0], &*replayed[62]), (63, "m1", "v59"));
    is_sound(&home);
}

#[test]
fn undo_and_edit_on_a_view_leave_main_whole() {
    let (_logs, home, mut session) = with_view();
    session.append(say("v1")).unwrap();
    let undone = session.undo(2).unwrap();
    assert_eq!((undone.removed, undone.backup.unwrap().as_str()), (2, "compacted-001-undo-0"));
    let edited = session.edit(log(&["another sum"])).unwrap();
    assert_eq!(edited.backup.as_str(), "compacted-001-edit-0");
    session.append(say("v2")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::View(view(VIEW))), ["another sum", "v2"]);
    assert_eq!(contents(&home, &Transcript::Main), ["m1", "m2", "m3", "v1", "v2"]);
    assert_eq!(replayed(&home), ["m1", "m2", "m3", "v1", "v2"]);
    assert_eq!(contents(&home, &Transcript::Branch("compacted-001-undo-0".parse().unwrap())), ["sum", "v1"]);
    is_sound(&home);
    let events = std::fs::read_to_string(home.join("events.jsonl")).unwrap();
    for operation in ["create", "switch", "undo", "edit"] {
        let event = format!("\"type\": \"convlog_view\", \"payload\": {{\"op\": \"{operation}\", \"view\": \"{VIEW}\"");
        assert!(events.contains(&event), "{operation}");
    }
}

/// CASES B087, B065: compacting by hand keeps the full history, also when the next step fails; a view on a branch is
/// refused.
#[test]
fn the_full_history_is_kept_before_main_is_compacted() {
    let (_logs, home, mut session) = begin(&["a", "b", "c"]);
    session.preserve_lossless().unwrap();
    session.edit(log(&["sum"])).unwrap();
    session.append(say("d")).unwrap();
    session.preserve_lossless().unwrap();
    let history: Vec<_> = session.history().unwrap().iter().map(|m| m.content().to_owned()).collect();
    assert_eq!(history, ["a", "b", "c", "d"]);
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["sum", "d"]);
    let mut session = open(&home);
    let name = session.next_view_name().unwrap();
    session.create_view(&name, &log(&["shorter"])).unwrap();
    session.switch_view(&name).unwrap();
    session.append(say("e")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Lossless), ["a", "b", "c", "d", "e"]);
    assert_eq!(contents(&home, &Transcript::Main), ["sum", "d", "e"]);
    assert_eq!(contents(&home, &Transcript::View(name)), ["shorter", "e"]);
    is_sound(&home);
}

#[test]
fn what_is_refused_changes_nothing() {
    let (_logs, home, mut session) = with_view();
    session.create_branch(&"dev".parse().unwrap(), None).unwrap();
    let before = Tree::read(&RealFs, &home).unwrap();
    assert!(matches!(session.create_view(&view(VIEW), &log(&["x"])), Err(ViewError::Exists { .. })));
    assert!(matches!(session.create_view(&view("nul.txt"), &log(&["x"])), Err(ViewError::Name(_))));
    assert!(matches!(session.switch_view(&view("none")), Err(ViewError::NotFound { .. })));
    assert!(matches!(session.delete_view(&view(VIEW)), Err(ViewError::Active { .. })));
    assert!(matches!(session.delete_view(&view("none")), Err(ViewError::NotFound { .. })));
    assert_eq!(Tree::read(&RealFs, &home).unwrap(), before);
    session.switch_branch(Some(&"dev".parse().unwrap())).unwrap();
    for refused in [
        session.create_view(&view("x"), &log(&["x"])),
        session.switch_view(&view(VIEW)),
        session.leave_view(),
        session.delete_view(&view(VIEW)),
        session.preserve_lossless(),
    ] {
        assert!(matches!(refused, Err(ViewError::OnBranch { .. })));
    }
    session.append(say("d1")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::View(view(VIEW))), ["sum"]);
    assert_eq!(contents(&home, &Transcript::Main), ["m1", "m2", "m3"]);
}

/// A marker that names no view there is: main is active, and `verify` says so.
#[test]
fn a_marker_that_names_a_missing_view_is_reported() {
    let (_logs, home, session) = with_view();
    session.close().unwrap();
    std::fs::remove_file(home.join("views/compacted-001.jsonl")).unwrap();
    let mut session = open(&home);
    assert_eq!((session.active_view(), session.log().len()), (None, 3));
    session.append(say("m4")).unwrap();
    session.close().unwrap();
    let verified = verify(&Conversation::open(Arc::new(RealFs), &home).unwrap()).unwrap();
    assert_eq!(verified.faults.iter().map(|fault| fault.kind.code()).collect::<Vec<_>>(), ["view-marker"]);
}
