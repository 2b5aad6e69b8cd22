//! A message that was interrupted while it was streamed: kept where it belongs, or dropped.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::Path;
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_message::{Message, Role, Timestamp};
use convlog_store::{Appender, BranchName, Conversation, DraftError, Session, SessionOptions, Transcript};

fn say(content: &str) -> Message {
    Message::new(Role::Assistant, content, Timestamp::now())
}

fn on(branch: &BranchName) -> SessionOptions {
    SessionOptions::default().on_branch(branch.clone())
}

fn contents(home: &Path, which: &Transcript) -> Vec<String> {
    let log = Conversation::open(Arc::new(RealFs), home).unwrap().read(which).unwrap().log;
    log.iter().map(|message| message.content().to_owned()).collect()
}

/// A conversation with a branch `dev`, on which a message was being streamed.
fn interrupted_on_dev(home: &Path) -> BranchName {
    let dev: BranchName = "dev".parse().unwrap();
    let mut session = Session::create(Arc::new(RealFs), home, SessionOptions::default(), [say("a")]).unwrap();
    session.create_branch(&dev, None).unwrap();
    session.close().unwrap();
    let mut session = Session::open(Arc::new(RealFs), home, on(&dev)).unwrap();
    let mut draft = session.begin_draft(say("half")).unwrap();
    draft.push(" of it").unwrap();
    drop(draft);
    session.close().unwrap();
    dev
}

#[test]
fn a_draft_of_a_branch_is_not_kept_on_main() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    let dev = interrupted_on_dev(&home);
    let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    assert_eq!(session.interrupted().unwrap().content(), "half of it");
    assert_eq!(session.interrupted_in(), Some(&Transcript::Branch(dev.clone())));
    let refused = session.keep_interrupted().unwrap_err();
    assert!(matches!(refused, DraftError::Elsewhere { .. }), "{refused}");
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["a"]);

    let mut appender = Appender::open(Arc::new(RealFs), &home, on(&dev)).unwrap();
    assert_eq!(appender.interrupted().unwrap().content(), "half of it");
    assert_eq!(appender.keep_interrupted().unwrap().unwrap().index(), 1);
    assert!(appender.interrupted().is_none() && appender.interrupted_in().is_none());
    appender.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Branch(dev)), ["a", "half of it"]);
    assert_eq!(contents(&home, &Transcript::Main), ["a"]);
}

#[test]
fn a_draft_is_dropped_from_anywhere_and_given_back_once() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    let dev = interrupted_on_dev(&home);
    let mut appender = Appender::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    assert_eq!(appender.drop_interrupted().unwrap().unwrap().content(), "half of it");
    assert!(appender.drop_interrupted().unwrap().is_none());
    appender.close().unwrap();
    let session = Session::open(Arc::new(RealFs), &home, on(&dev)).unwrap();
    assert!(session.interrupted().is_none());
    assert_eq!(contents(&home, &Transcript::Branch(dev)), ["a"]);
}

#[test]
fn a_session_that_was_made_goes_on_as_an_appender() {
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    let made = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), []).unwrap();
    let mut appender = Appender::from(made);
    assert_eq!(appender.append(say("a")).unwrap().index(), 0);
    appender.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["a"]);
}
