//! Directories made durable, and second names for files.
#![allow(clippy::unwrap_used)]

mod common;

use std::io::ErrorKind;
use std::path::Path;

use common::{World, both, put, put_durable};
use convlog_fs::sim::{CrashPlan, Fault, SimFs, Times, When};
use convlog_fs::{
    DirSync, FileSystem, LinkKind, Operation, copy_durable, create_dirs_durable, hard_link_or_copy, read_all,
};

#[test]
fn every_missing_directory_is_made_and_survives() {
    both(|world| {
        world.dir("a");
        world.fs.symlink(Path::new("a"), &world.at("to-a")).unwrap();
        let created = create_dirs_durable(&*world.fs, &world.at("to-a/b/c")).unwrap();
        assert_eq!(created.made, [world.at("to-a/b"), world.at("to-a/b/c")]);
        assert_eq!(created.dir_sync, DirSync::Synced);
        assert_eq!(world.fs.stat(&world.at("a/b/c")).unwrap().mode, 0o700);
        let again = create_dirs_durable(&*world.fs, &world.at("a/b/c")).unwrap();
        assert!(again.made.is_empty());
    });

    let fs = SimFs::new();
    let _ = create_dirs_durable(&fs, Path::new("/a/b/c")).unwrap();
    let crashes = fs.crash_states(&CrashPlan::default()).states;
    assert!(crashes.iter().all(|crash| crash.disk.stat(Path::new("/a/b/c")).is_ok()));
}

#[test]
fn a_directory_left_unsynced_by_a_killed_process_is_synced() {
    let fs = SimFs::new();
    fs.create_dir(Path::new("/a")).unwrap();
    let fs = fs.kill();
    let _ = create_dirs_durable(&fs, Path::new("/a/b")).unwrap();
    let crashes = fs.crash_states(&CrashPlan::default()).states;
    assert!(crashes.iter().all(|crash| crash.disk.stat(Path::new("/a/b")).is_ok()));
}

#[test]
fn something_else_in_the_way_is_an_error() {
    both(|world| {
        world.put("file", "");
        world.fs.symlink(Path::new("none"), &world.at("to-none")).unwrap();
        let kind = |name: &str| create_dirs_durable(&*world.fs, &world.at(name)).unwrap_err().kind();
        assert_eq!(kind("file"), ErrorKind::NotADirectory);
        assert_eq!(kind("file/a"), ErrorKind::NotADirectory);
        assert_eq!(kind("to-none"), ErrorKind::AlreadyExists);
    });
}

#[test]
fn a_link_shares_the_file_and_a_copy_does_not() {
    both(|world| {
        world.put("log", "text");
        world.fs.set_mode(&world.at("log"), 0o640).unwrap();
        world.fs.symlink(Path::new("log"), &world.at("to-log")).unwrap();
        let linked = hard_link_or_copy(&*world.fs, &world.at("to-log"), &world.at("link")).unwrap();
        assert_eq!((linked.how, linked.dir_sync), (LinkKind::HardLink, DirSync::Synced));
        let id = |name: &str| world.fs.lstat(&world.at(name)).unwrap().id;
        assert_eq!(id("link"), id("log"));

        let _ = copy_durable(&*world.fs, &world.at("log"), &world.at("copy")).unwrap();
        assert_ne!(id("copy"), id("log"));
        assert_eq!(world.fs.stat(&world.at("copy")).unwrap().mode, 0o640);
        assert_eq!(world.get("copy"), "text");

        let taken = hard_link_or_copy(&*world.fs, &world.at("log"), &world.at("copy"));
        assert!(taken.unwrap_err().is_already_exists());
    });
}

#[test]
fn a_link_is_durable_with_its_content() {
    let fs = SimFs::new();
    put_durable(&fs, "/log", "");
    put(&fs, Path::new("/log"), "text");
    let _ = hard_link_or_copy(&fs, Path::new("/log"), Path::new("/link")).unwrap();
    for crash in fs.crash_states(&CrashPlan::default()).states {
        assert_eq!(read_all(&crash.disk, Path::new("/link")).unwrap(), b"text");
    }
}

#[test]
fn without_links_there_is_a_copy_and_other_errors_stay_errors() {
    let world = World::simulated();
    world.put("log", "text");
    let fs = SimFs::new();
    put_durable(&fs, "/log", "text");
    let link = |to: &str| hard_link_or_copy(&fs, Path::new("/log"), Path::new(to));

    fs.fail(When::operation(Operation::HardLink), Fault::NOT_PERMITTED, Times::Forever);
    assert_eq!(link("/copy").unwrap().how, LinkKind::Copy);
    for crash in fs.crash_states(&CrashPlan::default()).states {
        assert_eq!(read_all(&crash.disk, Path::new("/copy")).unwrap(), b"text");
    }
    assert!(link("/copy").unwrap_err().is_already_exists());

    fs.clear_faults();
    fs.fail(When::operation(Operation::HardLink), Fault::NO_SPACE, Times::Once);
    assert_eq!(link("/other").unwrap_err().kind(), ErrorKind::StorageFull);
    assert!(fs.stat(Path::new("/other")).unwrap_err().is_not_found());
}
