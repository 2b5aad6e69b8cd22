//! Appending at level *synced*: what survives the loss of power.

use std::io::Write as _;

use anyhow::Result;
use convlog_fs::Durability;
use convlog_store::CheckpointPolicy;

use crate::append::{appending, lines_of};
use crate::bench::Bench;
use crate::measure::{Contest, Took};
use crate::sqlite::{Sqlite, Synchronous};
use crate::zeph::Zeph;

const BATCH: usize = 16;

/// One by one: a bare write and `fdatasync`, SQLite FULL, zeph-session.
pub fn each(bench: &Bench) -> Result<()> {
    let mut session = bench.session("synced", 1_000, CheckpointPolicy::every(0))?;
    let home = bench.directory("synced-peers")?;
    let [event, _] = lines_of(bench, &mut session)?;
    let mut bare = appending(&home.join("bare"))?;
    let mut sqlite = Sqlite::create(&home.join("db"), Synchronous::Full)?;
    let zeph = Zeph::open(&home.join("zeph"))?;
    let (count, size) = (bench.times(100), bench.content.len());
    Contest::new("append-synced")
        .enter("convlog", || {
            let append = |message| Ok(drop(session.append_at(message, Durability::Synced)?));
            Took::each_of(count, size, || bench.message(), append)
        })
        .enter("bare write and fdatasync", || {
            Took::each(count, size, || {
                bare.write_all(&event)?;
                Ok(bare.sync_data()?)
            })
        })
        .enter("SQLite FULL", || Took::each(count, size, || sqlite.append(&bench.content)))
        .enter("zeph-session", || Took::each(count, size, || zeph.append(&bench.content)))
        .run(12)
}

/// Sixteen under one sync, beside one; the time for each.
pub fn batch(bench: &Bench) -> Result<()> {
    let mut session = bench.session("batch", 1_000, CheckpointPolicy::every(0))?;
    let mut one = bench.session("batch-one", 1_000, CheckpointPolicy::every(0))?;
    let home = bench.directory("batch-peers")?;
    let mut sqlite = Sqlite::create(&home.join("db"), Synchronous::Full)?;
    let contents = [bench.content.as_str(); BATCH];
    let (count, size) = (bench.times(50), bench.content.len());
    Contest::new("append-batch")
        .enter("convlog", || {
            let batch = || (0..BATCH).map(|_| bench.message()).collect();
            let append = |messages: Vec<_>| Ok(drop(session.append_batch(&messages, Durability::Synced)?));
            Ok(Took::each_of(count, size, batch, append)?.divided(BATCH as u32))
        })
        .enter("convlog, one", || {
            let append = |message| Ok(drop(one.append_at(message, Durability::Synced)?));
            Took::each_of(count, size, || bench.message(), append)
        })
        .enter("SQLite FULL, one transaction", || {
            Ok(Took::each(count, size, || sqlite.append_batch(&contents))?.divided(BATCH as u32))
        })
        .run(12)
}
