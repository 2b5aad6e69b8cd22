//! Counting calls and bytes.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use common::both;
use convlog_fs::sim::SimFs;
use convlog_fs::{FileSystem, Metered, Missing, Open, Operation, ReplaceMode, replace};

#[test]
fn counts_calls_and_bytes() {
    both(|world| {
        let fs = Metered::new(&*world.fs);
        let mut file = fs.open(&world.at("a"), Open::ReadWrite(Missing::Create)).unwrap();
        file.write_all(b"text").unwrap();
        file.sync_data().unwrap();
        file.sync_all().unwrap();
        let _ = fs.sync_dir(&world.root).unwrap();
        let _ = file.try_lock().unwrap();
        file.unlock().unwrap();
        assert_eq!(file.read_at(&mut [0; 3], 0).unwrap(), 3);
        assert_eq!(file.read(&mut [0; 3]).unwrap(), 0);
        let counts = fs.snapshot();
        assert_eq!((counts.bytes_read(), counts.bytes_written(), counts.syncs()), (3, 4, 3));
        assert_eq!((counts.calls(Operation::Read), counts.total()), (2, 9));

        assert!(fs.stat(&world.at("none")).is_err());
        let since = fs.snapshot().since(&counts);
        assert_eq!((since.calls(Operation::Stat), since.total()), (1, 1), "failures count");
    });
}

#[test]
fn a_replacement_costs_two_syncs_and_reads_nothing() {
    let fs = Metered::new(Arc::new(SimFs::new()));
    replace(&fs, Path::new("/a"), ReplaceMode::Keep, |out| out.write_all(b"12345")).unwrap();
    let cost = fs.snapshot();
    assert_eq!((cost.syncs(), cost.bytes_read(), cost.bytes_written()), (2, 0, 5));
    assert_eq!(fs.inner().tree().bytes("/a"), Some(&b"12345"[..]));
}
