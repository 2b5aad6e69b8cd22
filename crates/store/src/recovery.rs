//! Recovery: what an opening session makes of what a crash, gptme or an editor left.
//!
//! The transcript is the truth. The event log heals what a crash tore out of it, by physical redo of
//! appends; it overrules nothing else. What it holds beyond the transcript goes to a backup branch.

mod carry_out;
mod file;
mod plan;
mod redo;
mod report;

use convlog_message::Log;

pub(crate) use plan::Plan;
pub use report::RecoveryReport;

/// Whether two logs are the same in every stored field.
pub(crate) fn are_alike(a: &Log, b: &Log) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.is_stored_alike(b))
}
