//! What comes along with the crates: licences, versions that come twice, sources, and advisories (`deny.toml`).

use std::process::Stdio;

use anyhow::Result;

use super::tool::{Tool, program};
use crate::run::{command, step};

const CARGO_DENY: Tool = Tool { name: "cargo-deny", version: "0.20.2" };

pub(super) fn check() -> Result<()> {
    let Some(deny) = program(CARGO_DENY)? else { return Ok(()) };
    let deny = deny.to_string_lossy();
    step(
        "licences, versions, sources",
        command(&deny, &["check", "--hide-inclusion-graph", "licenses", "bans", "sources"]),
    )?;
    // The advisories are a repository of their own, which not every machine reaches.
    let mut fetch = command(&deny, &["fetch", "db"]);
    if !fetch.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success()) {
        eprintln!("!! SKIPPED: advisories, for their database cannot be fetched from here");
        return Ok(());
    }
    step("advisories", command(&deny, &["check", "--hide-inclusion-graph", "advisories"]))
}
