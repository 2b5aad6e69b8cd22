//! The lowest versions of dependencies that the manifests allow, tried: what is asked for is what is needed.

use std::fs;

use anyhow::{Context as _, Result};

use crate::run::{command, output, root, step};

pub(super) fn check() -> Result<()> {
    let copy = root().join("target/minimal");
    if copy.exists() {
        fs::remove_dir_all(&copy)?;
    }
    // A copy of the workspace, whose lock file may change.
    let listed = output(command("git", &["ls-files", "--cached", "--others", "--exclude-standard"]))?;
    let is_needed = |path: &&str| ["Cargo.toml", "Cargo.lock"].contains(path) || is_source(path);
    for path in listed.lines().filter(is_needed).filter(|path| root().join(path).exists()) {
        let to = copy.join(path);
        fs::create_dir_all(to.parent().context("a file lies in a folder")?)?;
        fs::copy(root().join(path), &to).with_context(|| format!("cannot copy {path}"))?;
    }
    let mut update = command("cargo", &["update", "--quiet", "-Z", "direct-minimal-versions"]);
    // The flag is not stable yet; it chooses versions and has no part in building.
    update.current_dir(&copy).env("RUSTC_BOOTSTRAP", "1");
    step("the lowest versions, chosen", update)?;
    let mut build = command("cargo", &["check", "--workspace", "--all-features", "--quiet"]);
    build.current_dir(&copy).env("CARGO_TARGET_DIR", root().join("target/minimal-build"));
    step("the lowest versions, built", build)
}

fn is_source(path: &str) -> bool {
    ["crates/", "examples/", "xtask/"].iter().any(|folder| path.starts_with(folder))
}
