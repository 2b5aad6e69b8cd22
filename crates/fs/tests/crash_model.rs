//! What holds for the crash states after any operations.

#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use std::path::{Path, PathBuf};

use common::World;
use common::steps::{Step, run, step};
use convlog_fs::sim::{CrashPlan, Quirks, SimFs, TreeEntry};
use convlog_fs::{FileSystem, Open};
use proptest::prelude::*;

/// Syncs every file, and every directory from the innermost on.
fn sync_everything(fs: &SimFs) {
    for (path, entry) in fs.tree().entries.iter().rev() {
        match entry {
            TreeEntry::File { .. } => fs.open(path, Open::Read).unwrap().sync_all().unwrap(),
            TreeEntry::Dir { .. } => drop(fs.sync_dir(path).unwrap()),
            _ => {}
        }
    }
    let _ = fs.sync_dir(Path::new("/")).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, failure_persistence: None, ..Default::default() })]

    #[test]
    fn extremes_are_in_and_a_sync_of_everything_leaves_one_disk(
        steps in prop::collection::vec(step(), 1..30),
        reuse_inodes: bool,
        later in prop::collection::vec(step(), 1..12),
    ) {
        let fs = SimFs::with(Quirks { reuse_inodes, ..Quirks::default() });
        fs.create_dir(Path::new("/root")).unwrap();
        let world = World::on(fs.clone(), PathBuf::from("/root"));
        let mut file = None;
        for step in &steps {
            run(&world, &mut file, step);
        }
        sync_everything(&fs);
        let synced = fs.tree();
        let crashes = fs.crash_states(&CrashPlan::default());
        prop_assert_eq!(crashes.states.len(), 1, "{:?}", crashes);
        prop_assert_eq!(crashes.states[0].disk.fingerprint(), fs.fingerprint());

        for step in &later {
            run(&world, &mut file, step);
        }
        let plan = CrashPlan { budget: 64, ..CrashPlan::default() };
        let crashes = fs.crash_states(&plan);
        prop_assert!(crashes.states.iter().any(|crash| crash.disk.tree() == fs.tree()));
        // A directory's mode is durable at once.
        let durable = |step: &Step| matches!(step, Step::SyncDir(_) | Step::SetMode(..));
        if !later.iter().any(durable) {
            prop_assert_eq!(&crashes.states[0].disk.tree(), &synced);
        }
        for crash in crashes.states {
            prop_assert_eq!(crash.disk.crash_states(&plan).states.len(), 1, "all durable");
            prop_assert_eq!(crash.disk.kill().fingerprint(), crash.disk.fingerprint());
        }
    }
}
