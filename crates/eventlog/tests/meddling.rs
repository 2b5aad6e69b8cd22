//! Another program that writes, without a lock, while a checkpoint is under way.
#![allow(clippy::unwrap_used, clippy::panic)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use common::*;
use convlog_eventlog::{Blocked, CheckpointError, Conflict, EventLog};
use convlog_fs::sim::SimFs;
use convlog_fs::{DirEntry, DirSync, Durability, File, FileSystem, Open, Result, Stat};

/// A file system on which somebody appends to the log whenever a new file is made.
#[derive(Debug)]
struct Meddling(SimFs);

impl FileSystem for Meddling {
    fn open(&self, path: &Path, how: Open) -> Result<Box<dyn File>> {
        if matches!(how, Open::CreateNew { .. }) {
            put(&self.0, &[bytes(&self.0), append(9, "by an editor").into_bytes()].concat());
        }
        self.0.open(path, how)
    }
    fn stat(&self, path: &Path) -> Result<Stat> {
        self.0.stat(path)
    }
    fn lstat(&self, path: &Path) -> Result<Stat> {
        self.0.lstat(path)
    }
    fn resolve(&self, path: &Path) -> Result<PathBuf> {
        self.0.resolve(path)
    }
    fn read_link(&self, path: &Path) -> Result<PathBuf> {
        self.0.read_link(path)
    }
    fn list(&self, dir: &Path) -> Result<Vec<DirEntry>> {
        self.0.list(dir)
    }
    fn create_dir(&self, path: &Path) -> Result<()> {
        self.0.create_dir(path)
    }
    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.0.rename(from, to)
    }
    fn hard_link(&self, original: &Path, link: &Path) -> Result<()> {
        self.0.hard_link(original, link)
    }
    fn symlink(&self, target: &Path, link: &Path) -> Result<()> {
        self.0.symlink(target, link)
    }
    fn remove_file(&self, path: &Path) -> Result<()> {
        self.0.remove_file(path)
    }
    fn remove_dir(&self, path: &Path) -> Result<()> {
        self.0.remove_dir(path)
    }
    fn set_mode(&self, path: &Path, mode: u32) -> Result<()> {
        self.0.set_mode(path, mode)
    }
    fn sync_dir(&self, dir: &Path) -> Result<DirSync> {
        self.0.sync_dir(dir)
    }
}

#[test]
fn what_came_meanwhile_is_not_overwritten() {
    let sim = sim();
    drop(create(&sim, &["one"]));
    let resumed = reading(&sim).resume();
    let mut log = EventLog::resume(Arc::new(Meddling(sim.clone())), dir(), options(), resumed).unwrap();
    log.append_message(&user("two"), &[], Durability::Written).unwrap();
    let error = log.checkpoint(&log_of(&["one", "two"]), &[]).unwrap_err();
    assert!(matches!(error, CheckpointError::Blocked(Blocked::Conflict(Conflict { .. }))), "{error:?}");
    assert_eq!(replayed(&sim).unwrap(), ["one", "two", "by an editor"]);
    assert_eq!(sim.list(dir()).unwrap().len(), 2, "no temporary file is left");
}
