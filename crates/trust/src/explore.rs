//! Exploring: histories of a world, a crash at each file operation of the last step, the real recovery after it.

use std::collections::HashSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use convlog_fs::sim::SimFs;

use crate::tally::Tally;
use crate::world::{Crash, World};

/// Failures after which a run ends: more say nothing new.
const MOST_FAILURES: usize = 12;

/// Of the disks after a loss of power, those that are always opened: nothing unsynced, and everything.
const ALWAYS: usize = 2;

/// How far crashes go.
#[derive(Clone, Copy, Debug)]
pub struct Depth {
    /// One distinct state in so many is crashed again at each file operation of its recovery.
    pub one_in: u64,
    /// How often in a row: 1 is a crash in recovery, 2 another one in the recovery from that.
    pub times: u32,
}

/// A raw state on its way to be opened: the disk, what came over it, and main's messages that it must hold.
pub type Watcher<'a> = &'a (dyn Fn(&SimFs, Crash, &[String]) + Sync);

/// Runs histories, and crashes them.
#[derive(Clone, Copy)]
pub struct Explorer<'a> {
    /// Where it is counted.
    pub tally: &'a Tally,
    /// How far crashes go.
    pub depth: Depth,
    /// Of the disks that a loss of power leaves at one moment, after the first few one in so many is opened; all in the
    /// long form.
    pub one_in: u64,
    /// Who sees each distinct raw state.
    pub watcher: Option<Watcher<'a>>,
}

impl Debug for Explorer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Explorer").field("depth", &self.depth).finish_non_exhaustive()
    }
}

impl Explorer<'_> {
    /// Runs a history, and crashes it at each file operation of its last step.
    ///
    /// # Errors
    ///
    /// With the first invariant that does not hold, and where.
    pub fn run<W: World>(&self, start: W::Start, history: &[W::Step]) -> Result<(), String> {
        let (last, before) = history.split_last().unwrap();
        let mut world = W::new(start);
        self.tally.workloads.one();
        for step in before {
            let calls = world.disk().next_op();
            world.step(*step)?;
            if world.disk().next_op() == calls && !W::ends(*step) {
                // It did nothing, so that a shorter history says the same.
                self.tally.same.one();
                world.end();
                return Ok(());
            }
        }
        self.crash_in_step(&mut world, *last)?;
        world.end();
        Ok(())
    }

    /// Takes a step, and crashes at each of its file operations.
    ///
    /// # Errors
    ///
    /// As [`run`](Self::run).
    pub fn crash_in_step<W: World>(&self, world: &mut W, step: W::Step) -> Result<(), String> {
        let moment = world.moment();
        world.disk().keep_snapshots();
        // A step that ends the process goes on with another disk.
        let disk = world.disk().clone();
        let first = disk.next_op();
        world.step(step)?;
        let (within, done) = (world.allowed_since(&moment), world.allowed());
        let mut snapshots = disk.snapshots();
        snapshots.retain(|snapshot| snapshot.after >= first);
        let mut seen = HashSet::new();
        for (index, snapshot) in snapshots.iter().enumerate() {
            self.tally.points.one();
            let is_done = index + 1 == snapshots.len();
            let allowed = if is_done { &done } else { &within };
            let killed = snapshot.disk.kill();
            self.tally.states.one();
            if seen.insert((killed.fingerprint(), is_done)) {
                self.check::<W>(&killed, Crash::Kill, allowed, self.depth.times)
                    .map_err(|error| format!("killed after call {}: {error}\n{}", snapshot.after, killed.tree()))?;
            }
            let lost = snapshot.disk.crash_states(&W::PLAN);
            self.tally.states.add(lost.taken);
            self.tally.capped.add(usize::from(lost.is_sampled()));
            for (place, crash) in lost.states.into_iter().enumerate() {
                let fingerprint = crash.disk.fingerprint();
                if place >= ALWAYS && !fingerprint.is_multiple_of(self.one_in) {
                    self.tally.left_out.one();
                } else if seen.insert((fingerprint, is_done)) {
                    let tree = crash.disk.tree();
                    self.check::<W>(&crash.disk, Crash::PowerLoss, allowed, self.depth.times).map_err(|error| {
                        format!("power lost after call {}, {}: {error}\n{tree}", snapshot.after, crash.description)
                    })?;
                }
            }
        }
        Ok(())
    }

    fn check<W: World>(&self, disk: &SimFs, crash: Crash, allowed: &W::Allowed, deeper: u32) -> Result<(), String> {
        let count = if deeper == self.depth.times { &self.tally.distinct } else { &self.tally.second };
        count.one();
        if let Some(watcher) = self.watcher {
            watcher(disk, crash, W::durable(allowed));
        }
        if deeper > 0 && disk.fingerprint().is_multiple_of(self.depth.one_in) {
            self.crash_in_recovery::<W>(disk, crash, allowed, deeper - 1)?;
        }
        W::check(disk, crash, allowed, self.tally)
    }

    /// A crash at each file operation of the recovery.
    fn crash_in_recovery<W: World>(
        &self,
        disk: &SimFs,
        first: Crash,
        allowed: &W::Allowed,
        deeper: u32,
    ) -> Result<(), String> {
        let disk = disk.kill();
        disk.keep_snapshots();
        W::recover(&disk, allowed)?;
        for snapshot in disk.snapshots() {
            let crashes = snapshot.disk.crash_states(&W::INNER).states;
            let lost = crashes.into_iter().map(|crash| (Crash::PowerLoss, crash.disk));
            for (crash, disk) in std::iter::once((first, snapshot.disk.kill())).chain(lost) {
                self.check::<W>(&disk, crash, allowed, deeper)
                    .map_err(|error| format!("a second crash after call {}: {error}", snapshot.after))?;
            }
        }
        Ok(())
    }
}

