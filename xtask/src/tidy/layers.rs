//! Layers: a crate knows only what lies under it, and carries only what its layer may.

use std::collections::BTreeSet;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::run::{command, output};

/// Each crate, and the crates of ours that it may stand on.
const LAYERS: &[(&str, &[&str])] = &[
    ("convlog-codeblock", &[]),
    ("convlog-message", &[]),
    ("convlog-fs", &[]),
    ("convlog-codec", &["convlog-message"]),
    ("convlog-render", &["convlog-message", "convlog-codeblock", "convlog-codec"]),
    ("convlog-context", &["convlog-message", "convlog-codeblock", "convlog-codec"]),
    ("convlog-eventlog", &["convlog-message", "convlog-codec", "convlog-fs"]),
    ("convlog-store", &["convlog-message", "convlog-codec", "convlog-fs", "convlog-eventlog"]),
    ("convlog-query", &["convlog-message", "convlog-codec", "convlog-fs", "convlog-eventlog", "convlog-store"]),
    (
        "convlog-cli",
        &[
            "convlog-message",
            "convlog-codec",
            "convlog-codeblock",
            "convlog-context",
            "convlog-render",
            "convlog-fs",
            "convlog-eventlog",
            "convlog-store",
            "convlog-query",
        ],
    ),
    (
        "convlog-trust",
        &["convlog-message", "convlog-codec", "convlog-codeblock", "convlog-fs", "convlog-eventlog", "convlog-store"],
    ),
    ("xtask", &[]),
];

/// All that `convlog-message` may pull in: values, no I/O, no command line.
const UNDER_MESSAGE: &[&str] = &[
    "archery",
    "bitmaps",
    "imbl",
    "imbl-sized-chunks",
    "static_assertions",
    "triomphe",
    "stable_deref_trait",
    "rand_core",
    "rand_xoshiro",
    "equivalent",
    "wide",
    "bytemuck",
    "safe_arch",
    "thiserror",
    "thiserror-impl",
    "proc-macro2",
    "quote",
    "syn",
    "unicode-ident",
    "time",
    "time-core",
    "deranged",
    "powerfmt",
    "num-conv",
    "itoa",
    "libc",
    "num_threads",
    "version_check",
];

pub(super) fn check() -> Result<Vec<String>> {
    let metadata = output(command("cargo", &["metadata", "--no-deps", "--format-version", "1", "--offline"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let mut faults = Vec::new();
    for package in metadata.get("packages").and_then(Value::as_array).context("cargo metadata has no packages")? {
        let name = text(package, "name");
        // An example takes what it shows.
        if name.starts_with("example-") {
            continue;
        }
        let Some((_, below)) = LAYERS.iter().find(|(layer, _)| *layer == name) else {
            faults.push(format!("{name} has no layer; add it in xtask/src/tidy/layers.rs"));
            continue;
        };
        for dependency in package.get("dependencies").and_then(Value::as_array).into_iter().flatten() {
            let on = text(dependency, "name");
            // The harness stands above what it tests, and lends the tests its model.
            if on == "convlog-trust" && text(dependency, "kind") == "dev" {
                continue;
            }
            if on.starts_with("convlog-") && !below.contains(&on) && on != name {
                faults.push(format!("{name} depends on {on}, which does not lie under it"));
            }
            if on == "anyhow" && name != "convlog-cli" && name != "xtask" {
                faults.push(format!("{name} depends on anyhow; libraries have errors of their own"));
            }
        }
    }
    faults.extend(under_message()?);
    Ok(faults)
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

fn under_message() -> Result<Vec<String>> {
    let arguments = ["tree", "--package", "convlog-message", "--edges", "normal", "--prefix", "none", "--offline"];
    let tree = output(command("cargo", &arguments))?;
    let crates: BTreeSet<&str> = tree.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let others = crates.into_iter().filter(|name| *name != "convlog-message" && !UNDER_MESSAGE.contains(name));
    Ok(others.map(|name| format!("convlog-message pulls in {name}; it holds values only")).collect())
}
