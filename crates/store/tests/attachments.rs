//! Attached files: stored by content before the message is written, read back and verified.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_fs::sim::Tree;
use convlog_message::{FileRef, Message, Timestamp};
use convlog_store::{
    AttachmentFault, CaptureFault, Conversation, Session, SessionOptions, Transcript, Uncaptured, verify,
};

fn say(content: &str) -> Message {
    Message::new("user", content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

struct World {
    directory: tempfile::TempDir,
    session: Session,
}

impl World {
    fn new() -> Self {
        Self::with(SessionOptions::default())
    }

    fn with(options: SessionOptions) -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("work")).unwrap();
        let session = Session::create(Arc::new(RealFs), directory.path().join("talk"), options, []).unwrap();
        Self { directory, session }
    }

    fn home(&self) -> PathBuf {
        self.directory.path().join("talk")
    }

    /// A file of this content; its path has no links in it.
    fn file(&self, name: &str, content: &[u8]) -> PathBuf {
        let path = self.directory.path().canonicalize().unwrap().join("work").join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn attach(&mut self, path: &Path) -> Vec<Uncaptured> {
        self.session.append(say("see").with_files([path.to_str().unwrap()])).unwrap().uncaptured
    }

    fn last(&self) -> Message {
        self.session.log().last().unwrap().clone()
    }

    fn read_back(&self, message: &Message) -> Result<Vec<u8>, AttachmentFault> {
        let conversation = Conversation::open(Arc::new(RealFs), self.home()).unwrap();
        conversation.attachment(&message.files()[0], message.file_hash(&message.files()[0]).unwrap())
    }

    fn stored(&self) -> Vec<String> {
        let mut names: Vec<_> = std::fs::read_dir(self.home().join("files"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

/// CASES B102: each message keeps the content of its day.
#[test]
fn a_file_that_changes_is_stored_twice_and_one_that_does_not_once() {
    let mut world = World::new();
    let note = world.file("note.txt", b"v1");
    world.attach(&note);
    let first = world.last();
    world.attach(&note);
    assert_eq!(world.stored().len(), 1);
    std::fs::write(&note, "v2").unwrap();
    world.attach(&note);
    let second = world.last();
    std::fs::remove_file(&note).unwrap();
    assert_eq!((world.read_back(&first).unwrap(), world.read_back(&second).unwrap()), (b"v1".to_vec(), b"v2".to_vec()));
    let hash = blake3::hash(b"v1").to_hex().to_string();
    assert_eq!(first.file_hash(&first.files()[0]), Some(&*hash));
    assert!(world.stored().contains(&format!("{hash}.txt")));
}

/// CASES B103: the path is resolved before it is hashed, and stands under that name as file and as key.
#[test]
fn a_path_is_resolved_once() {
    let mut world = World::new();
    let note = world.file("note.txt", b"v1");
    let link = note.with_file_name("link.txt");
    std::os::unix::fs::symlink(&note, &link).unwrap();
    world.attach(&link);
    world.attach(&note.parent().unwrap().join("../work/./note.txt"));
    for message in world.session.log() {
        assert_eq!(message.files(), [FileRef::new(note.to_str().unwrap())]);
        assert_eq!(
            message.file_hashes().map(|(file, _)| file.to_owned()).collect::<Vec<_>>(),
            [note.to_str().unwrap()]
        );
    }
    assert_eq!(world.stored().len(), 1);
}

#[test]
fn what_cannot_be_stored_is_reported_and_the_message_is_written() {
    let mut world = World::with(SessionOptions::default().with_attachment_limit(4));
    let work = world.directory.path().join("work");
    let pipe = work.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    // CASES B111: a file of exactly the limit is taken, one of a byte more is not.
    let (fits, large) = (world.file("fits", b"1234"), world.file("large", b"12345"));
    assert!(world.attach(&fits).is_empty());
    let fault = |world: &mut World, path: &Path| world.attach(path).pop().unwrap().fault;
    assert!(matches!(fault(&mut world, &large), CaptureFault::TooLarge { length: 5, limit: 4 }));
    assert!(matches!(fault(&mut world, &work.join("none")), CaptureFault::Missing));
    assert!(matches!(fault(&mut world, &work), CaptureFault::Directory));
    assert!(matches!(fault(&mut world, &pipe), CaptureFault::NotAFile));
    assert!(matches!(fault(&mut world, Path::new("/dev/null")), CaptureFault::NotAFile));
    assert!(matches!(fault(&mut world, Path::new("note.txt")), CaptureFault::Relative));
    let uris = say("x").with_files(["https://example.org/a.png", "file:///etc/hosts"]);
    assert!(world.session.append(uris).unwrap().uncaptured.is_empty());
    assert_eq!((world.session.log().len(), world.stored().len()), (8, 1));
    let said = world.attach(&work.join("none")).pop().unwrap().to_string();
    assert!(said.ends_with("none (of message 8) is not stored: there is no such file"), "{said}");
}

#[test]
fn initial_messages_are_stored_too() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().canonicalize().unwrap().join("a.py");
    std::fs::write(&path, "print()").unwrap();
    let home = directory.path().join("talk");
    let initial = [say("a").with_files([path.to_str().unwrap()]), say("b").with_files(["/none/such"])];
    let session = Session::create(Arc::new(RealFs), &home, SessionOptions::default(), initial).unwrap();
    let missed = session.uncaptured();
    assert_eq!((missed.len(), missed[0].message, missed[0].file.as_str()), (1, 1, "/none/such"));
    assert_eq!(session.log().get(0).unwrap().file_hashes().len(), 1);
}

/// A hash that came with a message stays; one that is none never becomes part of a path (CASES B106).
#[test]
fn hashes_that_are_there_are_kept_and_odd_ones_are_not() {
    let mut world = World::new();
    let path = world.file("a.txt", b"now");
    let name = path.to_str().unwrap();
    world.attach(&path);
    let hash = blake3::hash(b"now").to_hex().to_string();
    std::fs::write(&path, "later").unwrap();
    let again = say("b").with_files([name]).with_file_hashes([(name, &*hash)]);
    assert!(world.session.append(again).unwrap().uncaptured.is_empty());
    assert_eq!(world.read_back(&world.last()).unwrap(), b"now");
    let unknown = "0".repeat(64);
    let other = say("c").with_files([name]).with_file_hashes([(name, &*unknown)]);
    let missed = world.session.append(other).unwrap().uncaptured;
    assert!(matches!(&missed[0].fault, CaptureFault::NoCopy { hash } if *hash == unknown));
    assert!(matches!(world.read_back(&world.last()), Err(AttachmentFault::Missing)));
    let escaping = say("d").with_files([name]).with_file_hashes([(name, "../conversation")]);
    assert!(world.session.append(escaping).unwrap().uncaptured.is_empty());
    assert_eq!(world.read_back(&world.last()).unwrap(), b"later");
    let conversation = Conversation::open(Arc::new(RealFs), world.home()).unwrap();
    let refused = conversation.attachment(&FileRef::new(name), "../conversation");
    assert!(matches!(refused, Err(AttachmentFault::NoHash { .. })));
}

#[test]
fn a_damaged_copy_is_found_and_repaired_when_the_content_comes_again() {
    let mut world = World::new();
    let path = world.file("a.txt", b"content");
    world.attach(&path);
    let stored = world.home().join("files").join(&world.stored()[0]);
    for damage in [b"c0ntent".as_slice(), b"", b"contentcontent"] {
        std::fs::write(&stored, damage).unwrap();
        assert!(matches!(world.read_back(&world.last()), Err(AttachmentFault::Changed { .. })));
        let conversation = Conversation::open(Arc::new(RealFs), world.home()).unwrap();
        assert!(!verify(&conversation).unwrap().is_sound());
        world.attach(&path);
        assert_eq!(world.read_back(&world.last()).unwrap(), b"content");
    }
    std::fs::remove_file(&stored).unwrap();
    // The message brings the hash along, and the file still has that content.
    let message = world.last();
    world.session.append(message).unwrap();
    assert_eq!(world.read_back(&world.last()).unwrap(), b"content");
    assert_eq!(world.stored().len(), 1);
}

/// CASES B104: reading captures nothing.
#[test]
fn reading_stores_nothing() {
    let world = World::new();
    let path = world.file("a.txt", b"content");
    let home = world.home();
    let World { directory, session } = world;
    session.close().unwrap();
    let line = format!(
        "{{\"role\": \"user\", \"content\": \"old\", \"timestamp\": \"2026-01-02T03:04:05\", \"files\": [{path:?}]}}\n"
    );
    std::fs::write(home.join("conversation.jsonl"), line).unwrap();
    let before = Tree::read(&RealFs, &home).unwrap();
    let conversation = Conversation::open(Arc::new(RealFs), &home).unwrap();
    assert_eq!(conversation.read(&Transcript::Main).unwrap().log.len(), 1);
    verify(&conversation).unwrap();
    assert_eq!(Tree::read(&RealFs, &home).unwrap(), before);
    // Nor does opening for writing, or an edit that leaves the message alone.
    let mut session = Session::open(Arc::new(RealFs), &home, SessionOptions::default()).unwrap();
    let log = session.log().append(say("new").with_files([path.to_str().unwrap()]));
    session.edit(log).unwrap();
    let hashes: Vec<_> = session.log().iter().map(|message| message.file_hashes().len()).collect();
    assert_eq!(hashes, [0, 1]);
    drop(directory);
}

/// A name whose suffix would make that of the copy too long is stored without it.
#[test]
fn a_suffix_that_is_too_long_is_left_out() {
    let mut world = World::new();
    let path = world.file(&format!("a.{}", "x".repeat(240)), b"content");
    assert!(world.attach(&path).is_empty());
    assert_eq!(world.stored(), [blake3::hash(b"content").to_hex().to_string()]);
    assert_eq!(world.read_back(&world.last()).unwrap(), b"content");
}
