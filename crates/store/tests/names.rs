//! Names of new branches and views that leave no room for the files beside them.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_message::{Log, Message, Role, Timestamp};
use convlog_store::{BranchName, ConversationId, NameFault, Session, SessionOptions, ViewName};

fn say(content: &str) -> Message {
    Message::new(Role::User, content, Timestamp::now())
}

/// A branch whose name is as long as a new one may be can be opened, undone and edited.
#[test]
fn the_longest_name_leaves_room_for_backups_and_quarantine() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    let mut session =
        Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [say("a"), say("b")]).unwrap();
    let branch = BranchName::for_new(&"x".repeat(200)).unwrap();
    let view = ViewName::for_new(&"y".repeat(200)).unwrap();
    session.create_branch(&branch, None).unwrap();
    session.create_view(&view, &[say("sum"), say("more")].into_iter().collect::<Log>()).unwrap();
    session.switch_view(&view).unwrap();
    assert_eq!(session.undo(1).unwrap().removed, 1);
    session.close().unwrap();
    // A line that cannot be read goes to a file of a longer name.
    let path = home.join(format!("branches/{branch}.jsonl"));
    let whole = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, format!("{{half\n{whole}")).unwrap();
    let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default().on_branch(branch)).unwrap();
    assert_eq!(session.undo(1).unwrap().removed, 1);
    session.edit([say("c")].into_iter().collect()).unwrap();
    session.close().unwrap();
}

#[test]
fn a_longer_one_is_refused_and_nothing_stays() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    let mut session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [say("a")]).unwrap();
    let long = "x".repeat(201);
    assert_eq!(BranchName::for_new(&long).unwrap_err().fault, NameFault::NoRoom);
    assert_eq!(ViewName::for_new(&long).unwrap_err().fault, NameFault::NoRoom);
    assert!(ConversationId::for_new(&long).is_ok(), "no backup bears an id");
    assert!(session.create_branch(&long.parse().unwrap(), None).is_err());
    assert!(session.create_view(&long.parse().unwrap(), &Log::new()).is_err());
    session.close().unwrap();
    assert!(!home.join("branches").exists() && !home.join("views").exists());
}
