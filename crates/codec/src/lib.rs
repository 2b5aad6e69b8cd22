#![doc = include_str!("../README.md")]

pub mod json;
pub mod jsonl;
mod report;
#[cfg(feature = "toml")]
pub mod toml;
mod unedited;

pub use report::{Finding, LineNumber, Problem, Report};
pub use unedited::keep_unedited;
