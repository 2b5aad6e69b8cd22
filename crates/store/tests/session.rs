//! A session on the real file system and on the simulated one: what each operation leaves on the disk.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;

use convlog_codec::jsonl;
use convlog_eventlog as eventlog;
use convlog_fs::sim::SimFs;
use convlog_fs::{Durability, FileSystem};
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Conversation, Session, SessionOptions, Transcript};

const HOME: &str = "/logs/talk";

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse().unwrap())
}

fn new_fs() -> (SimFs, Arc<dyn FileSystem>) {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/logs")).unwrap();
    (fs.clone(), Arc::new(fs))
}

fn contents(log: &Log) -> Vec<&str> {
    log.iter().map(Message::content).collect()
}

/// What the transcript says, what the event log says, and what the session says are one.
fn check_agreement(fs: &Arc<dyn FileSystem>, session: &Session) {
    let bytes = convlog_fs::read_all(&**fs, &Path::new(HOME).join("conversation.jsonl")).unwrap();
    let read = jsonl::read(&bytes, &Timestamp::now());
    assert_eq!(contents(&read.log), contents(session.log()));
    let events = eventlog::read(&**fs, Path::new(HOME)).unwrap().unwrap();
    assert_eq!(contents(&events.replay().unwrap()), contents(session.log()));
    assert!(eventlog::verify(&events).is_intact());
}

#[test]
fn a_conversation_is_created_appended_to_undone_edited_and_opened_again() {
    let (_, fs) = new_fs();
    let mut session =
        Session::create(Arc::clone(&fs), HOME, SessionOptions::default(), vec![say("sys"), say("hi")]).unwrap();
    check_agreement(&fs, &session);
    assert_eq!(session.append(say("yo")).unwrap().index(), 2);
    session.append_batch(&[say("a"), say("b")], Durability::Synced).unwrap();
    check_agreement(&fs, &session);
    let undone = session.undo(2).unwrap();
    assert_eq!((undone.removed, undone.backup.unwrap().as_str()), (2, "main-undo-0"));
    check_agreement(&fs, &session);
    let edited: Log = [say("sys"), say("new")].into_iter().collect();
    assert_eq!(session.edit(edited).unwrap().backup.as_str(), "main-edit-0");
    session.append(say("more")).unwrap();
    check_agreement(&fs, &session);
    session.close().unwrap();

    let session = Session::open(Arc::clone(&fs), HOME, SessionOptions::default()).unwrap();
    assert_eq!(contents(session.log()), ["sys", "new", "more"]);
    assert!(session.recovery().is_empty() && !session.recovery().rewritten);
    let conversation = Conversation::open(Arc::clone(&fs), HOME).unwrap();
    let branches = conversation.branches().unwrap();
    assert_eq!(
        branches.iter().map(convlog_store::BranchName::as_str).collect::<Vec<_>>(),
        ["main-edit-0", "main-undo-0"]
    );
    let undo = conversation.read(&Transcript::Branch(branches[1].clone())).unwrap();
    assert_eq!(contents(&undo.log), ["sys", "hi", "yo", "a", "b"]);
}

#[test]
fn after_a_kill_nothing_written_is_missing_and_nothing_comes_twice() {
    let (sim, fs) = new_fs();
    let mut session = Session::create(Arc::clone(&fs), HOME, SessionOptions::default(), vec![say("a")]).unwrap();
    session.append(say("b")).unwrap();
    let after: Arc<dyn FileSystem> = Arc::new(sim.kill());
    std::mem::forget(session);
    let session = Session::open(Arc::clone(&after), HOME, SessionOptions::default()).unwrap();
    assert_eq!(contents(session.log()), ["a", "b"]);
    check_agreement(&after, &session);
}

#[test]
fn undo_counts_the_command_and_takes_what_there_is() {
    let (_, fs) = new_fs();
    let mut session =
        Session::create(Arc::clone(&fs), HOME, SessionOptions::default(), vec![say("one"), say("two"), say("/undo")])
            .unwrap();
    assert_eq!(session.undo(0).unwrap().removed, 0);
    assert_eq!(session.undo(1).unwrap().removed, 2);
    assert_eq!(contents(session.log()), ["one"]);
    check_agreement(&fs, &session);
    assert_eq!(session.undo(5).unwrap().removed, 1);
    assert_eq!(session.undo(5).unwrap().removed, 0);
    check_agreement(&fs, &session);
}

#[test]
fn what_another_program_changed_is_not_overwritten() {
    let (_, fs) = new_fs();
    let mut session = Session::create(Arc::clone(&fs), HOME, SessionOptions::default(), vec![say("a")]).unwrap();
    let path = Path::new(HOME).join("conversation.jsonl");
    let mut file = fs.open(&path, convlog_fs::Open::Append(convlog_fs::Missing::Fail)).unwrap();
    std::io::Write::write_all(
        &mut file,
        b"{\"role\": \"user\", \"content\": \"theirs\", \"timestamp\": \"2026-01-02T03:04:05\"}\n",
    )
    .unwrap();
    let error = session.append(say("mine")).unwrap_err();
    assert!(error.to_string().contains("by another program; open the conversation again"), "{error}");
    session.close().unwrap();
    let mut session = Session::open(Arc::clone(&fs), HOME, SessionOptions::default()).unwrap();
    assert_eq!(contents(session.log()), ["a", "theirs"]);
    session.append(say("mine")).unwrap();
    check_agreement(&fs, &session);
}

#[test]
fn two_sessions_exclude_each_other() {
    let (_, fs) = new_fs();
    let session = Session::create(Arc::clone(&fs), HOME, SessionOptions::default(), vec![]).unwrap();
    let error = Session::open(Arc::clone(&fs), HOME, SessionOptions::default()).unwrap_err();
    assert!(error.to_string().contains("open already in this process"), "{error}");
    drop(session);
    Session::open(fs, HOME, SessionOptions::default()).unwrap();
}

#[test]
fn a_line_that_cannot_be_read_is_kept_when_its_file_is_rewritten() {
    let (_, fs) = new_fs();
    fs.create_dir(Path::new(HOME)).unwrap();
    let path = Path::new(HOME).join("conversation.jsonl");
    let mut file = fs.open(&path, convlog_fs::Open::CREATE_NEW).unwrap();
    let ok =
        |c: &str| format!("{{\"role\": \"user\", \"content\": \"{c}\", \"timestamp\": \"2026-01-02T03:04:05\"}}\n");
    std::io::Write::write_all(&mut file, (ok("a") + "{bad\n" + &ok("b")).as_bytes()).unwrap();
    drop(file);
    let mut session = Session::open(Arc::clone(&fs), HOME, SessionOptions::default()).unwrap();
    assert!(session.recovery().log_started);
    session.undo(1).unwrap();
    check_agreement(&fs, &session);
    let kept = convlog_fs::read_all(&*fs, &Path::new(HOME).join("conversation.jsonl.quarantine")).unwrap();
    assert_eq!(kept, b"{bad\n");
}
