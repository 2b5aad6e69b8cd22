//! Messages that stream: cheap pieces, one message at the end, and nothing lost when the process dies between.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::sim::SimFs;
use convlog_fs::{FileSystem, Metered, Open, RealFs};
use convlog_message::{Message, Metadata, Role, Timestamp};
use convlog_store::{Conversation, DraftError, Session, SessionOptions, Transcript};

const HOME: &str = "/logs/talk";

fn say(role: Role, content: &str) -> Message {
    Message::new(role, content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

fn begin() -> (SimFs, Session) {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/logs")).unwrap();
    let question = say(Role::User, "question");
    let session = Session::create(Arc::new(fs.clone()), HOME, SessionOptions::default(), [question]).unwrap();
    (fs, session)
}

fn open(fs: &SimFs) -> Session {
    Session::open(Arc::new(fs.clone()), HOME, SessionOptions::default()).unwrap()
}

fn draft() -> PathBuf {
    Path::new(HOME).join(".convlog-draft.jsonl")
}

#[test]
fn pieces_become_one_message() {
    let (fs, mut session) = begin();
    let mut draft_ = session.begin_draft(say(Role::Assistant, "Once")).unwrap();
    for piece in [" upon\n", "", "\"a\" ", "time \u{1f600}"] {
        draft_.push(piece).unwrap();
    }
    assert_eq!(draft_.content(), "Once upon\n\"a\" time \u{1f600}");
    let cost = Metadata::default().with_cost(0.5);
    let appended = draft_.finish_with(|message| message.with_metadata(cost)).unwrap();
    assert_eq!(appended.index(), 1);
    let message = session.log().last().unwrap();
    assert_eq!((message.content(), message.metadata().cost()), ("Once upon\n\"a\" time \u{1f600}", Some(0.5)));
    assert!(fs.lstat(&draft()).is_err() && session.interrupted().is_none());
    session.begin_draft(say(Role::Assistant, "no")).unwrap().discard().unwrap();
    assert!(fs.lstat(&draft()).is_err());
}

#[test]
fn a_piece_costs_one_write_of_it() {
    let logs = tempfile::tempdir().unwrap();
    let fs = Arc::new(Metered::new(RealFs));
    let mut session = Session::create(fs.clone(), logs.path().join("talk"), SessionOptions::default(), []).unwrap();
    let mut draft = session.begin_draft(say(Role::Assistant, "")).unwrap();
    let before = fs.snapshot();
    for _ in 0..1000 {
        draft.push("token ").unwrap();
    }
    let spent = fs.snapshot().since(&before);
    assert_eq!((spent.bytes_read(), spent.bytes_written(), spent.syncs()), (0, 9 * 1000, 0));
    assert!(spent.total() <= 2 * 1000, "{spent:?}");
}

/// Killed at any file operation, the next opening finds the message whole, or hands back what was written of it.
#[test]
fn killed_anywhere_the_draft_is_handed_back_or_the_message_stands_once() {
    let run = |fs: &SimFs| -> usize {
        let opened = Session::open(Arc::new(fs.clone()), HOME, SessionOptions::default());
        let Ok(mut session) = opened else { return 0 };
        let Ok(mut draft) = session.begin_draft(say(Role::Assistant, "")) else { return 0 };
        let mut pushed = 0;
        for piece in ["1", "2", "3"] {
            if draft.push(piece).is_err() {
                return pushed;
            }
            pushed += 1;
        }
        if draft.finish().is_ok() { 4 } else { pushed }
    };
    let (fs, session) = begin();
    session.close().unwrap();
    let calls = {
        let fs = fs.kill();
        let before = fs.next_op();
        assert_eq!(run(&fs), 4);
        fs.next_op() - before
    };
    let (mut interrupted, mut whole) = (0, 0);
    for call in 0..=calls {
        let disk = fs.kill();
        disk.halt_after(call);
        let pushed = run(&disk);
        let disk = disk.kill();
        let mut session = open(&disk);
        let content = session.interrupted().map(|message| message.content().to_owned());
        let last = session.log().last().unwrap().content().to_owned();
        match (&content, &*last) {
            (None, "123") => whole += 1,
            (None, "question") => assert_eq!(pushed, 0, "call {call}"),
            (Some(content), "question") => {
                interrupted += 1;
                assert!("123".starts_with(&**content) && content.len() >= pushed.min(3), "call {call}: {content}");
                assert!(matches!(session.begin_draft(say(Role::Assistant, "x")), Err(DraftError::Interrupted)));
                if call % 2 == 0 {
                    assert_eq!(session.keep_interrupted().unwrap().unwrap().index(), 1);
                    assert_eq!(session.log().last().unwrap().content(), content);
                } else {
                    assert_eq!(session.drop_interrupted().unwrap().unwrap().content(), content);
                    assert_eq!(session.log().len(), 1);
                }
            }
            other => panic!("call {call}: {other:?}"),
        }
        session.close().unwrap();
        let again = open(&disk);
        assert!(again.interrupted().is_none() && disk.lstat(&draft()).is_err(), "call {call}");
    }
    assert!(interrupted > 3 && whole > 0, "{interrupted} {whole}");
}

/// What a dropped draft leaves is handed back in the next session, and gptme's reader sees nothing of it.
#[test]
fn a_torn_piece_is_left_out() {
    let (fs, mut session) = begin();
    let mut piece = session.begin_draft(say(Role::Assistant, "")).unwrap();
    piece.push("whole ").unwrap();
    piece.push("torn").unwrap();
    drop(piece);
    session.close().unwrap();
    let bytes = convlog_fs::read_all(&fs, &draft()).unwrap();
    let mut file = fs.open(&draft(), Open::ReadWrite(convlog_fs::Missing::Fail)).unwrap();
    file.set_len(bytes.len() as u64 - 3).unwrap();
    drop(file);
    let session = open(&fs);
    assert_eq!(session.interrupted().unwrap().content(), "whole ");
    let conversation = Conversation::open(Arc::new(fs.clone()), HOME).unwrap();
    assert_eq!(conversation.read(&Transcript::Main).unwrap().log.len(), 1);
}
