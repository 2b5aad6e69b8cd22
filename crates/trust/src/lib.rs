//! The harness that shows what convlog promises: `docs/trust.md` says what, at which level, and with what result.
//!
//! A *world* is a conversation on a [simulated disk](convlog_fs::sim) beside the plain lists that it should be:
//! [`world::alone`] is main with gptme and an editor at work on it too, [`world::whole`] is all that a directory holds.
//! [`explore`] runs histories of a world and crashes them at each file operation. The [`layers`] are what
//! `cargo xtask trust` runs; [`sabotage`] shows that they would notice.
//!
//! The tests of other crates borrow [`disk`], [`foreign`], [`gptme`], [`watched`] and [`random`].
//!
//! It is a test, though it is built as a library and a program: what cannot be so panics.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::arithmetic_side_effects, clippy::print_stdout, clippy::print_stderr)]

pub mod disk;
pub mod explore;
pub mod foreign;
pub mod fuzz;
pub mod gptme;
pub mod layers;
pub mod program;
pub mod random;
pub mod run;
pub mod sabotage;

pub mod table;
pub mod tally;
pub mod watched;
pub mod world;
