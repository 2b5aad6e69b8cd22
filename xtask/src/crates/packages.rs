//! What cargo knows of the crates: [`published`].

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::Value;

use crate::run::{command, output};

/// A crate that is published.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) folder: PathBuf,
    /// Without `default`.
    pub(crate) features: Vec<String>,
    pub(crate) is_library: bool,
    /// The lowest Rust that it promises to build with.
    pub(crate) rust_version: String,
}

/// All crates that are published, by name.
pub(crate) fn published() -> Result<Vec<Package>> {
    let metadata = output(command("cargo", &["metadata", "--no-deps", "--format-version", "1", "--offline"]))?;
    let metadata: Value = serde_json::from_str(&metadata)?;
    let packages = metadata.get("packages").and_then(Value::as_array).context("cargo metadata has no packages")?;
    // `"publish": []` is `publish = false`.
    let is_published = |package: &&Value| package.get("publish").is_none_or(Value::is_null);
    packages.iter().filter(is_published).map(package).collect()
}

fn package(value: &Value) -> Result<Package> {
    let text = |key| value.get(key).and_then(Value::as_str).with_context(|| format!("cargo metadata has no {key}"));
    let manifest = PathBuf::from(text("manifest_path")?);
    let features = value.get("features").and_then(Value::as_object).into_iter().flatten();
    let targets = value.get("targets").and_then(Value::as_array).into_iter().flatten();
    let mut kinds = targets.filter_map(|target| target.get("kind").and_then(Value::as_array)).flatten();
    Ok(Package {
        name: text("name")?.to_owned(),
        folder: manifest.parent().context("a manifest lies in a folder")?.to_path_buf(),
        features: features.map(|(name, _)| name.clone()).filter(|name| name != "default").collect(),
        is_library: kinds.any(|kind| kind == "lib"),
        rust_version: text("rust_version")?.to_owned(),
    })
}
