//! `cargo xtask trust`: the harness of `docs/trust.md`, on the release build of the program.

mod mutants;

use anyhow::Result;

use crate::gptme::{self, PYTHON_VARIABLE};
use crate::run::{command, root, step};

/// Builds the program and the harness, and runs the layers that the arguments ask for.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    if arguments == ["--mutants"] {
        return mutants::run();
    }
    step("the program", command("cargo", &["build", "--quiet", "--release", "--package", "convlog-cli"]))?;
    let python = gptme::python()?;
    let mut run = command("cargo", &["run", "--quiet", "--profile", "trust", "--package", "convlog-trust", "--"]);
    run.args(arguments).arg("--program").arg(root().join("target/release/convlog"));
    if let Some(python) = python {
        run.env(PYTHON_VARIABLE, python);
    }
    step("trust", run)
}
