#![doc = include_str!("../README.md")]

pub mod json;
pub mod jsonl;
mod report;

pub use report::{Finding, LineNumber, Problem, Report};
