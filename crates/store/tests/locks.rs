//! One writer, whoever it is: the lock between processes, between threads, and between convlog and gptme.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, clippy::print_stderr)]

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use convlog_fs::{FileSystem, Operation, RealFs};
use convlog_store::{CreateError, LockError, OpenSessionError, Session, SessionOptions};
use convlog_trust::gptme::{self, Gptme, World, contents, message, messages, says};
use convlog_trust::watched::Watched;

const HOME_VARIABLE: &str = "CONVLOG_TEST_HELD_HOME";

/// What a `.lock` may say, whoever wrote it: a process that is dead, one that is alive, and worse.
const TEXTS: &[&[u8]] = &[
    b"",
    b"1",
    b"pid 1\n",
    b"4194304",
    b"pid 4194304\n",
    b"0",
    b"-1",
    b"99999999999999999999",
    b"nobody",
    b"\xff\0\n",
];

fn real() -> Arc<dyn FileSystem> {
    Arc::new(RealFs)
}

fn create(home: &Path) {
    let created = Session::create(real(), home, SessionOptions::default(), messages(&says(&["a", "b"])));
    created.unwrap().close().unwrap();
}

fn try_open(home: &Path) -> Result<Session, OpenSessionError> {
    Session::open(real(), home, SessionOptions::default())
}

/// Opens what nobody else may hold, and is not kept waiting.
#[track_caller]
fn open(home: &Path) -> Session {
    let start = Instant::now();
    let session = try_open(home).unwrap();
    assert!(start.elapsed() < Duration::from_secs(2), "kept waiting for {:?}", start.elapsed());
    session
}

/// Opening is refused at once, and the PID that it names is given.
#[track_caller]
fn refused(home: &Path) -> Option<u32> {
    let start = Instant::now();
    let error = try_open(home).unwrap_err();
    assert!(start.elapsed() < Duration::from_secs(2), "kept waiting for {:?}", start.elapsed());
    match error {
        OpenSessionError::Lock(LockError::Held { path, pid, .. }) => {
            assert_eq!(path, home.join(".lock"));
            pid
        }
        other => panic!("{other}"),
    }
}

fn lock_file(home: &Path) -> (u64, u64) {
    let stat = std::fs::metadata(home.join(".lock")).unwrap();
    (stat.dev(), stat.ino())
}

/// A process of its own that has a conversation open.
struct Holder {
    child: Child,
    /// Kept open: what it prints at its end must go somewhere.
    _lines: BufReader<ChildStdout>,
}

impl Holder {
    fn start(world: &World, home: &Path) -> Self {
        Self::spawn(world.command(std::env::current_exe().unwrap()), home)
    }

    /// Starts it through another program, such as `unshare`.
    fn start_through(world: &World, wrapper: &[&str], home: &Path) -> Self {
        let mut command = world.command(wrapper[0]);
        command.args(&wrapper[1..]).arg(std::env::current_exe().unwrap());
        Self::spawn(command, home)
    }

    fn spawn(mut command: Command, home: &Path) -> Self {
        command.args(["--exact", "hold", "--ignored", "--nocapture"]).env(HOME_VARIABLE, home);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        while !line.ends_with("it is held\n") {
            line.clear();
            assert_ne!(lines.read_line(&mut line).unwrap(), 0, "the holder is gone");
        }
        Self { child, _lines: lines }
    }

