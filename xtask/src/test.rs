//! `cargo xtask test`: every check that a commit must pass.

use std::process::{Command, Stdio};

use anyhow::Result;

use crate::gptme::{self, PYTHON_VARIABLE};
use crate::run::{command, step};
use crate::{fixtures, tidy};

pub(crate) fn run() -> Result<()> {
    step("format", cargo(&["fmt", "--all", "--check"]))?;
    step("format of the bench", cargo(&["fmt", "--manifest-path", "bench-peers/Cargo.toml", "--check"]))?;
    tidy::run()?;
    step("lints", cargo(&["clippy", "--workspace", "--all-targets", "--all-features", "--", "--deny", "warnings"]))?;
    let python = gptme::python()?;
    let mut tests = if has_nextest() {
        cargo(&["nextest", "run", "--workspace", "--all-features", "--no-fail-fast"])
    } else {
        cargo(&["test", "--workspace", "--all-features", "--all-targets", "--no-fail-fast"])
    };
    if let Some(python) = &python {
        tests.env(PYTHON_VARIABLE, python);
        fixtures::check()?;
    }
    // Snapshots are compared, never written.
    step("tests", {
        tests.env("INSTA_UPDATE", "no");
        tests
    })?;
    step("documentation tests", cargo(&["test", "--workspace", "--all-features", "--doc"]))?;
    let mut docs = cargo(&["doc", "--workspace", "--all-features", "--no-deps"]);
    docs.env("RUSTDOCFLAGS", "--deny warnings");
    step("documentation", docs)
}

fn cargo(arguments: &[&str]) -> Command {
    command("cargo", arguments)
}

fn has_nextest() -> bool {
    let mut version = cargo(&["nextest", "--version"]);
    version.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
