//! Each rule of what survives a power loss in the simulation.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::Path;

use common::{put, put_durable};
use convlog_fs::sim::{CrashPlan, Fault, Quirks, SimFs, Times, When};
use convlog_fs::{FileSystem, Missing, Open, Operation};

fn trees(fs: &SimFs) -> BTreeSet<String> {
    let states = fs.crash_states(&CrashPlan::default()).states;
    states.into_iter().map(|crash| crash.disk.tree().to_string()).collect()
}

fn sync(fs: &SimFs, path: &str) {
    fs.open(Path::new(path), Open::Read).unwrap().sync_all().unwrap();
}

fn sync_dir(fs: &SimFs, path: &str) {
    let _ = fs.sync_dir(Path::new(path)).unwrap();
}

fn rename(fs: &SimFs, from: &str, to: &str) {
    fs.rename(Path::new(from), Path::new(to)).unwrap();
}

fn set<const N: usize>(expected: [&str; N]) -> BTreeSet<String> {
    expected.map(str::to_owned).into()
}

#[test]
fn syncing_a_file_does_nothing_for_its_name() {
    let fs = SimFs::new();
    put(&fs, Path::new("/a"), "text");
    sync(&fs, "/a");
    assert_eq!(trees(&fs), set(["", "0600 /a \"text\"\n"]));
}

#[test]
fn syncing_a_directory_does_nothing_for_the_data() {
    let fs = SimFs::new();
    put(&fs, Path::new("/a"), "t\n");
    sync_dir(&fs, "/");
    assert_eq!(
        trees(&fs),
        set(["0600 /a \"\"\n", "0600 /a \"\\x00\\x00\"\n", "0600 /a \"t\"\n", "0600 /a \"t\\n\"\n"])
    );
}

#[test]
fn a_rename_is_durable_apart_from_the_data() {
    let fs = SimFs::new();
    put_durable(&fs, "/a", "old");
    put(&fs, Path::new("/new"), "x");
    rename(&fs, "/new", "/a");
    let found = trees(&fs);
    assert!(found.contains("0600 /a \"\"\n"), "renamed and empty: {found:?}");
    assert!(found.contains("0600 /a \"old\"\n"), "not renamed: {found:?}");
    assert!(found.contains("0600 /a \"old\"\n0600 /new \"x\"\n"), "made only: {found:?}");
}

#[test]
fn a_rename_between_directories_is_one_change() {
    let fs = SimFs::new();
    for dir in ["/x", "/y"] {
        fs.create_dir(Path::new(dir)).unwrap();
    }
    put_durable(&fs, "/x/a", "text");
    sync_dir(&fs, "/");
    rename(&fs, "/x/a", "/y/b");
    let before = "0700 /x/\n0600 /x/a \"text\"\n0700 /y/\n";
    let after = "0700 /x/\n0700 /y/\n0600 /y/b \"text\"\n";
    assert_eq!(trees(&fs), set([before, after]));
    sync_dir(&fs, "/y");
    assert_eq!(trees(&fs), set([after]), "syncing either directory will do");
}

#[test]
fn what_a_synced_name_depends_on_is_synced_with_it() {
    let fs = SimFs::new();
    for dir in ["/x", "/y"] {
        fs.create_dir(Path::new(dir)).unwrap();
    }
    sync_dir(&fs, "/");
    put(&fs, Path::new("/x/a"), "");
    rename(&fs, "/x/a", "/y/a");
    sync_dir(&fs, "/y");
    assert_eq!(trees(&fs), set(["0700 /x/\n0700 /y/\n0600 /y/a \"\"\n"]));
}

#[test]
fn changes_of_names_survive_in_any_subset() {
    let fs = SimFs::new();
    for name in ["/a", "/b", "/c"] {
        put(&fs, Path::new(name), "");
    }
    assert_eq!(trees(&fs).len(), 8);
    let crashes = fs.crash_states(&CrashPlan::default());
    assert_eq!(crashes.possible, 8 * 8, "each name, and the times of each file");
    assert_eq!((crashes.taken, crashes.capped, crashes.impossible), (64, 0, 0));
    assert_eq!(crashes.states.len(), 1 + 3 * 2 + 3 * 4 + 8, "times of absent files are nothing");
}

