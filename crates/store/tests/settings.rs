//! Settings, trace, dictionary form, temporary sessions and observers.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::{Arc, Mutex};

use convlog_fs::{FileSystem, RealFs};
use convlog_message::json::{Object, Value};
use convlog_message::{Message, Timestamp};
use convlog_store::{Session, SessionOptions};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse().unwrap())
}

fn new(directory: &tempfile::TempDir) -> Session {
    Session::create(Arc::new(RealFs), directory.path().join("talk"), SessionOptions::default(), vec![say("hi")])
        .unwrap()
}

#[test]
fn a_name_is_set_and_all_else_in_the_file_stays() {
    let directory = tempfile::tempdir().unwrap();
    let session = new(&directory);
    assert_eq!(session.name(), "talk");
    let path = directory.path().join("talk/config.toml");
    let text = "# mine\n[chat]\nmodel = \"m\"  # dear\nstream = true\n\n[notes]\nkept = [1, 2]\n";
    std::fs::write(&path, text).unwrap();
    session.set_name(Some("A \"good\" name")).unwrap();
    assert_eq!(session.name(), "A \"good\" name");
    let now = std::fs::read_to_string(&path).unwrap();
    for line in text.lines() {
        assert!(now.contains(line), "{line}\n{now}");
    }
    session.set_name(None).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    session.set_workspace(directory.path()).unwrap();
    assert_eq!(session.config().unwrap().workspace, directory.path().canonicalize().unwrap());

    std::fs::write(&path, "[chat\n").unwrap();
    let error = session.set_name(Some("x")).unwrap_err().to_string();
    assert!(error.contains("config.toml, line 1, column "), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "[chat\n");
}

#[test]
fn the_trace_is_kept_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let session = new(&directory);
    assert_eq!(session.model_trace().unwrap(), None);
    let trace: Object =
        [("asked", Value::from("a")), ("tried", Value::from(vec![Value::from(1)]))].into_iter().collect();
    session.set_model_trace(&trace.clone().into()).unwrap();
    assert_eq!(session.model_trace().unwrap(), Some(trace.into()));
}

#[test]
fn the_dictionary_is_gptmes() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = new(&directory);
    session.append(say("more")).unwrap();
    session.undo(1).unwrap();
    let object = session.to_object_with_branches().unwrap();
    assert_eq!(object.keys().collect::<Vec<_>>(), ["id", "name", "log", "logfile", "branches"]);
    let branches = object.get("branches").unwrap().as_object().unwrap();
    let lengths: Vec<_> = branches.iter().map(|(name, log)| (name, log.as_array().unwrap().len())).collect();
    assert_eq!(lengths, [("main", 1), ("main-undo-0", 2)]);
}

#[test]
fn a_temporary_session_leaves_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let fs: Arc<dyn FileSystem> = Arc::new(RealFs);
    let mut session = Session::temporary(&fs, directory.path(), SessionOptions::default(), vec![]).unwrap();
    session.append(say("hi")).unwrap();
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    drop(session);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
}

#[test]
fn the_observer_sees_what_is_appended_but_for_quiet_messages() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = new(&directory);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    session.set_observer(move |message| sink.lock().unwrap().push(message.content().to_owned()));
    session.append(say("shown")).unwrap();
    session.append(say("quiet").with_quiet(true)).unwrap();
    assert_eq!(*seen.lock().unwrap(), ["shown"]);
    assert_eq!(session.log().len(), 3);
}

#[test]
fn a_transcript_is_continued_in_its_kind_of_time() {
    let directory = tempfile::tempdir().unwrap();
    let mut session = new(&directory);
    assert!(session.now().is_naive());
    session.append(say("utc").with_timestamp(Timestamp::now_utc())).unwrap();
    assert!(!session.now().is_naive());
}

/// Files are private from the first moment, and a mode that is there survives a rewrite.
#[test]
fn files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = tempfile::tempdir().unwrap();
    let mut session = new(&directory);
    session.undo(1).unwrap();
    let home = directory.path().join("talk");
    let mut waiting = vec![home.clone()];
    while let Some(path) = waiting.pop() {
        let metadata = std::fs::metadata(&path).unwrap();
        let expected = if metadata.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(metadata.permissions().mode() & 0o777, expected, "{}", path.display());
        if metadata.is_dir() {
            waiting.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    let transcript = home.join("conversation.jsonl");
    std::fs::set_permissions(&transcript, std::fs::Permissions::from_mode(0o640)).unwrap();
    drop(session);
    let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    session.append(say("x")).unwrap();
    session.undo(1).unwrap();
    assert_eq!(std::fs::metadata(&transcript).unwrap().permissions().mode() & 0o777, 0o640);
}

/// CASES B037: where directories cannot be synced, everything works, and the caller can tell.
#[test]
fn a_file_system_that_cannot_sync_directories_is_told_of() {
    use convlog_fs::DirSync;
    use convlog_fs::sim::{Fault, SimFs, Times, When};

    let fs = SimFs::new();
    fs.create_dir(std::path::Path::new("/logs")).unwrap();
    let create = |fs: &SimFs, id: &str| {
        let shared: Arc<dyn convlog_fs::FileSystem> = Arc::new(fs.clone());
        Session::create(shared, format!("/logs/{id}"), SessionOptions::default(), []).unwrap()
    };
    assert_eq!(create(&fs, "synced").dir_sync(), DirSync::Synced);
    fs.fail(When::operation(convlog_fs::Operation::SyncDir), Fault::INVALID, Times::Forever);
    let session = create(&fs, "unsynced");
    assert_eq!(session.dir_sync(), DirSync::Unsupported);
    session.close().unwrap();
}
