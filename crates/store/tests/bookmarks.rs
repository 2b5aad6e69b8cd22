//! Bookmarks, and going back to one.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_message::{Message, Role, Timestamp};
use convlog_store::{BacktrackError, Conversation, MarkError, Rewind, Session, SessionOptions};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

fn begin(contents: &[&str]) -> (tempfile::TempDir, Session) {
    let logs = tempfile::tempdir().unwrap();
    let initial = contents.iter().map(|content| say(content));
    let session =
        Session::create(Arc::new(RealFs), logs.path().join("talk"), SessionOptions::default(), initial).unwrap();
    (logs, session)
}

fn to(text: &str) -> Rewind {
    text.parse().unwrap()
}

#[test]
fn going_back_removes_what_came_after_and_says_so_to_the_model() {
    let (_logs, mut session) = begin(&["a", "b"]);
    assert_eq!(session.mark(Some("good")).unwrap().index, 2);
    assert_eq!(session.mark(None).unwrap().label, "cp2");
    session.append(say("c")).unwrap();
    session.append(say("d")).unwrap();
    let done = session.backtrack(&to("good"), Some("  wrong file ")).unwrap();
    assert_eq!((done.removed, done.index, done.backup.unwrap().as_str()), (2, 2, "main-edit-0"));
    let note = session.log().get(2).unwrap();
    assert_eq!((note.role(), note.hide(), session.log().len()), (&Role::System, true, 3));
    assert_eq!(note.content(), "[Backtracked 2 message(s) to index 2 (checkpoint: 'good')]\nwrong file");
    assert_eq!(session.backtrack(&to("3"), None).unwrap().removed, 0);
    assert_eq!(session.backtrack(&to("1"), None).unwrap().removed, 2);
    assert_eq!(session.log().last().unwrap().content(), "[Backtracked 2 message(s) to index 1]");
}

#[test]
fn a_stale_bookmark_is_refused() {
    let (_logs, mut session) = begin(&["a", "b", "c"]);
    session.mark(Some("late")).unwrap();
    session.undo(2).unwrap();
    let refused = session.backtrack(&to("late"), None).unwrap_err();
    assert!(matches!(refused, BacktrackError::Stale { index: 3, there: 1, .. }), "{refused}");
    // It grew again: as many messages, and not the same.
    session.append(say("x")).unwrap();
    session.append(say("y")).unwrap();
    session.append(say("z")).unwrap();
    assert!(matches!(session.backtrack(&to("late"), None), Err(BacktrackError::Stale { .. })));
    assert_eq!(session.log().len(), 4);
    assert!(matches!(session.backtrack(&to("9"), None), Err(BacktrackError::Beyond { index: 9, there: 4 })));
    assert!(matches!(session.backtrack(&to("none"), None), Err(BacktrackError::Unknown { .. })));
    // One set on another log is not one of this.
    session.create_branch(&"dev".parse().unwrap(), Some(1)).unwrap();
    session.mark(Some("main's")).unwrap();
    session.switch_branch(Some(&"dev".parse().unwrap())).unwrap();
    session.append(say("x")).unwrap();
    assert!(matches!(session.backtrack(&to("main's"), None), Err(BacktrackError::Stale { .. })));
}

/// CASES B086: odd lines are passed over; only the digits 0 to 9 make a number.
#[test]
fn odd_lines_are_passed_over_and_labels_are_not_taken_for_numbers() {
    let (logs, mut session) = begin(&["a", "b"]);
    let path = logs.path().join("talk/conv-checkpoints.jsonl");
    let good = r#"{"index": 1, "label": "--5", "timestamp": "2026-01-02T03:04:05+00:00"}"#;
    let lines =
        [b"[1]", b"5".as_slice(), b"\xff", b"{\"index\": -1, \"label\": \"n\", \"timestamp\": \"\"}", good.as_bytes()];
    std::fs::write(&path, lines.join(&b'\n')).unwrap();
    let conversation = Conversation::open(Arc::new(RealFs), logs.path().join("talk")).unwrap();
    let bookmarks = conversation.bookmarks().unwrap();
    assert_eq!((bookmarks.list.len(), bookmarks.odd), (1, vec![1, 2, 3, 4]));
    assert_eq!(
        (to("--5"), to("²"), to("٣"), to("12")),
        (Rewind::To("--5".into()), Rewind::To("²".into()), Rewind::To("٣".into()), Rewind::Index(12))
    );
    // The last line lacks its newline; the next one gets its own line all the same.
    session.mark(Some("after")).unwrap();
    assert_eq!(conversation.bookmarks().unwrap().list.len(), 2);
    assert_eq!(session.backtrack(&to("--5"), None).unwrap().removed, 1);
    for label in ["", " ", "12"] {
        assert!(matches!(session.mark(Some(label)), Err(MarkError::Label { .. })), "{label:?}");
    }
}
