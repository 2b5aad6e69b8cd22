//! [`Plan`]: how a run was asked for, and the run.

use std::path::PathBuf;
use std::time::Duration;

use crate::layers;
use crate::sabotage;
use crate::table::{Row, Table};

/// What `cargo xtask trust` was asked for.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How long the layers that can go on may take together; `None`: the short form.
    pub long: Option<Duration>,
    /// What every drawn number comes from.
    pub seed: u64,
    /// The release build of the program, for the layers that kill it.
    pub program: Option<PathBuf>,
    /// The one layer to run; `None`: all.
    pub layer: Option<u8>,
}

impl Plan {
    /// Whether this is the long form.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.long.is_some()
    }

    fn wants(&self, layers: &[u8]) -> bool {
        self.layer.is_none_or(|layer| layers.contains(&layer))
    }
}

/// One layer, as a function that gives its row.
type Layer = fn(&Plan) -> Row;

/// Runs the layers that are wanted, and says each as soon as it is done.
#[must_use]
pub fn run(plan: &Plan) -> Table {
    let mut table = Table::default();
    let mut say = |rows: Vec<Row>| {
        for row in &rows {
            println!("── {}: {} ({:.1} s)", row.layer, row.counts, row.took.as_secs_f32());
            row.skipped.iter().for_each(|skipped| println!("   !! SKIPPED: {skipped}"));
            row.failures.iter().for_each(|failure| println!("   FAILED: {failure}"));
        }
        table.rows.extend(rows);
    };
    if plan.wants(&[1, 2]) {
        say(layers::crashes::run(plan));
    }
    let layers: [(u8, Layer); 6] = [
        (3, layers::faults::run),
        (4, layers::histories::run),
        (5, layers::oracle::run),
        (6, layers::kills::run),
        (7, layers::kernel::run),
        (8, layers::locks::run),
    ];
    for (number, layer) in layers {
        if plan.wants(&[number]) {
            say(vec![layer(plan)]);
        }
    }
    if plan.wants(&[10]) {
        say(vec![sabotage::run(plan)]);
    }
    table
}
