//! What changed in the public interfaces since the last release, as far as a machine can tell.

use anyhow::{Context as _, Result};

use super::tool::{Tool, installed, program};
use crate::run::{command, output, step};

const CARGO_SEMVER_CHECKS: Tool = Tool { name: "cargo-semver-checks", version: "0.51.0" };

/// What the interfaces are compared with until there is a release: everything there is now.
const BEFORE_THE_FIRST_RELEASE: &str = "11aca02";

pub(super) fn check() -> Result<()> {
    let release = output(command("git", &["describe", "--tags", "--abbrev=0", "--match", "v[0-9]*"])).ok();
    // Building the program takes longer than all other checks together; before a release nothing depends on it.
    let checks = if release.is_some() { program(CARGO_SEMVER_CHECKS)? } else { installed(CARGO_SEMVER_CHECKS) };
    let Some(checks) = checks else {
        println!("── interfaces: nothing is released yet, and {} is not installed", CARGO_SEMVER_CHECKS.name);
        return Ok(());
    };
    let baseline = release.as_deref().map_or(BEFORE_THE_FIRST_RELEASE, str::trim);
    let arguments = ["semver-checks", "check-release", "--workspace", "--all-features", "--baseline-rev", baseline];
    let compared = step(&format!("interfaces since {baseline}"), command(&checks.to_string_lossy(), &arguments));
    if release.is_none() && compared.is_err() {
        println!("   nothing is released yet, so the interfaces may change; CHANGELOG.md is where users read of it");
        return Ok(());
    }
    compared.context("raise the version in Cargo.toml when that is meant, and say so in CHANGELOG.md")
}
