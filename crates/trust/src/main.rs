//! `cargo xtask trust`: runs the layers and prints the table.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::time::Duration;

use convlog_trust::run::{Plan, run};

const USAGE: &str = "\
usage: cargo xtask trust [--long] [--minutes N] [--seed N] [--layer N]

  --long       the long form: 40 minutes, or as many as `--minutes` says
  --seed N     what every drawn number comes from; without it, 1
  --program P  the `convlog` to kill; without it those layers are skipped
  --layer N    one layer alone, 1 to 9; 10 is the sabotage, 11 its histories without it
  --mutants    alone: the sabotages that change the source, in a copy of the tree
";

fn main() -> ExitCode {
    let Some(plan) = plan(std::env::args().skip(1)) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    // A panic within a layer is told as a failure of it.
    std::panic::set_hook(Box::new(|_| {}));
    let table = run(&plan);
    println!("\nseed {}\n\n{table}", plan.seed);
    if table.is_whole() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn plan(mut words: impl Iterator<Item = String>) -> Option<Plan> {
    let mut plan = Plan { long: None, seed: 1, layer: None, program: None };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--long" => plan.long = plan.long.or(Some(Duration::from_secs(40 * 60))),
            "--minutes" => plan.long = Some(Duration::from_secs(words.next()?.parse::<u64>().ok()?.checked_mul(60)?)),
            "--seed" => plan.seed = words.next()?.parse().ok()?,
            "--layer" => plan.layer = Some(words.next()?.parse().ok()?),
            "--program" => plan.program = Some(words.next()?.into()),
            _ => return None,
        }
    }
    Some(plan)
}
