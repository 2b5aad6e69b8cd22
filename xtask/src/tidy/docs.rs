//! Documents: what they name exists, and what exists is named.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};

use crate::crates::packages::published;
use crate::run::{command, output, root};

pub(super) fn check() -> Result<Vec<String>> {
    let mut faults = crates()?;
    let listed = output(command("git", &["ls-files", "--cached", "--others", "--exclude-standard", "*.md"]))?;
    for path in listed.lines().filter(|path| root().join(path).exists()) {
        let text = read(path)?;
        faults.extend(broken_links(path, &text));
        faults.extend(unknown_chores(path, &text));
    }
    Ok(faults)
}

fn read(path: &str) -> Result<String> {
    fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// Each crate stands in the two lists of crates, and its README names its features.
fn crates() -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let lists = [("README.md", read("README.md")?), ("crates/README.md", read("crates/README.md")?)];
    for package in published()? {
        let name = &package.name;
        for (list, _) in lists.iter().filter(|(_, text)| !text.contains(&format!("[`{name}`]("))) {
            faults.push(format!("{list} does not list {name}"));
        }
        let readme = package.folder.join("README.md");
        let text = fs::read_to_string(&readme).with_context(|| format!("cannot read {}", readme.display()))?;
        let features = text.split("\n## Features\n").nth(1);
        if features.is_none() && package.is_library {
            faults.push(format!("{} has no section \"Features\"", readme.display()));
        }
        let section = features.and_then(|text| text.split("\n## ").next()).unwrap_or_default();
        for feature in &package.features {
            if !section.contains(&format!("`{feature}`")) {
                faults.push(format!("{} does not tell of the feature {feature}", readme.display()));
            }
            if !lists.iter().any(|(_, text)| text.contains(&format!("| `{name}` | `{feature}` |"))) {
                faults.push(format!("crates/README.md does not list the feature {name}/{feature}"));
            }
        }
    }
    Ok(faults)
}

/// Links to files that do not exist.
fn broken_links(path: &str, text: &str) -> Vec<String> {
    let folder = root().join(path).parent().map(Path::to_path_buf).unwrap_or_default();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let is_file = |target: &&str| !target.contains("://") && !target.starts_with('#') && !target.contains("::");
    let files = targets.filter(is_file).map(|target| target.split('#').next().unwrap_or_default());
    let broken = files.filter(|file| !folder.join(file).exists());
    broken.map(|file| format!("{path}: there is no {file}")).collect()
}

/// `cargo xtask VERB` that this program does not know.
fn unknown_chores(path: &str, text: &str) -> Vec<String> {
    let is_letter = |c: char| c.is_ascii_lowercase() || c == '-';
    let named = text.split("cargo xtask ").skip(1).filter_map(|rest| rest.split(|c| !is_letter(c)).next());
    let unknown = named.filter(|verb| !verb.is_empty() && !crate::USAGE.contains(&format!("\n  {verb} ")));
    unknown.map(|verb| format!("{path}: there is no chore {verb}")).collect()
}