#[test]
fn a_directory_whose_name_is_lost_takes_its_files_along() {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/d")).unwrap();
    put_durable(&fs, "/d/a", "text");
    assert_eq!(trees(&fs), set(["", "0700 /d/\n0600 /d/a \"text\"\n"]));
}

#[test]
fn after_a_failed_sync_a_second_one_proves_nothing() {
    let fs = SimFs::new();
    put_durable(&fs, "/a", "old\n");
    let mut file = fs.open(Path::new("/a"), Open::Append(Missing::Fail)).unwrap();
    file.write_all(b"new\n").unwrap();
    fs.fail(When::operation(Operation::SyncData), Fault::IO, Times::Once);
    assert!(file.sync_data().is_err());
    file.sync_data().unwrap();
    let found = trees(&fs);
    assert!(found.contains("0600 /a \"old\\n\\x00\\x00\\x00\\x00\"\n"), "{found:?}");
    assert!(found.contains("0600 /a \"old\\nnew\\n\"\n"), "{found:?}");

    let mut file = fs.open(Path::new("/a"), Open::ReadWrite(Missing::Fail)).unwrap();
    file.write_all(b"old\nnew\n").unwrap();
    file.sync_data().unwrap();
    assert_eq!(trees(&fs), set(["0600 /a \"old\\nnew\\n\"\n"]), "written again, it is durable");
}

#[test]
fn a_mode_needs_a_full_sync() {
    let fs = SimFs::new();
    put_durable(&fs, "/a", "x");
    fs.set_mode(Path::new("/a"), 0o640).unwrap();
    let mut file = fs.open(Path::new("/a"), Open::Read).unwrap();
    file.sync_data().unwrap();
    assert_eq!(trees(&fs), set(["0600 /a \"x\"\n", "0640 /a \"x\"\n"]));
    file.sync_all().unwrap();
    assert_eq!(trees(&fs), set(["0640 /a \"x\"\n"]));
}

#[test]
fn blocks_of_a_long_write_survive_in_any_subset() {
    let fs = SimFs::new();
    put_durable(&fs, "/a", "");
    put(&fs, Path::new("/a"), &"x".repeat(1_024));
    let states = fs.crash_states(&CrashPlan::default()).states;
    let has = |first: u8, second: u8| {
        states.iter().any(|crash| {
            let tree = crash.disk.tree();
            let bytes = tree.bytes("/a").unwrap();
            bytes.len() == 1_024
                && bytes[..512].iter().all(|byte| *byte == first)
                && bytes[512..].iter().all(|byte| *byte == second)
        })
    };
    for (first, second) in [(b'x', b'x'), (0, 0), (b'x', 0), (0, b'x')] {
        assert!(has(first, second), "{first} {second}");
    }
}

#[test]
fn a_kill_loses_nothing_but_handles() {
    let fs = SimFs::new();
    put(&fs, Path::new("/a"), "text");
    let open = fs.open(Path::new("/a"), Open::Read).unwrap();
    fs.remove_file(Path::new("/a")).unwrap();
    put(&fs, Path::new("/b"), "text");
    let killed = fs.kill();
    assert_eq!(killed.tree(), fs.tree());
    assert_eq!(killed.next_op(), 0);
    drop(open);
}

#[test]
fn forks_go_their_own_ways() {
    let fs = SimFs::new();
    put(&fs, Path::new("/a"), "text");
    let fork = fs.fork();
    assert_eq!(fork.ops(), fs.ops());
    assert_eq!(fork.fingerprint(), fs.fingerprint());
    put(&fork, Path::new("/a"), "more");
    assert_eq!(fs.tree().to_string(), "0600 /a \"text\"\n");
    assert_eq!(fork.tree().to_string(), "0600 /a \"more\"\n");
    assert_ne!(fork.fingerprint(), fs.fingerprint());
}

