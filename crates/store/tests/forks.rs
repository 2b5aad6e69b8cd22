//! Forks: a whole copy under another id, or none.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_fs::sim::{Fault, SimFs, Times, Tree, When};
use convlog_fs::{FileSystem, Operation};
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Conversation, ForkError, Session, SessionOptions, Transcript, verify};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

fn log(contents: &[&str]) -> Log {
    contents.iter().map(|content| say(content)).collect()
}

fn contents(home: &Path, which: &Transcript) -> Vec<String> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    conversation.read(which).unwrap().log.iter().map(|message| message.content().to_owned()).collect()
}

/// A conversation with everything in it, a view active.
fn rich() -> (tempfile::TempDir, PathBuf, Session) {
    let logs = tempfile::tempdir().unwrap();
    let home = logs.path().join("talk");
    let attached = logs.path().canonicalize().unwrap().join("a.txt");
    std::fs::write(&attached, "attached").unwrap();
    let mut session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [say("a")]).unwrap();
    session.append(say("b").with_files([attached.to_str().unwrap()])).unwrap();
    session.append(say("c")).unwrap();
    session.undo(1).unwrap();
    session.create_branch(&"dev".parse().unwrap(), None).unwrap();
    session.mark(Some("here")).unwrap();
    session.set_name(Some("A talk")).unwrap();
    session.create_view(&"compacted-001".parse().unwrap(), &log(&["sum"])).unwrap();
    session.switch_view(&"compacted-001".parse().unwrap()).unwrap();
    session.append(say("v1")).unwrap();
    session.append(say("v2")).unwrap();
    symlink("/somewhere/that/is/missing", home.join("workspace")).unwrap();
    std::fs::create_dir_all(home.join("theirs/.lock")).unwrap();
    std::fs::write(home.join("theirs/events.jsonl"), "somebody else's").unwrap();
    std::fs::write(home.join(".convlog-1-0.tmp"), "left").unwrap();
    (logs, home, session)
}

/// CASES B083, B084: all of it but locks and temporary files, links as links, and as layout that of the source.
#[test]
fn a_fork_is_whole_whatever_is_active() {
    let (logs, home, session) = rich();
    let target = logs.path().join("copy");
    assert!(session.fork(&target, None).unwrap().left.is_empty());
    let files = |home: &Path| -> Vec<String> {
        let tree = Tree::read(&RealFs, home).unwrap();
        let names = tree.entries.keys().map(|path| path.display().to_string());
        names.filter(|name| !name.ends_with(".lock") || name.starts_with("/theirs")).collect()
    };
    let mut expected = files(&home);
    expected.retain(|name| name != "/.convlog-1-0.tmp");
    assert_eq!(files(&target), expected);
    assert!(!target.join(".lock").exists());
    assert_eq!(std::fs::read_link(target.join("workspace")).unwrap(), Path::new("/somewhere/that/is/missing"));
    for which in ["conversation.jsonl", "branches/dev.jsonl", "views/compacted-001.jsonl", "branches/main-undo-0.jsonl"]
    {
        assert_eq!(std::fs::read(target.join(which)).unwrap(), std::fs::read(home.join(which)).unwrap(), "{which}");
    }
    let copied = Conversation::open(Arc::new(RealFs), &target).unwrap();
    assert!(verify(&copied).unwrap().is_sound(), "{:?}", verify(&copied).unwrap().faults);
    let mut forked = Session::open(Arc::new(RealFs), &target, SessionOptions::default()).unwrap();
    assert!(forked.recovery().is_empty());
    assert_eq!((forked.active_view().unwrap().as_str(), forked.name()), ("compacted-001", "A talk".to_owned()));
    forked.append(say("only here")).unwrap();
    forked.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main).len(), 4);
    assert_eq!(session.layout().home(), home);
}

