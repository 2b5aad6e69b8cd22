//! Histories in which convlog dies, gptme or an editor goes on, and convlog opens what is left.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use convlog_fs::{FileSystem, Operation, RealFs};
use convlog_store::{Conversation, Session, SessionOptions, Transcript};
use convlog_trust::gptme::{self, Gptme, World, contents, message, messages, plain, says};
use convlog_trust::watched::Watched;

struct Talk {
    _world: World,
    gptme: Gptme,
    home: PathBuf,
}

impl Talk {
    fn new(initial: &[&str]) -> Option<Self> {
        let world = World::in_memory();
        let gptme = world.gptme()?;
        let home = world.talk("talk");
        let options = SessionOptions::default();
        Session::create(Arc::new(RealFs), &home, options, messages(&says(initial))).unwrap().close().unwrap();
        Some(Self { _world: world, gptme, home })
    }

    fn open(&self) -> Session {
        Session::open(Arc::new(RealFs), &self.home, SessionOptions::default()).unwrap()
    }

    /// Opens in a process that dies before an operation on a file whose name ends so, and stays dead.
    fn open_to_die(&self, at: Operation, name: &'static str) -> Dying {
        let (armed, dead) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (is_armed, is_dead) = (Arc::clone(&armed), Arc::clone(&dead));
        let fs = Watched::new(move |operation, path| {
            let hits = operation == at && path.file_name().is_some_and(|found| found.to_string_lossy().ends_with(name));
            if is_armed.load(Ordering::SeqCst) && hits {
                is_dead.store(true, Ordering::SeqCst);
            }
            if is_dead.load(Ordering::SeqCst) { Err(std::io::Error::other("the process is dead")) } else { Ok(()) }
        });
        let fs: Arc<dyn FileSystem> = Arc::new(fs);
        let session = Session::open(fs, &self.home, SessionOptions::default()).unwrap();
        Dying { session, armed, dead }
    }

    fn gptmes_turn(&mut self, turn: impl FnOnce(&mut Gptme)) {
        self.gptme.load(&self.home);
        turn(&mut self.gptme);
        self.gptme.release();
    }

    /// convlog opens, the transcript is as expected, both event logs' readers agree, and nothing comes back later.
    #[track_caller]
    fn check(&mut self, expected: &[&str]) {
        for _ in 0..2 {
            let session = self.open();
            assert_eq!(contents(&plain(session.log())), expected);
            session.close().unwrap();
            assert_eq!(contents(&gptme::read(&self.home)), expected);
            assert_eq!(contents(&self.gptme.load(&self.home)), expected);
            self.gptme.release();
            assert_eq!(contents(&gptme::recover(&self.home).unwrap()), expected);
            assert_eq!(contents(&self.gptme.recover(&self.home).unwrap()), expected);
        }
    }

    /// Some branch holds just this.
    #[track_caller]
    fn check_is_kept(&self, expected: &[&str]) {
        let conversation = Conversation::open(Arc::new(RealFs), &self.home).unwrap();
        let branches = conversation.branches().unwrap();
        let read = |name| plain(&conversation.read(&Transcript::Branch(name)).unwrap().log);
        let branches: Vec<_> = branches.into_iter().map(read).collect();
        assert!(branches.iter().any(|branch| contents(branch) == expected), "{branches:?}");
    }
}

struct Dying {
    session: Session,
    armed: Arc<AtomicBool>,
    dead: Arc<AtomicBool>,
}

impl Dying {
    fn append(&mut self, text: &str) {
        self.session.append(message(&gptme::say("user", text))).unwrap();
    }

    /// It dies within this.
    fn dies(mut self, last: impl FnOnce(&mut Session)) {
        self.armed.store(true, Ordering::SeqCst);
        last(&mut self.session);
        drop(self.session);
        assert!(self.dead.load(Ordering::SeqCst), "it never came to that operation");
    }
}

#[test]
fn gptme_undoes_two_after_convlog_wrote_three() {
    let Some(mut talk) = Talk::new(&["a"]) else { return };
    let mut dying = talk.open_to_die(Operation::Write, "events.jsonl");
    ["b", "c", "d"].iter().for_each(|text| dying.append(text));
    dying.dies(|_| {});
    talk.gptmes_turn(|gptme| gptme.undo(2));
    talk.check(&["a", "b"]);
    talk.check_is_kept(&["a", "b", "c", "d"]);
}

