//! Where gptme's own event log does not tell the truth: each fault shown in gptme, and convlog right on the same steps.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use convlog_fs::{FileSystem, Metered, RealFs};
use convlog_store::{Session, SessionOptions};
use convlog_trust::gptme::{self, Gptme, World, contents, message, messages, plain, says};
use serde_json::Value;

/// One conversation for gptme alone, one for convlog.
struct Two {
    world: World,
    gptme: Gptme,
    theirs: PathBuf,
    ours: PathBuf,
}

fn two() -> Option<Two> {
    let world = World::new();
    let gptme = world.gptme()?;
    let (theirs, ours) = (world.talk("theirs"), world.talk("ours"));
    Some(Two { world, gptme, theirs, ours })
}

fn create(home: &Path, initial: &[&str]) -> Session {
    Session::create(Arc::new(RealFs), home, SessionOptions::default(), messages(&says(initial))).unwrap()
}

fn open(home: &Path) -> Session {
    Session::open(Arc::new(RealFs), home, SessionOptions::default()).unwrap()
}

fn say(content: &str) -> Value {
    gptme::say("user", content)
}

fn append_all(session: &mut Session, contents: &[&str]) {
    for content in contents {
        session.append(message(&say(content))).unwrap();
    }
}

impl Two {
    /// What gptme recovers from its own log, and what its transcript says.
    #[track_caller]
    fn check_gptme_is_wrong(&mut self, recovered: &[&str], transcript: &[&str]) {
        assert_eq!(contents(&self.gptme.read(&self.theirs)), transcript);
        let found = self.gptme.recover(&self.theirs).unwrap_or_default();
        assert_eq!(contents(&found), recovered, "gptme's fault is not there any more");
        assert_ne!(recovered, transcript);
    }

    /// The transcript, convlog's event log, and gptme's reading of both are one.
    #[track_caller]
    fn check_convlog_is_right(&mut self, home: &Path, transcript: &[&str]) {
        assert_eq!(contents(&gptme::read(home)), transcript);
        assert_eq!(contents(&self.gptme.read(home)), transcript);
        assert_eq!(contents(&gptme::recover(home).unwrap()), transcript);
        assert_eq!(contents(&self.gptme.recover(home).unwrap()), transcript);
    }

    /// convlog opens what gptme left, and its event log tells the truth from then on.
    #[track_caller]
    fn check_convlog_mends_it(&mut self, transcript: &[&str]) {
        let home = self.theirs.clone();
        let mut session = open(&home);
        assert_eq!(contents(&plain(session.log())), transcript);
        self.check_convlog_is_right(&home, transcript);
        session.append(message(&say("and on"))).unwrap();
        session.close().unwrap();
        self.check_convlog_is_right(&home, &[transcript, &["and on"]].concat());
    }
}

#[test]
fn initial_messages_are_in_no_event_of_gptmes() {
    let Some(mut two) = two() else { return };
    two.gptme.create(&two.theirs, &says(&["prompt", "tools"]));
    two.gptme.append(&say("hi"));
    two.gptme.release();
    two.check_gptme_is_wrong(&["hi"], &["prompt", "tools", "hi"]);

    let mut session = create(&two.ours, &["prompt", "tools"]);
    two.check_convlog_is_right(&two.ours.clone(), &["prompt", "tools"]);
    session.append(message(&say("hi"))).unwrap();
    two.check_convlog_is_right(&two.ours.clone(), &["prompt", "tools", "hi"]);
    two.check_convlog_mends_it(&["prompt", "tools", "hi"]);
}

#[test]
fn an_old_conversation_without_events_gets_a_log_that_begins_with_what_is_there() {
    let Some(mut two) = two() else { return };
    std::fs::create_dir(&two.theirs).unwrap();
    let lines: String = says(&["old", "older"]).iter().map(|value| format!("{value}\n")).collect();
    std::fs::write(two.theirs.join("conversation.jsonl"), lines).unwrap();
    let copy = two.world.talk("copy");
    std::fs::create_dir(&copy).unwrap();
    std::fs::copy(two.theirs.join("conversation.jsonl"), copy.join("conversation.jsonl")).unwrap();

    two.gptme.load(&copy);
    two.gptme.append(&say("new"));
    two.gptme.release();
    assert_eq!(contents(&two.gptme.read(&copy)), ["old", "older", "new"]);
    assert_eq!(contents(&two.gptme.recover(&copy).unwrap()), ["new"]);

    two.check_convlog_mends_it(&["old", "older"]);
}

