//! [`World`]: a conversation on a simulated disk, beside what it should be.

pub mod alone;
pub mod whole;

use std::fmt::Debug;

use convlog_fs::sim::{CrashPlan, SimFs};

use crate::tally::Tally;

/// A conversation on a simulated disk that takes steps, beside the states that it should be in.
pub trait World: Sized {
    /// Where a history begins.
    type Start: Copy + Debug + Send + Sync;
    /// One step of a history.
    type Step: Copy + Debug + PartialEq + Send + Sync + 'static;
    /// How far the acknowledged states went at some moment.
    type Moment;
    /// What may be there after a crash.
    type Allowed;

    /// The disks that a loss of power leaves at one moment: one thing at a time, and a few more.
    const PLAN: CrashPlan;
    /// The same inside recovery.
    const INNER: CrashPlan;

    /// A conversation that is created and open.
    fn new(start: Self::Start) -> Self;

    /// The steps that there are.
    fn steps() -> &'static [Self::Step];

    /// Whether the process ends with a step, in one way or another.
    fn ends(step: Self::Step) -> bool;

    /// Whether a step only crashes, so that nothing is new in a history that ends with it.
    fn crashes(step: Self::Step) -> bool;

    /// The disk as it is now.
    fn disk(&self) -> &SimFs;

    /// Does a step, and compares what the session holds.
    ///
    /// # Errors
    ///
    /// When the step fails or leads elsewhere.
    fn step(&mut self, step: Self::Step) -> Result<(), String>;

    /// What is acknowledged by now.
    fn moment(&self) -> Self::Moment;

    /// What a crash within the step that was taken since that moment may leave.
    fn allowed_since(&self, before: &Self::Moment) -> Self::Allowed;

    /// What a crash after the last step may leave.
    fn allowed(&self) -> Self::Allowed;

    /// Opens a disk after a crash, compares, and does so again after a kill and a close.
    ///
    /// # Errors
    ///
    /// When an invariant does not hold, with what was found.
    fn check(disk: &SimFs, crash: Crash, allowed: &Self::Allowed, tally: &Tally) -> Result<(), String>;

    /// Opens a disk, so that it is recovered, and dies.
    ///
    /// # Errors
    ///
    /// When it cannot be opened.
    fn recover(disk: &SimFs, allowed: &Self::Allowed) -> Result<(), String>;

    /// Main's messages that a loss of power must leave, oldest first.
    fn durable(allowed: &Self::Allowed) -> &[String];

    /// Ends the process without a word.
    fn end(&mut self);
}

/// What came over a conversation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Crash {
    /// The process died; the kernel has all that it wrote.
    Kill,
    /// The power went; what was not synced may be there or not.
    PowerLoss,
}
