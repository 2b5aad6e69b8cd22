//! Locks of open files, on the real file system and the simulated one alike.
#![allow(clippy::unwrap_used)]

mod common;

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use common::{World, both};
use convlog_fs::sim::SimFs;
use convlog_fs::{File, FileSystem, Locked, Missing, Open};

fn open(world: &World) -> Box<dyn File> {
    world.fs.open(&world.at("lock"), Open::ReadWrite(Missing::Create)).unwrap()
}

#[test]
fn two_openings_exclude_each_other() {
    both(|world| {
        let (one, two) = (open(world), open(world));
        assert_eq!(one.try_lock().unwrap(), Locked::Acquired);
        assert_eq!(one.try_lock().unwrap(), Locked::Acquired);
        assert_eq!(two.try_lock().unwrap(), Locked::Held);

        two.unlock().unwrap();
        assert_eq!(two.try_lock().unwrap(), Locked::Held, "only the holder gives it back");
        one.unlock().unwrap();
        assert_eq!(two.try_lock().unwrap(), Locked::Acquired);
    });
}

#[test]
fn closing_gives_the_lock_back() {
    both(|world| {
        let (one, two) = (open(world), open(world));
        one.lock().unwrap();
        drop(one);
        assert_eq!(two.try_lock().unwrap(), Locked::Acquired);
    });
}

#[test]
fn the_lock_belongs_to_the_file_and_not_to_its_name() {
    both(|world| {
        let one = open(world);
        one.lock().unwrap();
        world.fs.remove_file(&world.at("lock")).unwrap();
        let two = open(world);
        assert_eq!(two.try_lock().unwrap(), Locked::Acquired);
        assert_ne!(one.stat().unwrap().id, two.stat().unwrap().id);
    });
}

#[test]
fn waiting_ends_when_the_holder_closes() {
    both(|world| {
        let (one, two) = (open(world), open(world));
        one.lock().unwrap();
        let (send, receive) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                two.lock().unwrap();
                send.send(()).unwrap();
            });
            assert!(receive.recv_timeout(Duration::from_millis(50)).is_err());
            drop(one);
            receive.recv_timeout(Duration::from_secs(10)).unwrap();
        });
    });
}

#[test]
fn a_simulated_process_that_waits_for_itself_is_told() {
    let world = World::simulated();
    let (one, two) = (open(&world), open(&world));
    one.lock().unwrap();
    assert_eq!(two.lock().unwrap_err().kind(), std::io::ErrorKind::Deadlock);
}

#[test]
fn locks_die_with_the_process() {
    let fs = SimFs::new();
    let path = std::path::Path::new("/lock");
    let held = fs.open(path, Open::CREATE_NEW).unwrap();
    held.lock().unwrap();
    let after = fs.kill();
    let lock = after.open(path, Open::Read).unwrap();
    assert_eq!(lock.try_lock().unwrap(), Locked::Acquired);
}
