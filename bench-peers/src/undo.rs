//! Undoing one message of 10,000, each time on a fresh copy.

use std::time::Instant;

use anyhow::{Result, ensure};
use convlog_store::{CheckpointPolicy, Session, SessionOptions};
use serde_json::json;

use crate::bench::{Bench, copy, file_system};
use crate::measure::{Contest, Took};
use crate::plain::work;

pub fn undo(bench: &Bench) -> Result<()> {
    let session = bench.session("undo", 10_000, CheckpointPolicy::default())?;
    let pristine = session.layout().home().to_path_buf();
    session.close()?;
    let mut gptme = bench.gptme()?;
    let mut contest = Contest::new("undo").enter("convlog", || {
        let home = bench.home("undo-convlog")?;
        copy(&pristine, &home)?;
        // What the copy left to be written is not the undo's.
        sync(&home)?;
        let mut session = Session::open(file_system(), &home, SessionOptions::default())?;
        let start = Instant::now();
        let undone = session.undo(1)?;
        let times = vec![start.elapsed()];
        ensure!(undone.removed == 1, "nothing was undone");
        Ok(Took { times, work: work(session.log().iter().map(|message| message.content())) })
    });
    if let Some(gptme) = &mut gptme {
        let pristine = &pristine;
        contest = contest.enter("gptme", move || {
            let home = bench.home("undo-gptme")?;
            copy(pristine, &home)?;
            sync(&home)?;
            gptme.time(&json!({ "op": "undo", "dir": home }))
        });
    }
    contest.run(bench.times(12))
}

fn sync(home: &std::path::Path) -> Result<()> {
    for entry in std::fs::read_dir(home)? {
        std::fs::File::open(entry?.path())?.sync_all()?;
    }
    Ok(())
}
