//! A throw-away crate outside the workspace takes each crate by itself, with each of its features alone.
//!
//! Within the workspace a crate may lean, unnoticed, on a feature that another one turned on. Here nobody else is.

use std::fs;
use std::path::Path;

use anyhow::Result;

use super::packages::{Package, published};
use crate::run::{command, root, step};

pub(super) fn check() -> Result<()> {
    let home = root().join("target/outside");
    fs::create_dir_all(home.join("src"))?;
    for package in published()?.iter().filter(|package| package.is_library) {
        for taken in ways_to_take(package) {
            write(&home, package, &taken)?;
            // The versions that the workspace is tested with.
            fs::copy(root().join("Cargo.lock"), home.join("Cargo.lock"))?;
            let mut build = command("cargo", &["build", "--quiet"]);
            build.current_dir(&home);
            step(&format!("outside: {} = {taken}", package.name), build)?;
        }
    }
    Ok(())
}

/// What stands in a manifest: as it comes, with nothing, with each feature, with all of them.
fn ways_to_take(package: &Package) -> Vec<String> {
    let path = package.folder.display();
    let mut ways = vec![format!("{{ path = \"{path}\" }}")];
    if !package.features.is_empty() {
        let alone: Vec<Vec<&String>> = package.features.iter().map(|feature| vec![feature]).collect();
        let sets = [Vec::new()].into_iter().chain(alone).chain([package.features.iter().collect()]);
        ways.extend(sets.map(|set| format!("{{ path = \"{path}\", default-features = false, features = {set:?} }}")));
    }
    ways.dedup();
    ways
}

fn write(home: &Path, package: &Package, taken: &str) -> Result<()> {
    let Package { name, rust_version, .. } = package;
    let manifest = format!(
        "[package]\nname = \"outside\"\nversion = \"0.0.0\"\nedition = \"2024\"\nrust-version = \"{rust_version}\"\n\n\
         [dependencies]\n{name} = {taken}\n\n# A workspace of its own.\n[workspace]\n"
    );
    fs::write(home.join("Cargo.toml"), manifest)?;
    let library = name.replace('-', "_");
    Ok(fs::write(home.join("src/main.rs"), format!("//! Takes one crate.\nuse {library} as _;\n\nfn main() {{}}\n"))?)
}
