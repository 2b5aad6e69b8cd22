//! [`Options`]: what a log takes from its surroundings, each with a default.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use convlog_message::Timestamp;

use crate::CheckpointPolicy;

/// What a log takes from its surroundings.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// What gives each event its time.
    pub clock: Clock,
    /// How long a write tries to get the lock that another program holds. gptme holds it for
    /// milliseconds.
    pub lock_wait: Duration,
    /// When a checkpoint is due.
    pub policy: CheckpointPolicy,
}

impl Default for Options {
    /// The clock of the machine, five seconds, gptme's interval.
    fn default() -> Self {
        Self { clock: Clock::default(), lock_wait: Duration::from_secs(5), policy: CheckpointPolicy::default() }
    }
}

impl Options {
    /// The same with another clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same with another patience for the lock.
    #[must_use]
    pub fn with_lock_wait(self, lock_wait: Duration) -> Self {
        Self { lock_wait, ..self }
    }

    /// The same with another policy.
    #[must_use]
    pub fn with_policy(self, policy: CheckpointPolicy) -> Self {
        Self { policy, ..self }
    }
}

/// A clock; the default is that of the machine.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn() -> Timestamp + Send + Sync>);

impl Clock {
    /// A clock that asks a function.
    pub fn new(now: impl Fn() -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(now))
    }

    /// What it shows.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        (self.0)()
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self::new(Timestamp::now_utc)
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Clock")
    }
}
