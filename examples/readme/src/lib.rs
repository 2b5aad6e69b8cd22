//! The Rust of the README, compiled and run as a documentation test.
#![cfg_attr(doctest, doc = include_str!("../../../README.md"))]
