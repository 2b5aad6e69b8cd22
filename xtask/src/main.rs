//! The project's chores, as `cargo xtask VERB`: each of them is what CI runs too.
#![allow(clippy::print_stdout, clippy::print_stderr)]

mod bench;
mod corpus;
mod crates;
mod fixtures;
mod gptme;
mod run;
mod test;
mod tidy;
mod trust;

use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask VERB

  test              all checks: format, lints, tidiness, tests, documentation (what CI runs)
  tidy              the structure of the tree: layers, first lines, sizes, no printing in libraries, what documents name
  trust             what convlog promises, shown: `cargo xtask trust --help` (CI runs its short form)
  fixtures          lets gptme 0.35.1 write fixtures/ anew, and makes fixtures/damaged/
  fixtures --check  makes them elsewhere and compares
  crates            that others can take the crates: packages, single crates and features outside the workspace,
                    the lowest Rust and the lowest versions, licences and advisories, changes of interfaces
  crates CHECK      one of these: publish, outside, msrv, minimal, deny, semver
  corpus DIR [--conversations N] [--messages N] [--words N] [--seed N]
                    makes conversations to measure with: the same ones for the same numbers
  bench [--quick] [--only append|read|recover|undo|text|query|memory|growth]
                    measures convlog beside its peers, and writes docs/benchmarks.md
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["test"] => test::run(),
        ["tidy"] => tidy::run(),
        ["trust", options @ ..] => trust::run(options),
        ["fixtures"] => fixtures::write(),
        ["fixtures", "--check"] => fixtures::check(),
        ["crates"] => crates::run(),
        ["crates", check] => crates::run_one(check),
        ["bench", options @ ..] => bench::run(options),
        ["corpus", directory, options @ ..] => corpus::run(directory, options),
        _ => {
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