#[test]
fn a_fork_at_a_message_ends_there() {
    let (logs, home, mut session) = rich();
    let view = Transcript::View("compacted-001".parse().unwrap());
    session.fork(logs.path().join("at2"), Some(2)).unwrap();
    assert_eq!(contents(&logs.path().join("at2"), &view), ["sum", "v1"]);
    assert_eq!(contents(&logs.path().join("at2"), &Transcript::Main), ["a", "b", "v1"]);
    assert!(matches!(session.fork(logs.path().join("at0"), Some(0)), Err(ForkError::WithinView { at: 0, .. })));
    assert!(matches!(session.fork(logs.path().join("at9"), Some(9)), Err(ForkError::Beyond { at: 9, there: 3 })));
    session.leave_view().unwrap();
    let moved = session.move_to(logs.path().join("at1"), Some(1)).unwrap();
    assert_eq!((moved.layout().home(), moved.log().len()), (&*logs.path().join("at1"), 1));
    assert_eq!(contents(&home, &Transcript::Main).len(), 4);
    // The session that moved gave the first conversation back.
    Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    assert!(!logs.path().join("at9").exists() && !logs.path().join("at0").exists());
}

#[test]
fn a_fork_onto_something_is_refused() {
    let (logs, home, session) = rich();
    std::fs::create_dir(logs.path().join("there")).unwrap();
    let before = Tree::read(&RealFs, logs.path()).unwrap();
    assert!(matches!(session.fork(logs.path().join("there"), None), Err(ForkError::Exists { .. })));
    assert!(matches!(session.fork(&home, None), Err(ForkError::Inside { .. })));
    assert!(matches!(session.fork(home.join("branches/x"), None), Err(ForkError::Inside { .. })));
    assert_eq!(Tree::read(&RealFs, logs.path()).unwrap(), before);
}

/// A copy that fails half way leaves nothing; one whose process died is removed by the next fork, and never taken for
/// a conversation.
#[test]
fn a_partial_copy_does_not_stay() {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/logs")).unwrap();
    let shared: Arc<dyn FileSystem> = Arc::new(fs.clone());
    let options = SessionOptions::default();
    let mut session = Session::create(Arc::clone(&shared), "/logs/talk", options, [say("a"), say("b")]).unwrap();
    session.create_branch(&"dev".parse().unwrap(), None).unwrap();
    let names = |fs: &SimFs| -> Vec<String> {
        let list = fs.list(Path::new("/logs")).unwrap();
        list.into_iter().map(|entry| entry.name.into_string().unwrap()).collect()
    };
    let start = fs.next_op();
    session.fork("/logs/whole", None).unwrap();
    let of_a_fork = fs.next_op() - start;
    for call in 0..of_a_fork {
        fs.fail(When::any().skip(call), Fault::NO_SPACE, Times::Once);
        let forked = session.fork("/logs/copy", None);
        fs.clear_faults();
        if forked.is_ok() {
            // The fault hit something that does not matter.
            remove(&fs, Path::new("/logs/copy"));
        }
        let left: Vec<_> = names(&fs).into_iter().filter(|name| name != "talk" && name != "whole").collect();
        // A directory that could not be removed, as the fault hit the removal, is one that nobody takes for data.
        assert!(left.iter().all(|name| name.starts_with(".convlog-")), "call {call}: {left:?}");
    }
    fs.fail(When::operation(Operation::Rename), Fault::NO_SPACE, Times::Once);
    assert!(session.fork("/logs/again", None).is_err());
    fs.clear_faults();
    session.fork("/logs/again", None).unwrap();
    assert_eq!(names(&fs), ["again", "talk", "whole"]);
}

fn remove(fs: &SimFs, path: &Path) {
    for entry in fs.list(path).unwrap_or_default() {
        let inner = path.join(&entry.name);
        if entry.kind == convlog_fs::Kind::Dir {
            remove(fs, &inner);
        } else {
            fs.remove_file(&inner).unwrap();
        }
    }
    let _ = fs.remove_dir(path);
}
