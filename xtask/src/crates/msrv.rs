//! The lowest Rust that the crates promise to build with, tried.

use std::process::Stdio;

use anyhow::{Context as _, Result};

use super::packages::published;
use crate::run::{command, root, step};

pub(super) fn check() -> Result<()> {
    let packages = published()?;
    let lowest = &packages.first().context("no crate is published")?.rust_version;
    if !has(lowest) {
        let mut install =
            command("rustup", &["toolchain", "install", lowest, "--profile", "minimal", "--no-self-update"]);
        if !install.stdout(Stdio::null()).status().is_ok_and(|status| status.success()) {
            // Clippy's `incompatible_msrv` still holds our own code to it.
            eprintln!("!! SKIPPED: Rust {lowest} cannot be had here, so nobody knows whether the crates build with it");
            return Ok(());
        }
    }
    let arguments = ["run", lowest, "cargo", "check", "--workspace", "--all-features", "--locked", "--quiet"];
    let mut check = command("rustup", &arguments);
    check.env("CARGO_TARGET_DIR", root().join("target/msrv"));
    step(&format!("Rust {lowest}"), check)
}

fn has(version: &str) -> bool {
    let mut asked = command("rustup", &["run", version, "rustc", "--version"]);
    asked.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
