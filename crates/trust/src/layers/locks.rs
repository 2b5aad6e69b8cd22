//! Layer 8: never two holders: processes at a barrier, threads, and another opening between each two steps of locking.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Instant;

use convlog_fs::RealFs;
use convlog_store::{LockError, OpenSessionError, Session, SessionOptions};

use crate::disk::{describe, say};
use crate::program::Program;
use crate::run::Plan;
use crate::table::Row;
use crate::watched::Watched;

/// Those that want the lock at once.
const RIVALS: usize = 6;

/// The whole layer. What another user, another PID namespace and gptme do is tested beside the store.
#[must_use]
pub fn run(plan: &Plan) -> Row {
    let start = Instant::now();
    let mut row = Row::empty("8 locks");
    let rounds = if plan.is_long() { 400 } else { 40 };
    let directory = tempfile::tempdir().unwrap();
    let home = directory.path().join("talk");
    Session::create(Arc::new(RealFs), &home, SessionOptions::default(), [say("a")]).unwrap().close().unwrap();
    let mut note = |what: &str, result: Result<usize, String>| match result {
        Ok(count) => count,
        Err(error) => {
            row.failures.push(format!("{what}: {error}"));
            0
        }
    };
    let threads = note("threads", threads(&home, rounds));
    let (mut paused, mut processes) = (0, 0);
    if let Some(binary) = &plan.program {
        let program = Program::new(binary, directory.path());
        paused = note("between two steps", between_steps(&program, &home));
        processes = note("processes", (0..rounds).try_fold(0, |held, _| Ok(held + at_a_barrier(&program)?)));
    } else {
        row.skipped.push("processes: no program was named".to_owned());
    }
    row.counts = format!("{paused} pauses, {threads} rounds of {RIVALS} threads, {processes} of {RIVALS} processes");
    row.took = start.elapsed();
    row
}

fn open(fs: Arc<dyn convlog_fs::FileSystem>, home: &Path) -> Result<Session, OpenSessionError> {
    Session::open(fs, home, SessionOptions::default())
}

/// Whether an opening was refused for the lock; another error is one.
fn is_refused(result: Result<Session, OpenSessionError>) -> Result<bool, String> {
    match result {
        Ok(_) => Ok(false),
        Err(OpenSessionError::Lock(LockError::Held { .. } | LockError::HeldHere { .. })) => Ok(true),
        Err(error) => Err(describe(&error)),
    }
}

/// Another process at every file operation of an opening: of the two exactly one holds.
fn between_steps(program: &Program, home: &Path) -> Result<usize, String> {
    for pause in 0.. {
        let (calls, rival) = (AtomicUsize::new(0), Arc::new(Mutex::new(None)));
        let (kept, command) = (Arc::clone(&rival), Mutex::new(program.appending("talk", &[])));
        let fs = Watched::new(move |_, _| {
            if calls.fetch_add(1, Ordering::SeqCst) == pause {
                let child = command.lock().unwrap().spawn()?;
                *kept.lock().unwrap() = Some(Rival::started(child));
            }
            Ok(())
        });
        let first = open(Arc::new(fs), home);
        let Some(rival) = rival.lock().unwrap().take() else { return Ok(pause) };
        let first_holds = !is_refused(first)?;
        if first_holds == rival.holds {
            return Err(format!("paused at call {pause}: opened here: {first_holds}, by the other: {}", rival.holds));
        }
        rival.end()?;
    }
    Ok(0)
}

/// A process that appends one message, and stays as long as its input is open.
#[derive(Debug)]
struct Rival {
    child: Child,
    /// Whether it was let in.
    holds: bool,
}

impl Rival {
    fn started(mut child: Child) -> Self {
        // One that is refused is gone already.
        let _ = child.stdin.as_mut().unwrap().write_all(b"{\"role\": \"user\", \"content\": \"b\"}\n");
        Self { child, holds: false }.answered()
    }

    fn answered(mut self) -> Self {
        let mut answer = String::new();
        BufReader::new(self.child.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
        self.holds = answer.starts_with("{\"ok\":true");
        self
    }

    /// Ends it, and checks that its exit code is that of a holder, or of one that was refused.
    fn end(mut self) -> Result<(), String> {
        drop(self.child.stdin.take());
        let code = self.child.wait().unwrap().code();
        let expected = if self.holds { 0 } else { 3 };
        if code == Some(expected) { Ok(()) } else { Err(format!("exit code {code:?}, not {expected}")) }
    }
}

/// Threads that open at once: never two at a time.
fn threads(home: &Path, rounds: usize) -> Result<usize, String> {
    for _ in 0..rounds {
        let (barrier, inside) = (Barrier::new(RIVALS), AtomicUsize::new(0));
        let results: Vec<Result<bool, String>> = std::thread::scope(|scope| {
            let rival = || {
                barrier.wait();
                let opened = open(Arc::new(RealFs), home);
                if opened.is_ok() && inside.fetch_add(1, Ordering::SeqCst) > 0 {
                    return Err("two threads hold it".to_owned());
                }
                std::thread::yield_now();
                if opened.is_ok() {
                    inside.fetch_sub(1, Ordering::SeqCst);
                }
                is_refused(opened)
            };
            let rivals: Vec<_> = (0..RIVALS).map(|_| scope.spawn(rival)).collect();
            rivals.into_iter().map(|rival| rival.join().unwrap()).collect()
        });
        for result in results {
            result?;
        }
    }
    Ok(rounds)
}

/// Processes that append at once and stay: exactly one is let in.
fn at_a_barrier(program: &Program) -> Result<usize, String> {
    let children: Vec<_> = (0..RIVALS).map(|_| program.appending("talk", &[]).spawn().unwrap()).collect();
    let rivals: Vec<_> = children.into_iter().map(Rival::started).collect();
    let holders = rivals.iter().filter(|rival| rival.holds).count();
    if holders != 1 {
        return Err(format!("{holders} of {RIVALS} hold it"));
    }
    for rival in rivals {
        rival.end()?;
    }
    Ok(1)
}
