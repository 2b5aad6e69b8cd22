//! Programs of others that some checks need: [`program`].

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;

use crate::run::{command, root, step};

/// A program of crates.io, at the version that the checks are known to work with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// Where a program lies. In CI (`CI` set) it is built, into `target/tools`; elsewhere that is left to whoever has the
/// minutes: `None`, said loudly.
pub(super) fn program(tool: Tool) -> Result<Option<PathBuf>> {
    let Tool { name, version } = tool;
    let built = root().join("target/tools/bin").join(name);
    if built.exists() {
        return Ok(Some(built));
    }
    let mut asked = command(name, &["--version"]);
    if asked.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        return Ok(Some(PathBuf::from(name)));
    }
    // Without optimising, for it is used once.
    let install = ["install", "--quiet", "--locked", "--debug", "--root", "target/tools", name, "--version", version];
    if std::env::var_os("CI").is_none() {
        eprintln!("!! SKIPPED: what {name} checks; `cargo {}` builds it, in some minutes", install.join(" "));
        return Ok(None);
    }
    step(name, command("cargo", &install))?;
    Ok(Some(built))
}
