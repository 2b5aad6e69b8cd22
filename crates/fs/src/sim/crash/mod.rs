//! The disks that a power loss may leave.

mod choice;
mod entry_images;
mod file_images;
mod image;
mod plan;
mod states;

pub use plan::CrashPlan;
pub use states::{Crash, CrashStates};