#[test]
fn one_run_serves_every_crash_point() {
    let run = |fs: &SimFs| {
        put(fs, Path::new("/a"), "text");
        let _ = fs.sync_dir(Path::new("/"));
        let _ = fs.rename(Path::new("/a"), Path::new("/b"));
    };
    let fs = SimFs::new();
    fs.keep_snapshots();
    run(&fs);
    let snapshots = fs.snapshots();
    let changes: Vec<u64> = fs.ops().iter().filter(|op| op.changes).map(|op| op.number).collect();
    assert_eq!(snapshots.iter().map(|snapshot| snapshot.after).collect::<Vec<_>>(), changes);
    for snapshot in snapshots {
        let halted = SimFs::new();
        halted.halt_after(snapshot.after + 1);
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run(&halted)));
        assert_eq!(snapshot.disk.fingerprint(), halted.fingerprint());
        assert_eq!(trees(&snapshot.disk), trees(&halted));
    }
}

#[test]
fn sampling_keeps_the_extremes_and_says_what_it_left_out() {
    let fs = SimFs::new();
    for name in 0..10 {
        put(&fs, Path::new(&format!("/{name}")), "one\ntwo\n");
    }
    let plan = CrashPlan { budget: 100, seed: 7, ..CrashPlan::default() };
    let crashes = fs.crash_states(&plan);
    assert!(crashes.is_sampled() && crashes.capped > 0);
    assert!(crashes.possible > 1_000_000 && crashes.taken >= 100);
    assert_eq!(crashes.states[0].disk.tree().to_string(), "");
    assert_eq!(crashes.states[1].disk.tree(), fs.tree());
    let again = fs.crash_states(&plan);
    let descriptions = |crashes: &convlog_fs::sim::CrashStates| {
        crashes.states.iter().map(|crash| crash.description.clone()).collect::<Vec<_>>()
    };
    assert_eq!(descriptions(&again), descriptions(&crashes));
    let fingerprints: BTreeSet<u64> = crashes.states.iter().map(|crash| crash.disk.fingerprint()).collect();
    assert_eq!(fingerprints.len(), crashes.states.len(), "each disk once");
}

#[test]
fn an_inode_number_comes_back_and_never_twice_on_one_disk() {
    let fs = SimFs::with(Quirks { reuse_inodes: true, ..Quirks::default() });
    put_durable(&fs, "/a", "a");
    let a = fs.stat(Path::new("/a")).unwrap().id;
    fs.remove_file(Path::new("/a")).unwrap();
    put(&fs, Path::new("/b"), "b");
    let b = fs.stat(Path::new("/b")).unwrap().id;
    assert_eq!((a.dev, a.ino), (b.dev, b.ino));
    assert_ne!(a, b, "only the birth time tells");
    let crashes = fs.crash_states(&CrashPlan::default());
    assert!(crashes.impossible > 0);
    let both = |tree: &str| tree.contains("/a") && tree.contains("/b");
    assert!(!crashes.states.iter().any(|crash| both(&crash.disk.tree().to_string())));

    let open = fs.open(Path::new("/b"), Open::Read).unwrap();
    fs.remove_file(Path::new("/b")).unwrap();
    put(&fs, Path::new("/c"), "c");
    assert_ne!(fs.stat(Path::new("/c")).unwrap().id.ino, b.ino, "an open file keeps its number");
    drop(open);
}

#[test]
fn clocks_may_be_coarse_and_birth_times_missing() {
    let quirks = Quirks { birth_times: false, changes_per_tick: 1_000, ..Quirks::default() };
    let fs = SimFs::with(quirks);
    put(&fs, Path::new("/a"), "a");
    let before = fs.stat(Path::new("/a")).unwrap();
    put(&fs, Path::new("/a"), "b");
    assert_eq!(fs.stat(Path::new("/a")).unwrap(), before, "changed, and nothing shows it");
    assert_eq!(before.id.birth, None);
}
