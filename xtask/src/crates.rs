//! `cargo xtask crates`: that others can take the crates, each by itself, and what comes along with them.

mod deny;
mod minimal;
mod msrv;
mod outside;
pub(crate) mod packages;
mod semver;
mod tool;

use anyhow::{Context as _, Result};

use crate::run::{command, step};

type Check = fn() -> Result<()>;

/// Each check by its name on the command line.
const CHECKS: &[(&str, Check)] = &[
    ("publish", publish),
    ("outside", outside::check),
    ("msrv", msrv::check),
    ("minimal", minimal::check),
    ("deny", deny::check),
    ("semver", semver::check),
];

/// Runs all checks.
pub(crate) fn run() -> Result<()> {
    CHECKS.iter().try_for_each(|(_, check)| check())
}

/// Runs one check.
pub(crate) fn run_one(name: &str) -> Result<()> {
    let names: Vec<&str> = CHECKS.iter().map(|(name, _)| *name).collect();
    let found = CHECKS.iter().find(|(of, _)| *of == name);
    let (_, check) = found.with_context(|| format!("crates knows no {name}, but {}", names.join(", ")))?;
    check()
}

/// Packs every crate in the order of their layers, and builds each from its package alone.
fn publish() -> Result<()> {
    step("publishing, without doing it", command("cargo", &["publish", "--dry-run", "--workspace", "--allow-dirty"]))
}
