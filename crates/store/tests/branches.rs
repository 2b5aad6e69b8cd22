//! Branches: made, switched to, compared, removed, restored; what is refused changes nothing.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_fs::sim::Tree;
use convlog_message::{Message, Timestamp};
use convlog_store::{
    BranchError, BranchName, Conversation, OpenSessionError, ReadError, RestoreError, Session, SessionOptions,
    SwitchError, Transcript,
};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

fn name(name: &str) -> BranchName {
    name.parse().unwrap()
}

fn begin(contents: &[&str]) -> (tempfile::TempDir, PathBuf, Session) {
    let logs = tempfile::tempdir().unwrap();
    let home = logs.path().join("talk");
    let initial = contents.iter().map(|content| say(content));
    let session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), initial).unwrap();
    (logs, home, session)
}

fn contents(home: &Path, which: &Transcript) -> Vec<String> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    conversation.read(which).unwrap().log.iter().map(|message| message.content().to_owned()).collect()
}

fn tree(home: &Path) -> String {
    Tree::read(&RealFs, home).unwrap().to_string()
}

/// CASES B063: all branches are complete, whichever is active.
#[test]
fn a_branch_goes_its_own_way() {
    let (_logs, home, mut session) = begin(&["a", "b", "c"]);
    session.create_branch(&name("dev"), Some(2)).unwrap();
    assert_eq!(session.log().len(), 3);
    session.switch_branch(Some(&name("dev"))).unwrap();
    assert_eq!(session.transcript(), &Transcript::Branch(name("dev")));
    session.append(say("d1")).unwrap();
    session.switch_branch(None).unwrap();
    session.append(say("m1")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["a", "b", "c", "m1"]);
    assert_eq!(contents(&home, &Transcript::Branch(name("dev"))), ["a", "b", "d1"]);

    let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
    let diff = conversation.diff(&Transcript::Main, &Transcript::Branch(name("dev"))).unwrap();
    let texts = |messages: &[Message]| messages.iter().map(|m| m.content().to_owned()).collect::<Vec<_>>();
    assert_eq!(
        (diff.common, texts(&diff.left), texts(&diff.right)),
        (2, vec!["c".into(), "m1".into()], vec!["d1".into()])
    );
    assert!(conversation.diff(&Transcript::Main, &Transcript::Main).unwrap().is_empty());
    for which in [Transcript::Main, Transcript::Branch(name("dev"))] {
        let replayed = conversation.events(&which).unwrap().unwrap().replay().unwrap();
        assert_eq!(replayed, conversation.read(&which).unwrap().log, "{which}");
    }
}

#[test]
fn restoring_a_branch_is_an_edit_of_main() {
    let (_logs, home, mut session) = begin(&["a", "b"]);
    session.undo(1).unwrap();
    session.append(say("other")).unwrap();
    let backup = session.restore(&name("main-undo-0")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Main), ["a", "b"]);
    assert_eq!(backup.as_str(), "main-edit-0");
    assert_eq!(contents(&home, &Transcript::Branch(backup)), ["a", "other"]);
}

/// CASES B078, B080: names of backups are not used again, and all branches survive.
#[test]
fn a_removed_backup_leaves_its_number() {
    let (_logs, home, mut session) = begin(&["a", "b", "c"]);
    assert_eq!(session.undo(1).unwrap().backup.unwrap().as_str(), "main-undo-0");
    session.append(say("d")).unwrap();
    assert_eq!(session.undo(1).unwrap().backup.unwrap().as_str(), "main-undo-1");
    session.delete_branch(&name("main-undo-0")).unwrap();
    session.append(say("e")).unwrap();
    assert_eq!(session.undo(1).unwrap().backup.unwrap().as_str(), "main-undo-2");
    session.close().unwrap();
    let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
    let backups = conversation.backups().unwrap();
    assert_eq!(backups.iter().map(|backup| backup.number).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(conversation.backups_beyond(1).unwrap(), backups[..1]);
    assert!(backups.iter().all(|backup| backup.group == "main-undo" && backup.bytes > 0));
}

#[test]
fn what_is_refused_changes_nothing() {
    let (_logs, home, mut session) = begin(&["a", "b"]);
    session.create_branch(&name("dev"), None).unwrap();
    std::fs::create_dir(home.join("branches/folder.jsonl")).unwrap();
    let before = tree(&home);
    let refused = |error: BranchError| error.to_string();
    assert_eq!(refused(session.create_branch(&name("dev"), None).unwrap_err()), "there is a branch dev already");
    assert!(refused(session.create_branch(&name("main"), None).unwrap_err()).starts_with("main is the conversation"));
    assert!(matches!(session.create_branch(&name("con"), None), Err(BranchError::Name(_))));
    assert!(matches!(session.create_branch(&name("new"), Some(3)), Err(BranchError::Beyond { at: 3, there: 2 })));
    assert!(matches!(session.create_branch(&name("folder"), None), Err(BranchError::Exists { .. })));
    assert!(matches!(session.delete_branch(&name("none")), Err(BranchError::NotFound { .. })));
    assert!(matches!(session.restore(&name("none")), Err(RestoreError::Read(ReadError::NotFound { .. }))));
    let missing = session.switch_branch(Some(&name("none"))).unwrap_err();
    assert!(
        matches!(&missing, SwitchError::Open { source } if matches!(**source, OpenSessionError::Read(_))),
        "{missing}"
    );
    let folder = session.switch_branch(Some(&name("folder"))).unwrap_err();
    assert!(folder.to_string().contains("is a directory"), "{folder}");
    for escaping in ["../x", "a/b", "..", "", "a\u{0}"] {
        assert!(escaping.parse::<BranchName>().is_err());
    }
    assert_eq!(tree(&home), before);
    session.switch_branch(Some(&name("dev"))).unwrap();
    assert!(matches!(session.delete_branch(&name("dev")), Err(BranchError::InUse { .. })));
    session.append(say("still")).unwrap();
    session.close().unwrap();
    assert_eq!(contents(&home, &Transcript::Branch(name("dev"))), ["a", "b", "still"]);
}

/// Twenty undos in a row keep what was undone, and one copy of the whole, not twenty.
#[test]
fn undos_in_a_row_share_their_backup() {
    let (_logs, home, mut session) = begin(&[]);
    let long = "x".repeat(10_000);
    let batch: Vec<_> = (0..1_000).map(|at| say(&format!("{at} {long}"))).collect();
    session.append_batch(&batch, convlog_fs::Durability::Written).unwrap();
    for at in 0..20_usize {
        let undone = session.undo(1).unwrap();
        assert_eq!((undone.removed, undone.backup.unwrap().as_str()), (1, "main-undo-0"), "undo {at}");
    }
    session.close().unwrap();
    let bytes = |path: &str| std::fs::metadata(home.join(path)).unwrap().len();
    let whole = bytes("branches/main-undo-0.jsonl");
    assert!(whole > 10_000_000);
    let on_disk = whole + bytes("conversation.jsonl");
    assert!(on_disk <= 2 * whole + 20 * 10_100, "{on_disk}");
    assert_eq!(std::fs::read_dir(home.join("branches")).unwrap().count(), 1);
    assert_eq!(contents(&home, &Transcript::Branch(name("main-undo-0"))).len(), 1_000);
    assert_eq!(contents(&home, &Transcript::Main).len(), 980);
}
