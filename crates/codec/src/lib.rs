#![doc = include_str!("../README.md")]

pub mod json;
pub mod jsonl;
mod report;
#[cfg(feature = "toml")]
pub mod toml;

pub use report::{Finding, LineNumber, Problem, Report};
