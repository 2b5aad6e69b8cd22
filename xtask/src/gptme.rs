//! The real gptme, in a virtual environment under `target/`.

use std::path::PathBuf;
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};

use crate::run::{command, root, step};

pub(crate) const VERSION: &str = "0.35.1";

/// Names the interpreter to the tests that need gptme.
pub(crate) const PYTHON_VARIABLE: &str = "CONVLOG_GPTME_PYTHON";

/// The interpreter of an environment that has gptme, made when it is not there.
///
/// `None`, said loudly, where Python or the package cannot be had; in CI (`CI` set) that is an error.
pub(crate) fn python() -> Result<Option<PathBuf>> {
    match install() {
        Ok(python) => Ok(Some(python)),
        Err(error) if std::env::var_os("CI").is_some() => Err(error.context("gptme is needed in CI")),
        Err(error) => {
            eprintln!("!! SKIPPED: everything that needs gptme {VERSION}: {error:#}");
            Ok(None)
        }
    }
}

fn install() -> Result<PathBuf> {
    let home = root().join("target").join(format!("gptme-{VERSION}"));
    let python = home.join("bin/python");
    let has_it = || {
        let wanted = format!("import importlib.metadata as m; assert m.version('gptme') == '{VERSION}'");
        let mut check = command(&python.to_string_lossy(), &["-c", &wanted]);
        check.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
    };
    if !has_it() {
        let home = home.to_str().context("the path of the workspace is not UTF-8")?;
        step("a virtual environment", command("python3", &["-m", "venv", "--clear", home]))?;
        let package = format!("gptme=={VERSION}");
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &package];
        step("gptme from PyPI", command(&python.to_string_lossy(), &pip))?;
        if !has_it() {
            bail!("{} has no gptme {VERSION} after installing it", python.display());
        }
    }
    Ok(python)
}