#[test]
fn an_undo_records_what_was_asked_for_and_forgets_the_command() {
    let Some(mut two) = two() else { return };
    let steps = ["a", "b", "c", "/undo"];
    two.gptme.create(&two.theirs, &[]);
    two.gptme.append_all(&steps);
    two.gptme.undo(1);
    two.gptme.release();
    two.check_gptme_is_wrong(&["a", "b", "c"], &["a", "b"]);

    let mut session = create(&two.ours, &[]);
    append_all(&mut session, &steps);
    assert_eq!(session.undo(1).unwrap().removed, 2);
    two.check_convlog_is_right(&two.ours.clone(), &["a", "b"]);
    session.close().unwrap();
    two.check_convlog_mends_it(&["a", "b"]);
}

#[test]
fn an_undo_of_more_than_there_is_records_what_was_removed() {
    let Some(mut two) = two() else { return };
    let last_undo = |home: &Path| {
        let text = std::fs::read_to_string(home.join("events.jsonl")).unwrap();
        let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        events.rev().find(|event| event["type"] == "undo").unwrap()["payload"]["n"].clone()
    };
    two.gptme.create(&two.theirs, &[]);
    two.gptme.append_all(&["a", "b"]);
    two.gptme.undo(5);
    two.gptme.release();
    assert_eq!(last_undo(&two.theirs), 5, "gptme's fault is not there any more");

    let mut session = create(&two.ours, &[]);
    append_all(&mut session, &["a", "b"]);
    assert_eq!(session.undo(5).unwrap().removed, 2);
    assert_eq!(last_undo(&two.ours), 2);
    two.check_convlog_is_right(&two.ours.clone(), &[]);
    two.check_convlog_mends_it(&[]);
}

#[test]
fn a_lone_undo_vanishes_with_no_event() {
    let Some(mut two) = two() else { return };
    two.gptme.create(&two.theirs, &[]);
    two.gptme.append(&say("/undo"));
    two.gptme.undo(1);
    two.gptme.release();
    two.check_gptme_is_wrong(&["/undo"], &[]);

    let mut session = create(&two.ours, &[]);
    session.append(message(&say("/undo"))).unwrap();
    assert_eq!(session.undo(1).unwrap().removed, 1);
    two.check_convlog_is_right(&two.ours.clone(), &[]);
    two.check_convlog_mends_it(&[]);
}

#[test]
fn a_rewrite_without_an_event_is_taken_in() {
    let Some(mut two) = two() else { return };
    two.gptme.create(&two.theirs, &[]);
    two.gptme.append_all(&["a", "b", "c"]);
    // What compaction by hand does to the transcript, and the server when settings change.
    two.gptme.replace_log(&says(&["summary", "c"]));
    two.gptme.release();
    two.check_gptme_is_wrong(&["a", "b", "c"], &["summary", "c"]);

    let mut session = create(&two.ours, &[]);
    append_all(&mut session, &["a", "b", "c"]);
    session.edit(messages(&says(&["summary", "c"])).into_iter().collect()).unwrap();
    two.check_convlog_is_right(&two.ours.clone(), &["summary", "c"]);

    let session = open(&two.theirs);
    let backups = &session.recovery().backups;
    assert_eq!(backups.len(), 1, "what only the event log holds is kept: {}", session.recovery());
    assert_eq!((backups[0].0.as_str(), backups[0].1), ("main-recover-0", 3));
    session.close().unwrap();
    two.check_convlog_mends_it(&["summary", "c"]);
}

#[test]
fn a_rewrite_by_gptme_after_convlogs_work_is_taken_in() {
    let Some(mut two) = two() else { return };
    create(&two.theirs, &["a", "b", "c"]).close().unwrap();
    two.gptme.load(&two.theirs);
    two.gptme.replace_log(&says(&["summary", "c"]));
    two.gptme.release();
    two.check_gptme_is_wrong(&["a", "b", "c"], &["summary", "c"]);
    let session = open(&two.theirs);
    assert_eq!(session.recovery().backups.len(), 1, "{}", session.recovery());
    drop(session);
    two.check_convlog_mends_it(&["summary", "c"]);
}

/// Lines that gptme cannot pass: its recovery raises, or its next append.
const ODD_LINES: &[&str] = &["[]", "5", "\"text\"", "null", "{\"type\": \"undo\"}"];

