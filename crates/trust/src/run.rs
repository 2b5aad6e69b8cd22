//! [`Plan`]: how a run was asked for, and the run.

use std::path::PathBuf;
use std::time::Duration;

use crate::explore::caught;
use crate::layers;
use crate::sabotage;
use crate::table::{Row, Table};

/// The numbers that the sabotage is asked for by, and its histories without it.
const SABOTAGE: [u8; 2] = [10, 11];

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

    /// The sabotage is for the long form, and for whoever asks.
    fn wants(&self, layers: &[u8]) -> bool {
        let usual = self.is_long() || !layers.iter().any(|layer| SABOTAGE.contains(layer));
        self.layer.map_or(usual, |layer| layers.contains(&layer))
    }
}

/// One layer, as a function that gives its rows.
type Layer = fn(&Plan) -> Vec<Row>;

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
    let layers: [(&[u8], Layer); 10] = [
        (&[1, 2], layers::crashes::run),
        (&[3], |plan| vec![layers::faults::run(plan), layers::faults::beside::run(plan)]),
        (&[4], |plan| vec![layers::histories::run(plan)]),
        (&[5], |plan| vec![layers::oracle::run(plan)]),
        (&[6], |plan| vec![layers::kills::run(plan)]),
        (&[7], |plan| vec![layers::kernel::run(plan)]),
        (&[8], |plan| vec![layers::locks::run(plan)]),
        (&[9], |plan| vec![layers::fuzzing::run(plan)]),
        (&[10], |plan| vec![sabotage::run(plan), sabotage::gptme_order::run(plan)]),
        (&[11], |plan| vec![sabotage::without(plan)]),
    ];
    for (numbers, layer) in layers {
        if plan.wants(numbers) {
            let mut rows = Vec::new();
            let done = caught(|| {
                rows = layer(plan);
                Ok(())
            });
            if let Err(error) = done {
                rows.push(Row { failures: vec![error], ..Row::empty(&format!("{numbers:?}")) });
            }
            say(rows);
        }
    }
    table
}
