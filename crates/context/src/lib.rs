#![doc = include_str!("../README.md")]

mod turn;

pub use turn::{InputReason, Turn, whose_turn};