#[test]
fn one_odd_line_ends_gptmes_recovery_and_not_convlogs() {
    let Some(mut two) = two() else { return };
    for (at, odd) in ODD_LINES.iter().enumerate() {
        two.theirs = two.world.talk(&format!("theirs-{at}"));
        two.ours = two.world.talk(&format!("ours-{at}"));
        let put = |home: &Path| {
            let mut file = std::fs::OpenOptions::new().append(true).open(home.join("events.jsonl")).unwrap();
            writeln!(file, "{odd}").unwrap();
        };
        two.gptme.create(&two.theirs, &[]);
        two.gptme.append(&say("a"));
        put(&two.theirs);
        let request = serde_json::json!({"do": "append", "message_": say("b")});
        let appended = two.gptme.try_ask(&request);
        // An object without `seq` lets gptme append, and then recover nothing.
        assert_eq!(appended.is_err(), !odd.starts_with('{'), "{odd}: {appended:?}");
        two.gptme.release();
        let request = serde_json::json!({"do": "recover_messages", "dir": two.theirs});
        let recovered = two.gptme.try_ask(&request);
        assert!(recovered.is_err(), "{odd}: gptme's fault is not there any more");

        let mut session = create(&two.ours, &["a"]);
        session.append(message(&say("b"))).unwrap();
        session.close().unwrap();
        put(&two.ours);
        assert_eq!(contents(&gptme::recover(&two.ours).unwrap()), ["a", "b"], "{odd}");
        let mut session = open(&two.ours);
        session.append(message(&say("c"))).unwrap();
        session.close().unwrap();
        two.check_convlog_is_right(&two.ours.clone(), &["a", "b", "c"]);
        two.check_convlog_mends_it(&["a", "b"]);
    }
}

#[test]
fn gptme_reads_its_event_log_at_each_append_and_convlog_nothing() {
    let Some(mut two) = two() else { return };
    let initial: Vec<_> = (0..600).map(|at| say(&format!("{at} {}", "word ".repeat(40)))).collect();
    two.gptme.create(&two.theirs, &[]);
    two.gptme.append(&say("a"));
    // The event carries the whole list.
    two.gptme.edit(&initial);
    let size = std::fs::metadata(two.theirs.join("events.jsonl")).unwrap().len();
    let read = two.gptme.append(&say("b"));
    two.gptme.release();
    if Path::new("/proc/self/io").exists() {
        assert!(read >= size && size > 100_000, "gptme's fault is not there any more: {read} of {size} bytes");
    }

    let fs = Arc::new(Metered::new(RealFs));
    let shared = Arc::clone(&fs) as Arc<dyn FileSystem>;
    let mut session = Session::create(shared, &two.ours, SessionOptions::default(), messages(&initial)).unwrap();
    for at in 0..30 {
        let before = fs.snapshot();
        session.append(message(&say(&format!("more {at}")))).unwrap();
        assert_eq!(fs.snapshot().since(&before).bytes_read(), 0);
    }
}

const HOME_VARIABLE: &str = "CONVLOG_TEST_CRASH_HOME";

/// Not a test: what `gptme_does_not_read_its_events_back` runs, and what dies.
#[test]
#[ignore = "run by another test, in a process that dies"]
fn append_and_die() {
    let Some(home) = std::env::var_os(HOME_VARIABLE) else { return };
    let mut session = open(Path::new(&home));
    session.append(message(&say("acknowledged"))).unwrap();
    std::process::abort();
}

#[test]
fn gptme_does_not_read_its_events_back() {
    let Some(mut two) = two() else { return };
    create(&two.ours, &["a"]).close().unwrap();
    let mut child = two.world.command(std::env::current_exe().unwrap());
    child.args(["--exact", "append_and_die", "--ignored"]).env(HOME_VARIABLE, &two.ours);
    assert!(!child.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success());
    // The power goes: half of the last line never reaches the disk.
    let transcript = two.ours.join("conversation.jsonl");
    let bytes = std::fs::read(&transcript).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&transcript).unwrap();
    file.set_len(bytes.len() as u64 - 20).unwrap();
    assert_eq!(contents(&two.gptme.read(&two.ours)), ["a"]);
    assert_eq!(contents(&two.gptme.recover(&two.ours).unwrap()), ["a", "acknowledged"]);

    let session = open(&two.ours);
    assert_eq!(session.recovery().put_back, 1);
    drop(session);
    two.check_convlog_is_right(&two.ours.clone(), &["a", "acknowledged"]);
}