    fn pid(&self) -> u32 {
        self.child.id()
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Lets it close the session.
    fn end(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Holder {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Not a test: the process that [`Holder`] starts. It appends, and closes at the end of its input.
#[test]
#[ignore = "run by other tests, in a process of its own"]
#[allow(clippy::print_stdout)]
fn hold() {
    let Some(home) = std::env::var_os(HOME_VARIABLE) else { return };
    let mut session = open(Path::new(&home));
    session.append(message(&gptme::say("user", "by the holder"))).unwrap();
    println!("\nit is held");
    let _ = std::io::stdin().read_line(&mut String::new());
    session.close().unwrap();
}

#[test]
fn the_second_process_gets_the_pid_at_once_and_may_read() {
    let world = World::new();
    let home = world.talk("talk");
    create(&home);
    let before = lock_file(&home);
    let holder = Holder::start(&world, &home);
    assert_eq!(std::fs::read_to_string(home.join(".lock")).unwrap(), format!("pid {}\n", holder.pid()));
    assert_eq!(refused(&home), Some(holder.pid()));
    let error = try_open(&home).unwrap_err().to_string();
    assert!(error.contains(&format!("in use by process {}", holder.pid())), "{error}");
    let error = Session::create(real(), &home, SessionOptions::default(), vec![]).unwrap_err();
    assert!(matches!(error, CreateError::Lock(LockError::Held { .. })), "{error}");
    assert!(Session::open_from_events(real(), &home, SessionOptions::default()).is_err());
    assert_eq!(contents(&gptme::read(&home)), ["a", "b", "by the holder"]);
    assert_eq!(contents(&gptme::recover(&home).unwrap()), ["a", "b", "by the holder"]);
    holder.end();

    let session = open(&home);
    assert!(session.recovery().is_empty() && !session.recovery().rewritten);
    assert_eq!(lock_file(&home), before, "the lock's file stays");
    let own = format!("pid {}\n", std::process::id());
    assert_eq!(std::fs::read_to_string(home.join(".lock")).unwrap(), own);
}

#[test]
fn after_a_sigkill_of_the_holder_the_next_one_opens_without_delay() {
    let world = World::new();
    let home = world.talk("talk");
    create(&home);
    let before = lock_file(&home);
    for times in 1..=5 {
        let holder = Holder::start(&world, &home);
        assert_eq!(refused(&home), Some(holder.pid()));
        holder.kill();
        let session = open(&home);
        assert_eq!(session.log().len(), 2 + times, "what was acknowledged is there");
        drop(session);
    }
    assert_eq!(lock_file(&home), before, "the lock's file stays");
}

#[test]
fn the_text_in_the_lock_decides_nothing() {
    let world = World::new();
    let home = world.talk("talk");
    create(&home);
    let before = lock_file(&home);
    let own = [std::process::id().to_string(), format!("pid {}\n", std::process::id())];
    let texts = TEXTS.iter().copied().chain(own.iter().map(String::as_bytes));
    for text in texts {
        let shown = String::from_utf8_lossy(text);
        // A living holder is left alone.
        let holder = Holder::start(&world, &home);
        std::fs::write(home.join(".lock"), text).unwrap();
        refused(&home);
        assert_eq!(std::fs::read(home.join(".lock")).unwrap(), text, "{shown}");
        holder.kill();
        // What is left of a dead one hinders nobody.
        std::fs::write(home.join(".lock"), text).unwrap();
        open(&home).close().unwrap();
        assert_eq!(std::fs::read(home.join(".lock")).unwrap(), own[1].as_bytes(), "{shown}");
    }
    assert_eq!(lock_file(&home), before, "the lock's file stays");
}

#[test]
fn threads_of_one_process_exclude_each_other() {
    let world = World::new();
    let home = world.talk("talk");
    create(&home);
    let (inside, opened) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let deadline = Instant::now() + Duration::from_secs(30);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (home, inside, opened) = (&home, &inside, &opened);
            scope.spawn(move || {
                let mut left = 5;
                while left > 0 {
                    assert!(Instant::now() < deadline, "thread {thread} never gets the lock");
                    match try_open(home) {
                        Ok(mut session) => {
                            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two at once");
                            session.append(message(&gptme::say("user", &format!("{thread} {left}")))).unwrap();
                            left -= 1;
                            opened.fetch_add(1, Ordering::SeqCst);
                            assert_eq!(inside.fetch_sub(1, Ordering::SeqCst), 1);
                            session.close().unwrap();
                        }
                        Err(OpenSessionError::Lock(error @ LockError::HeldHere { .. })) => {
                            assert!(error.to_string().contains("open already in this process"), "{error}");
                            std::thread::yield_now();
                        }
                        Err(error) => panic!("{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(opened.into_inner(), 20);
    assert_eq!(open(&home).log().len(), 22);
}

/// Between the lock and its text, the old text stands there: gptme may read a dead process's number, and
/// unlink the file that is locked.
#[test]
fn a_lock_that_is_unlinked_before_its_text_is_written_is_taken_anew() {
    let world = World::new();
    let home = world.talk("talk");
    create(&home);
    std::fs::write(home.join(".lock"), "4194304").unwrap();
    let lock = home.join(".lock");
    let meddled = AtomicUsize::new(0);
    let fs = Watched::new(move |operation, path| {
        let writes = matches!(operation, Operation::Write | Operation::SetLen) && path == lock;
        if writes && meddled.fetch_add(1, Ordering::SeqCst) == 0 {
            std::fs::remove_file(&lock)?;
        }
        Ok(())
    });
    let mut session = Session::open(Arc::new(fs), &home, SessionOptions::default()).unwrap();
    assert!(matches!(try_open(&home), Err(OpenSessionError::Lock(LockError::HeldHere { .. }))));
    assert_eq!(session.undo(1).unwrap().removed, 1);
    assert_eq!(std::fs::read_to_string(home.join(".lock")).unwrap(), format!("pid {}\n", std::process::id()));
}

/// Whether a program wraps another here; said loudly when not.
fn can(wrapper: &[&str]) -> bool {
    let tried = Command::new(wrapper[0]).args(&wrapper[1..]).arg("true").stderr(Stdio::null()).status();
    let can = tried.is_ok_and(|status| status.success());
    if !can {
        eprintln!("!! SKIPPED: `{}` is not possible here", wrapper.join(" "));
    }
    can
}

const OTHER_NAMESPACE: &[&str] = &["unshare", "-p", "-f", "--kill-child"];

/// How gptme may stand to the process whose number it reads in a lock.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Neighbour,
    InOtherNamespace,
    OfOtherUser,
}

/// A gptme of some kind; `None`, said loudly, when that is not possible here.
fn start_gptme(world: &World, kind: Kind) -> Option<Gptme> {
    open_to_all(world.root());
    if kind == Kind::InOtherNamespace {
        return if can(OTHER_NAMESPACE) { world.gptme_through(OTHER_NAMESPACE) } else { None };
    }
    let mut started = world.gptme()?;
    if kind == Kind::OfOtherUser {
        let home = world.talk("warm");
        create(&home);
        started.try_lock(&home).unwrap();
        if let Err(error) = started.try_ask(&serde_json::json!({"do": "become", "uid": 65534})) {
            eprintln!("!! SKIPPED: gptme as another user: {error}");
            return None;
        }
    }
    Some(started)
}

/// Opens a tree to every user.
fn open_to_all(path: &Path) {
    let mode = if path.is_dir() { 0o777 } else { 0o666 };
    std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).unwrap();
    if path.is_dir() {
        std::fs::read_dir(path).unwrap().for_each(|entry| open_to_all(&entry.unwrap().path()));
    }
}

/// gptme, started in some way, does not take what convlog holds, whatever stood in the lock before.
fn gptme_is_refused(kind: Kind) {
    let world = World::new();
    let Some(mut theirs) = start_gptme(&world, kind) else { return };
    let home = world.talk("talk");
    create(&home);
    let before = lock_file(&home);
    for text in TEXTS {
        let shown = String::from_utf8_lossy(text);
        std::fs::write(home.join(".lock"), text).unwrap();
        open_to_all(world.root());
        let mut session = open(&home);
        let error = theirs.try_lock(&home).unwrap_err();
        assert!(error.contains("Another gptme instance is using"), "{shown}: {error}");
        assert_eq!(lock_file(&home), before, "{shown}");
        session.undo(1).unwrap();
        session.append(message(&gptme::say("user", "b"))).unwrap();
        session.close().unwrap();
        // A dead holder's lock, and a closed one, hinder gptme no more.
        theirs.try_lock(&home).unwrap();
        let holder = Holder::start(&world, &home);
        let error = theirs.try_lock(&home).unwrap_err();
        assert!(error.contains("Another gptme instance is using"), "{shown}: {error}");
        holder.kill();
        theirs.try_lock(&home).unwrap();
        assert_eq!(lock_file(&home), before, "{shown}");
    }
}

#[test]
fn gptme_does_not_take_what_convlog_holds() {
    gptme_is_refused(Kind::Neighbour);
}

#[test]
fn gptme_in_another_pid_namespace_does_not_take_what_convlog_holds() {
    gptme_is_refused(Kind::InOtherNamespace);
}

#[test]
fn gptme_of_another_user_does_not_take_what_convlog_holds() {
    gptme_is_refused(Kind::OfOtherUser);
}

#[test]
fn convlog_does_not_take_what_gptme_holds() {
    for kind in [Kind::Neighbour, Kind::InOtherNamespace, Kind::OfOtherUser] {
        let world = World::new();
        let Some(mut theirs) = start_gptme(&world, kind) else { continue };
        let home = world.talk("talk");
        create(&home);
        open_to_all(world.root());
        theirs.load(&home);
        let before = lock_file(&home);
        let said = std::fs::read_to_string(home.join(".lock")).unwrap();
        assert_eq!(refused(&home), said.parse().ok());
        for text in TEXTS {
            std::fs::write(home.join(".lock"), text).unwrap();
            refused(&home);
        }
        assert_eq!(contents(&gptme::read(&home)), ["a", "b"]);
        theirs.append(&gptme::say("user", "by gptme"));
        assert_eq!(lock_file(&home), before);
        drop(theirs);
        assert_eq!(open(&home).log().len(), 3);
    }
}

#[test]
fn a_holder_in_another_pid_namespace_is_not_taken_for_this_process() {
    if !can(OTHER_NAMESPACE) {
        return;
    }
    let world = World::new();
    let home: PathBuf = world.talk("talk");
    create(&home);
    // In two containers both may be process 1, so that the holder's PID is the asker's own.
    let holder = Holder::start_through(&world, OTHER_NAMESPACE, &home);
    assert_eq!(std::fs::read_to_string(home.join(".lock")).unwrap(), "pid 1\n");
    assert_eq!(refused(&home), Some(1));
    std::fs::write(home.join(".lock"), format!("pid {}\n", std::process::id())).unwrap();
    assert_eq!(refused(&home), Some(std::process::id()));
    holder.kill();
}

/// Why convlog writes `pid N`: a bare number does not hold gptme off. It takes the process for dead and
/// unlinks the lock; convlog, whose number somebody else put there, then writes nothing more.
#[test]
fn when_gptme_believes_a_bare_number_convlog_rewrites_nothing() {
    for kind in [Kind::Neighbour, Kind::InOtherNamespace, Kind::OfOtherUser] {
        let world = World::new();
        let Some(mut theirs) = start_gptme(&world, kind) else { continue };
        let home = world.talk("talk");
        create(&home);
        open_to_all(world.root());
        let mut session = open(&home);
        let number = if kind == Kind::Neighbour { 4_194_304 } else { std::process::id() };
        std::fs::write(home.join(".lock"), number.to_string()).unwrap();
        let before = lock_file(&home);
        theirs.load(&home);
        assert_ne!(lock_file(&home), before, "gptme's fault is not there any more");
        let error = session.undo(1).unwrap_err();
        assert!(error.to_string().contains("was removed or replaced"), "{error}");
        assert!(session.append(message(&gptme::say("user", "c"))).is_err());
        drop(session);
        assert_eq!(contents(&gptme::read(&home)), ["a", "b"]);
        theirs.release();
        assert_eq!(open(&home).log().len(), 2);
    }
}
