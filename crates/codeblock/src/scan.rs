//! Finding blocks in normalised text that may still grow: [`Engine`] and what it is made of.
//!
//! All positions are byte offsets. Nothing here holds on to the text, so that a scan can go on after more has
//! come.

mod engine;
mod gaps;
mod ipython;
mod line;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "tests may panic")]
mod linear;
mod lookahead;
pub(crate) mod newlines;
mod python;
mod run;
mod shell;
mod tail;
mod text;
pub(crate) mod thinking;

pub(crate) use engine::{Engine, Next};
pub(crate) use line::{Found, LineCounter};
pub(crate) use text::Text;

/// How many bytes were looked at, for the tests that hold the cost linear.
#[cfg(test)]
pub(crate) mod steps {
    use std::cell::Cell;

    thread_local!(static STEPS: Cell<u64> = const { Cell::new(0) });

    pub(crate) fn add(bytes: usize) {
        STEPS.set(STEPS.get().saturating_add(bytes as u64).saturating_add(1));
    }

    pub(crate) fn take() -> u64 {
        STEPS.take()
    }
}
