//! Layer 8: never two holders: processes at a barrier, threads, and another opening between each two steps of locking.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier};
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
    let paused = note("between two steps", between_steps(&home));
    let threads = note("threads", threads(&home, rounds));
    let processes = plan.program.as_ref().map(|binary| {
        let program = Program::new(binary, directory.path());
        note("processes", (0..rounds).try_fold(0, |held, _| Ok(held + at_a_barrier(&program)?)))
    });
    if processes.is_none() {
        row.skipped.push("processes at a barrier: no program was named".to_owned());
    }
    row.counts = format!(
        "{paused} pauses, {threads} rounds of {RIVALS} threads, {} of {RIVALS} processes",
        processes.unwrap_or(0)
    );
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

/// Another opening at every file operation of an opening: of the two at most one holds.
fn between_steps(home: &Path) -> Result<usize, String> {
    for pause in 0.. {
        let (calls, rival) = (AtomicUsize::new(0), Arc::new(std::sync::Mutex::new(None)));
        let (kept, at) = (Arc::clone(&rival), home.to_owned());
        let fs = Watched::new(move |_, _| {
            if calls.fetch_add(1, Ordering::SeqCst) == pause {
                *kept.lock().unwrap() = Some(open(Arc::new(RealFs), &at));
            }
            Ok(())
        });
        let first = open(Arc::new(fs), home);
        let Some(second) = rival.lock().unwrap().take() else { return Ok(pause) };
        if first.is_ok() && second.is_ok() {
            return Err(format!("two hold it, the second since call {pause}"));
        }
        let nobody = is_refused(first)? && is_refused(second)?;
        if nobody {
            return Err(format!("nobody holds it after a pause at call {pause}"));
        }
    }
    Ok(0)
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
    let mut children: Vec<_> = (0..RIVALS).map(|_| program.appending("talk", &[]).spawn().unwrap()).collect();
    let mut holders = 0;
    let mut inputs = Vec::new();
    for child in &mut children {
        let mut input = child.stdin.take().unwrap();
        // Those who are refused are gone already.
        let _ = input.write_all(b"{\"role\": \"user\", \"content\": \"b\"}\n");
        inputs.push(input);
    }
    for child in &mut children {
        let mut answer = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut answer).unwrap();
        holders += usize::from(answer.starts_with("{\"ok\":true"));
    }
    drop(inputs);
    let codes: Vec<_> = children.iter_mut().map(|child| child.wait().unwrap().code()).collect();
    if holders != 1 || codes.iter().filter(|code| **code == Some(3)).count() != RIVALS - 1 {
        return Err(format!("{holders} hold it, exit codes {codes:?}"));
    }
    Ok(1)
}
