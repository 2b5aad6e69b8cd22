//! `cargo xtask fixtures`: conversations that gptme itself writes, and damaged ones of our own making.

mod damaged;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::gptme;
use crate::run::{command, root, step};

/// What gptme writes, under `fixtures/`.
const BY_GPTME: &[&str] = &["logs", "manifest.json", "oracle"];
const DAMAGED: &str = "damaged";

/// Makes all fixtures anew, in place.
pub(crate) fn write() -> Result<()> {
    let home = root().join("fixtures");
    let made = make()?;
    for name in BY_GPTME.iter().chain([&DAMAGED]) {
        let (from, to) = (made.path().join(name), home.join(name));
        if !from.exists() {
            continue;
        }
        if to.is_dir() {
            fs::remove_dir_all(&to)?;
        }
        // The temporary directory may lie on another file system, so `mv`, which copies there.
        step(name, command("mv", &["--force", &from.to_string_lossy(), &to.to_string_lossy()]))?;
    }
    Ok(())
}

/// Makes all fixtures elsewhere and compares them with those in the tree.
pub(crate) fn check() -> Result<()> {
    let made = make()?;
    let home = root().join("fixtures");
    let mut differences = Vec::new();
    for name in BY_GPTME.iter().chain([&DAMAGED]) {
        let fresh = made.path().join(name);
        if fresh.exists() {
            compare(&fresh, &home.join(name), &mut differences)?;
        }
    }
    for path in differences.iter().take(20) {
        eprintln!("differs: {}", path.display());
    }
    if !differences.is_empty() {
        bail!("{} files under fixtures/ are not what is made today; see `cargo xtask fixtures`", differences.len());
    }
    println!("── fixtures: as in the tree");
    Ok(())
}

fn make() -> Result<tempfile::TempDir> {
    let made = tempfile::tempdir()?;
    damaged::write(&made.path().join(DAMAGED))?;
    if let Some(python) = gptme::python()? {
        let script = root().join("xtask/gptme/fixtures.py");
        let mut run = command(&python.to_string_lossy(), &[]);
        run.arg(script).arg(made.path());
        step("gptme writes its fixtures", run)?;
    }
    Ok(made)
}

/// Notes every file that is only on one side, or not the same on both: content of files, target of links.
fn compare(made: &Path, kept: &Path, differences: &mut Vec<PathBuf>) -> Result<()> {
    let of = |path: &Path| fs::symlink_metadata(path).map(|metadata| metadata.file_type());
    let (Ok(left), Ok(right)) = (of(made), of(kept)) else {
        differences.push(kept.to_path_buf());
        return Ok(());
    };
    if left.is_dir() && right.is_dir() {
        let names = |path: &Path| -> Result<Vec<_>> {
            let entries = fs::read_dir(path).with_context(|| format!("cannot list {}", path.display()))?;
            entries.map(|entry| Ok(entry?.file_name())).collect()
        };
        let mut all = names(made)?;
        all.extend(names(kept)?);
        all.sort();
        all.dedup();
        for name in all {
            compare(&made.join(&name), &kept.join(&name), differences)?;
        }
    } else if left != right
        || (left.is_symlink() && fs::read_link(made)? != fs::read_link(kept)?)
        || (left.is_file() && fs::read(made)? != fs::read(kept)?)
    {
        differences.push(kept.to_path_buf());
    }
    Ok(())
}