#[test]
fn gptme_goes_on_where_an_event_stands_and_its_line_does_not() {
    for turn in ["append", "undo"] {
        let Some(mut talk) = Talk::new(&["a", "b"]) else { return };
        let dying = talk.open_to_die(Operation::Write, "conversation.jsonl");
        dying.dies(|session| drop(session.append(message(&gptme::say("user", "half"))).unwrap_err()));
        assert_eq!(contents(&gptme::recover(&talk.home).unwrap()), ["a", "b", "half"]);
        if turn == "append" {
            talk.gptmes_turn(|gptme| gptme.append_all(&["theirs"]));
            talk.check(&["a", "b", "theirs"]);
        } else {
            talk.gptmes_turn(|gptme| gptme.undo(1));
            talk.check(&["a"]);
        }
        talk.check_is_kept(&["a", "b", "half"]);
    }
}

#[test]
fn convlog_puts_the_line_in_its_place_when_nobody_came_between() {
    let Some(mut talk) = Talk::new(&["a", "b"]) else { return };
    let dying = talk.open_to_die(Operation::Write, "conversation.jsonl");
    dying.dies(|session| drop(session.append(message(&gptme::say("user", "half"))).unwrap_err()));
    assert_eq!(talk.open().recovery().put_back, 1);
    talk.check(&["a", "b", "half"]);
}

#[test]
fn gptme_compacts_in_between() {
    let Some(mut talk) = Talk::new(&["a"]) else { return };
    let mut dying = talk.open_to_die(Operation::Write, "events.jsonl");
    ["b", "c"].iter().for_each(|text| dying.append(text));
    dying.dies(|_| {});
    let many: Vec<_> = (0..60).map(|at| format!("theirs {at}")).collect();
    let many: Vec<_> = many.iter().map(String::as_str).collect();
    talk.gptmes_turn(|gptme| {
        gptme.undo(1);
        gptme.append_all(&many);
    });
    let reading = convlog_eventlog::read(&RealFs, &talk.home).unwrap().unwrap();
    assert_eq!(reading.last_convlog(), None, "gptme dropped convlog's lines");
    talk.check(&[&["a", "b"][..], &many].concat());
    talk.check_is_kept(&["a", "b", "c"]);
}

#[test]
fn an_undo_whose_event_is_written_and_whose_rename_is_not() {
    for theirs in [false, true] {
        let Some(mut talk) = Talk::new(&["a", "b"]) else { return };
        let dying = talk.open_to_die(Operation::Rename, "");
        dying.dies(|session| drop(session.undo(1).unwrap_err()));
        assert_eq!(contents(&gptme::recover(&talk.home).unwrap()), ["a"]);
        if theirs {
            talk.gptmes_turn(|gptme| gptme.append_all(&["theirs"]));
            talk.check(&["a", "b", "theirs"]);
        } else {
            talk.check(&["a", "b"]);
        }
    }
}

#[test]
fn lines_cut_in_place_after_a_clean_close_do_not_return() {
    let Some(mut talk) = Talk::new(&["a", "b", "c", "d"]) else { return };
    let path = talk.home.join("conversation.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    let cut: String = text.split_inclusive('\n').take(3).collect();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(cut.len() as u64).unwrap();
    drop(file);
    talk.gptmes_turn(|gptme| gptme.undo(1));
    talk.check(&["a", "b"]);
    talk.check_is_kept(&["a", "b", "c", "d"]);
}

#[test]
fn a_copied_directory_goes_on_by_itself() {
    let Some(mut talk) = Talk::new(&["a"]) else { return };
    let mut dying = talk.open_to_die(Operation::Write, "events.jsonl");
    dying.append("b");
    dying.dies(|_| {});
    let copy = talk.home.with_file_name("copy");
    copy_files(&talk.home, &copy);
    let home = std::mem::replace(&mut talk.home, copy);
    talk.gptmes_turn(|gptme| gptme.append_all(&["in the copy"]));
    talk.check(&["a", "b", "in the copy"]);
    talk.home = home;
    talk.check(&["a", "b"]);
}

fn copy_files(from: &Path, to: &Path) {
    std::fs::create_dir(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap().map(Result::unwrap) {
        if entry.file_type().unwrap().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}