/// All histories of exactly so many of these steps, without those that say nothing new.
#[must_use]
pub fn histories<W: World>(steps: &[W::Step], length: usize) -> Vec<Vec<W::Step>> {
    let mut histories = vec![Vec::new()];
    for _ in 0..length {
        let longer = histories.iter().flat_map(|history: &Vec<W::Step>| {
            let after_end = history.last().is_some_and(|last| W::ends(*last));
            let follows = move |next: &W::Step| !(after_end && W::ends(*next));
            steps.iter().copied().filter(follows).map(move |step| [history.as_slice(), &[step]].concat())
        });
        histories = longer.collect();
    }
    histories.retain(|history| !history.last().is_some_and(|last| W::crashes(*last)));
    histories
}

/// Does each of these on all processors, says on the way how far it is, and gives what failed.
pub fn each<T: Sync>(name: &str, items: &[T], act: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let (next, failures, told) = (AtomicUsize::new(0), Mutex::new(Vec::new()), Mutex::new(Instant::now()));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    if let Err(error) = caught(|| act(item)) {
                        let mut failures = failures.lock().unwrap();
                        failures.push(error);
                        if failures.len() >= MOST_FAILURES {
                            next.store(items.len(), Ordering::Relaxed);
                        }
                    }
                    let mut told = told.lock().unwrap();
                    if told.elapsed() > Duration::from_secs(20) {
                        eprintln!("   {name}: {index} of {}", items.len());
                        *told = Instant::now();
                    }
                }
            });
        }
    });
    failures.into_inner().unwrap()
}

/// A panic is a failure like another.
///
/// # Errors
///
/// What `act` says, or what it panicked with.
pub fn caught(act: impl FnOnce() -> Result<(), String>) -> Result<(), String> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        Err(format!("panicked: {}", text.unwrap_or_default()))
    })
}

/// A shorter history that fails as well: no one of its steps can be left out.
pub fn shrunk<S: Copy>(history: &[S], fails: impl Fn(&[S]) -> bool) -> Vec<S> {
    let mut history = history.to_vec();
    let mut at = 0;
    while at < history.len() && history.len() > 1 {
        let mut shorter = history.clone();
        shorter.remove(at);
        if fails(&shorter) {
            history = shorter;
            at = 0;
        } else {
            at += 1;
        }
    }
    history
}
