//! What a session takes from its caller: [`SessionOptions`].

use std::time::Duration;

use convlog_eventlog::{CheckpointPolicy, Clock, Options};
use convlog_fs::Durability;

use crate::{BranchName, Transcript};

/// What a session takes from its caller, each with a default.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SessionOptions {
    /// The branch to act on; `None`: main.
    pub branch: Option<BranchName>,
    /// What an append survives when it does not say so itself.
    pub durability: Durability,
    /// When the event log writes down the whole list.
    pub policy: CheckpointPolicy,
    /// What gives each event its time.
    pub clock: Clock,
    /// The largest attached file whose content is stored, in bytes; `None`: any.
    pub attachment_limit: Option<u64>,
    /// How long a write waits for another program that is writing an event.
    pub event_lock_wait: Duration,
}

impl Default for SessionOptions {
    /// Main, appends that survive the death of the process, gptme's checkpoints, the machine's clock.
    fn default() -> Self {
        let events = Options::default();
        Self {
            branch: None,
            durability: Durability::Written,
            policy: events.policy,
            clock: events.clock,
            attachment_limit: None,
            event_lock_wait: events.lock_wait,
        }
    }
}

impl SessionOptions {
    /// The same on a branch.
    #[must_use]
    pub fn on_branch(self, branch: BranchName) -> Self {
        Self { branch: Some(branch), ..self }
    }

    /// The same with another level of durability.
    #[must_use]
    pub fn with_durability(self, durability: Durability) -> Self {
        Self { durability, ..self }
    }

    /// The same with other checkpoints.
    #[must_use]
    pub fn with_policy(self, policy: CheckpointPolicy) -> Self {
        Self { policy, ..self }
    }

    /// The same with another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same with a limit to the size of attached files.
    #[must_use]
    pub fn with_attachment_limit(self, bytes: u64) -> Self {
        Self { attachment_limit: Some(bytes), ..self }
    }

    /// Main, or the branch.
    pub(super) fn transcript(&self) -> Transcript {
        self.branch.clone().map_or(Transcript::Main, Transcript::Branch)
    }

    pub(super) fn for_events(&self) -> Options {
        Options::default().with_clock(self.clock.clone()).with_policy(self.policy).with_lock_wait(self.event_lock_wait)
    }
}
