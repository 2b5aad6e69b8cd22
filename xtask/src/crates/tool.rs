//! Programs of others that some checks need: [`program`].

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::Result;

use crate::run::{command, root, step};

/// A program of crates.io, at the version that is asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tool {
    pub(super) name: &'static str,
    pub(super) version: &'static str,
}

/// Where a program lies. In CI (`CI` set) it is built, into `target/tools`; elsewhere that is left to whoever has the
/// minutes: `None`, said loudly.
pub(super) fn program(tool: Tool) -> Result<Option<PathBuf>> {
    if let Some(path) = installed(tool) {
        return Ok(Some(path));
    }
    let Tool { name, version } = tool;
    // Without optimising, for it is used once.
    let install = ["install", "--quiet", "--locked", "--debug", "--root", "target/tools", name, "--version", version];
    if std::env::var_os("CI").is_none() {
        eprintln!("!! SKIPPED: what {name} checks; `cargo {}` builds it, in some minutes", install.join(" "));
        return Ok(None);
    }
    step(name, command("cargo", &install))?;
    Ok(Some(built(tool)))
}

/// Where a program lies that is there already: in `target/tools`, or where the shell finds it.
pub(super) fn installed(tool: Tool) -> Option<PathBuf> {
    if built(tool).exists() {
        return Some(built(tool));
    }
    let mut asked = command(tool.name, &["--version"]);
    let is_there = asked.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    is_there.then(|| PathBuf::from(tool.name))
}

fn built(tool: Tool) -> PathBuf {
    root().join("target/tools/bin").join(tool.name)
}
