//! `cargo xtask tidy`: the structure that the compiler does not check.

mod docs;
mod files;
mod layers;

use anyhow::{Result, bail};

/// Checks layers, files and documents, and lists everything that is out of place.
pub(crate) fn run() -> Result<()> {
    let mut faults = layers::check()?;
    faults.extend(files::check()?);
    faults.extend(docs::check()?);
    for fault in &faults {
        eprintln!("tidy: {fault}");
    }
    if !faults.is_empty() {
        bail!("tidy found {} faults", faults.len());
    }
    println!("── tidy: all in place");
    Ok(())
}
