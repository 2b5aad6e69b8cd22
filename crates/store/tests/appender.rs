//! Opening for an append without reading the conversation through.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::{Counts, Durability, FileSystem, Metered, RealFs};
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Appender, Conversation, Session, SessionOptions, Transcript, verify};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

/// A closed conversation of so many messages.
fn closed(messages: usize) -> (tempfile::TempDir, PathBuf) {
    let logs = tempfile::tempdir().unwrap();
    let home = logs.path().join("talk");
    let options = SessionOptions::default();
    let mut session = Session::create(Arc::new(RealFs), &home, options, [say("first")]).unwrap();
    let batch: Vec<_> = (1..messages).map(|at| say(&format!("{at} {}", "word ".repeat(40)))).collect();
    session.append_batch(&batch, Durability::Written).unwrap();
    session.close().unwrap();
    (logs, home)
}

/// One append to a closed conversation, and what opening, appending and closing cost.
fn append(home: &Path) -> (usize, Counts) {
    let fs = Arc::new(Metered::new(RealFs));
    let mut appender = Appender::open(Arc::clone(&fs) as Arc<dyn FileSystem>, home, SessionOptions::default()).unwrap();
    let now = appender.now();
    assert!(now.is_naive());
    let index = appender.append(say("appended").with_timestamp(now)).unwrap().index();
    appender.close().unwrap();
    (index, fs.snapshot())
}

#[test]
fn what_an_append_to_a_closed_conversation_costs_does_not_depend_on_its_length() {
    let cost = |messages| {
        let (logs, home) = closed(messages);
        let (index, counts) = append(&home);
        assert_eq!(index, messages);
        let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
        assert_eq!(conversation.read(&Transcript::Main).unwrap().log.len(), messages + 1);
        assert!(verify(&conversation).unwrap().is_sound());
        drop(logs);
        counts
    };
    let (few, many) = (cost(400), cost(20_000));
    assert_eq!(few.total(), many.total(), "{few:?} {many:?}");
    assert!(many.bytes_read() < 64 << 10, "{many:?}");
    assert!(many.bytes_read() <= few.bytes_read() + (16 << 10));
}

/// Whatever does not fit leads to a full opening, which takes it in.
#[test]
fn what_does_not_fit_is_opened_in_full() {
    let open = |home: &Path| {
        let appender = Appender::open(Arc::new(RealFs), home, SessionOptions::default()).unwrap();
        let log: Vec<_> = {
            let session = appender.into_session().unwrap();
            session.log().iter().map(|message| message.content().to_owned()).collect()
        };
        log
    };
    let add = |path: PathBuf, text: &str| {
        std::fs::OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
    };
    let line = "{\"role\": \"user\", \"content\": \"theirs\", \"timestamp\": \"2026-01-02T03:04:05\"}\n";
    // Another program's line, a torn line, a replaced file, a second name, no event log.
    let (_logs, home) = closed(2);
    add(home.join("conversation.jsonl"), line);
    assert_eq!(open(&home).last().unwrap(), "theirs");
    add(home.join("events.jsonl"), "{\"seq\": 9");
    assert_eq!(open(&home).len(), 3);
    let bytes = std::fs::read(home.join("conversation.jsonl")).unwrap();
    std::fs::write(home.join("new"), &bytes).unwrap();
    std::fs::rename(home.join("new"), home.join("conversation.jsonl")).unwrap();
    assert_eq!(open(&home).len(), 3);
    std::fs::hard_link(home.join("conversation.jsonl"), home.join("second")).unwrap();
    let mut appender = Appender::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    appender.append(say("not in the second")).unwrap();
    appender.close().unwrap();
    assert_eq!(std::fs::read(home.join("second")).unwrap(), bytes);
    std::fs::remove_file(home.join("events.jsonl")).unwrap();
    assert_eq!(open(&home).len(), 4);
}

/// With a view active, all transcripts must be as they were left.
#[test]
fn a_view_is_appended_to_as_well() {
    let (_logs, home) = closed(300);
    let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    session.preserve_lossless().unwrap();
    let name = session.next_view_name().unwrap();
    session.create_view(&name, &[say("sum")].into_iter().collect::<Log>()).unwrap();
    session.switch_view(&name).unwrap();
    session.close().unwrap();
    let (index, counts) = append(&home);
    assert_eq!(index, 1);
    assert!(counts.bytes_read() < 32 << 10, "{counts:?}");
    let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
    for which in [Transcript::Main, Transcript::View(name), Transcript::Lossless] {
        assert_eq!(conversation.read(&which).unwrap().log.last().unwrap().content(), "appended", "{which}");
    }
    assert!(verify(&conversation).unwrap().is_sound());
    let session = Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    assert!(session.recovery().is_empty() && !session.recovery().rewritten);
}

/// A checkpoint that falls due reads what it needs.
#[test]
fn a_checkpoint_falls_due_while_nothing_was_read() {
    let (_logs, home) = closed(10);
    for at in 0..60 {
        assert_eq!(append(&home).0, 10 + at);
    }
    let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
    let replayed = conversation.events(&Transcript::Main).unwrap().unwrap();
    assert_eq!(replayed.replay().unwrap().len(), 70);
    assert!(replayed.events[0].seq.get() > 1, "there was a checkpoint");
    assert!(verify(&conversation).unwrap().is_sound());
}
