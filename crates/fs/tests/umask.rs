//! Modes of what the real file system makes, under an umask that lets everything or nothing by.
//!
//! The umask belongs to the process, so this file holds one test.
#![allow(clippy::unwrap_used)]

mod common;

use common::World;
use convlog_fs::{Missing, Open, ReplaceMode, replace};
use rustix::fs::Mode;

#[test]
fn modes_are_exact_whatever_the_umask() {
    let world = World::real();
    for umask in [0o000, 0o022, 0o777] {
        rustix::process::umask(Mode::from_raw_mode(umask));
        let name = |kind: &str| world.at(&format!("{kind}-{umask}"));
        let mode = |kind: &str| world.fs.stat(&name(kind)).unwrap().mode;
        world.fs.open(&name("append"), Open::Append(Missing::Create)).unwrap();
        world.fs.open(&name("write"), Open::ReadWrite(Missing::Create)).unwrap();
        world.fs.open(&name("new"), Open::CreateNew { mode: 0o640 }).unwrap();
        world.fs.create_dir(&name("dir")).unwrap();
        replace(&*world.fs, &name("replaced"), ReplaceMode::Keep, |_| Ok(())).unwrap();
        assert_eq!(
            ["append", "write", "new", "dir", "replaced"].map(mode),
            [0o600, 0o600, 0o640, 0o700, 0o600],
            "umask {umask:o}"
        );
    }
}
