//! What POSIX says of names, links, modes and open files, on the real file system and the
//! simulated one alike.
#![allow(clippy::unwrap_used, clippy::indexing_slicing)]

mod common;

use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use common::{World, both, says};
use convlog_fs::{DirSync, FileSystem, Kind, Missing, Open};

const CREATE: Open = Open::ReadWrite(Missing::Create);

/// A call, and what it is to say.
type Case<'a> = (&'a dyn Fn(&World) -> String, &'a str);

/// Runs calls on both file systems and compares what they say.
#[track_caller]
fn check(prepare: impl Fn(&World), cases: &[Case<'_>]) {
    for kind in [World::real, World::simulated] {
        for (number, (case, expected)) in cases.iter().enumerate() {
            let world = kind();
            prepare(&world);
            assert_eq!(case(&world), *expected, "case {number} in {}", world.root.display());
        }
    }
}

fn furnish(world: &World) {
    world.put("file", "text");
    world.put("other", "other");
    world.dir("dir");
    world.put("dir/inner", "inner");
    world.dir("empty");
    for (target, link) in [("file", "to-file"), ("dir", "to-dir"), ("none", "to-none")] {
        world.fs.symlink(Path::new(target), &world.at(link)).unwrap();
    }
    world.fs.symlink(Path::new("loop"), &world.at("loop")).unwrap();
}

fn rename(from: &'static str, to: &'static str) -> impl Fn(&World) -> String {
    move |world| says(&world.fs.rename(&world.at(from), &world.at(to)))
}

fn link(from: &'static str, to: &'static str) -> impl Fn(&World) -> String {
    move |world| says(&world.fs.hard_link(&world.at(from), &world.at(to)))
}

fn open(name: &'static str, how: Open) -> impl Fn(&World) -> String {
    move |world| says(&world.fs.open(&world.at(name), how))
}

#[test]
fn renaming() {
    check(
        furnish,
        &[
            (&rename("file", "new"), "ok"),
            (&rename("file", "other"), "ok"),
            (&rename("file", "file"), "ok"),
            (&rename("none", "new"), "NotFound"),
            (&rename("file", "none/new"), "NotFound"),
            (&rename("file", "other/new"), "NotADirectory"),
            (&rename("file", "empty"), "IsADirectory"),
            (&rename("dir", "file"), "NotADirectory"),
            (&rename("dir", "empty"), "ok"),
            (&rename("empty", "dir"), "DirectoryNotEmpty"),
            (&rename("dir", "dir/sub"), "InvalidInput"),
            (&rename("dir/inner", "dir"), "DirectoryNotEmpty"),
            (&rename("dir/inner", "inner"), "ok"),
            (&rename("to-none", "to-file"), "ok"),
            (&rename("to-dir/inner", "to-dir/moved"), "ok"),
        ],
    );
}

#[test]
fn linking() {
    let links = |world: &World| {
        world.fs.hard_link(&world.at("file"), &world.at("second")).unwrap();
        world.put("second", "changed");
        format!("{} {}", world.fs.stat(&world.at("file")).unwrap().links, world.get("file"))
    };
    let renamed_onto_itself = |world: &World| {
        world.fs.hard_link(&world.at("file"), &world.at("second")).unwrap();
        world.fs.rename(&world.at("file"), &world.at("second")).unwrap();
        format!("{} {}", world.get("file"), world.get("second"))
    };
    let of_a_symlink = |world: &World| {
        world.fs.hard_link(&world.at("to-file"), &world.at("second")).unwrap();
        format!("{:?}", world.fs.lstat(&world.at("second")).unwrap().kind)
    };
    check(
        furnish,
        &[
            (&link("file", "new"), "ok"),
            (&link("none", "new"), "NotFound"),
            (&link("file", "other"), "AlreadyExists"),
            (&link("file", "to-none"), "AlreadyExists"),
            (&link("dir", "new"), "PermissionDenied"),
            (&link("dir", "file"), "AlreadyExists"),
            (&links, "2 changed"),
            (&renamed_onto_itself, "text text"),
            (&of_a_symlink, "Symlink"),
        ],
    );
}

#[test]
fn opening() {
    let through_a_dangling_link = |world: &World| {
        world.fs.open(&world.at("to-none"), CREATE).unwrap().write_all(b"made").unwrap();
        world.get("none")
    };
    check(
        furnish,
        &[
            (&open("file", Open::Read), "ok"),
            (&open("none", Open::Read), "NotFound"),
            (&open("none", Open::Append(Missing::Fail)), "NotFound"),
            (&open("none", Open::ReadWrite(Missing::Fail)), "NotFound"),
            (&open("none", Open::Append(Missing::Create)), "ok"),
            (&open("none/new", CREATE), "NotFound"),
            (&open("file/new", CREATE), "NotADirectory"),
            (&open("dir", Open::Read), "ok"),
            (&open("dir", CREATE), "IsADirectory"),
            (&open("dir", Open::Append(Missing::Fail)), "IsADirectory"),
            (&open("loop", Open::Read), "FilesystemLoop"),
            (&open("file", Open::CREATE_NEW), "AlreadyExists"),
            (&open("dir", Open::CREATE_NEW), "AlreadyExists"),
            (&open("to-none", Open::CREATE_NEW), "AlreadyExists"),
            (&open("to-none", Open::Read), "NotFound"),
            (&through_a_dangling_link, "made"),
            (&|world: &World| open("new", Open::CreateNew { mode: 0o400 })(world), "ok"),
        ],
    );
}

#[test]
fn removing_and_creating() {
    let file = |name: &'static str| move |world: &World| says(&world.fs.remove_file(&world.at(name)));
    let dir = |name: &'static str| move |world: &World| says(&world.fs.remove_dir(&world.at(name)));
    let create = |name: &'static str| move |world: &World| says(&world.fs.create_dir(&world.at(name)));
    check(
        furnish,
        &[
            (&file("file"), "ok"),
            (&file("none"), "NotFound"),
            (&file("dir"), "IsADirectory"),
            (&file("to-dir"), "ok"),
            (&file("to-none"), "ok"),
            (&dir("empty"), "ok"),
            (&dir("dir"), "DirectoryNotEmpty"),
            (&dir("file"), "NotADirectory"),
            (&dir("to-dir"), "NotADirectory"),
            (&dir("none"), "NotFound"),
            (&create("new"), "ok"),
            (&create("file"), "AlreadyExists"),
            (&create("to-none"), "AlreadyExists"),
            (&create("none/new"), "NotFound"),
            (&create("file/new"), "NotADirectory"),
        ],
    );
}

#[test]
fn looking() {
    let resolve = |name: &'static str| {
        move |world: &World| match world.fs.resolve(&world.at(name)) {
            Ok(path) => path.strip_prefix(&world.root).unwrap().display().to_string(),
            error => says(&error),
        }
    };
    let list = |world: &World| {
        let names = world.fs.list(&world.root).unwrap();
        let names = names.iter().map(|entry| entry.name.to_str().unwrap());
        names.collect::<Vec<_>>().join(" ")
    };
    let kind = |name: &'static str| {
        move |world: &World| {
            let (path, fs) = (world.at(name), &world.fs);
            let kind = fs.stat(&path).map(|stat| stat.kind);
            format!("{:?} {:?}", kind.ok(), fs.lstat(&path).map(|stat| stat.kind).ok())
        }
    };
    check(
        furnish,
        &[
            (&resolve("to-file"), "file"),
            (&resolve("to-dir/inner"), "dir/inner"),
            (&resolve("to-dir/../dir/./inner"), "dir/inner"),
            (&resolve("to-none"), "NotFound"),
            (&resolve("loop"), "FilesystemLoop"),
            (&list, "dir empty file loop other to-dir to-file to-none"),
            (&|world: &World| says(&world.fs.list(&world.at("file"))), "NotADirectory"),
            (&|world: &World| says(&world.fs.read_link(&world.at("file"))), "InvalidInput"),
            (&kind("file"), "Some(File) Some(File)"),
            (&kind("to-dir"), "Some(Dir) Some(Symlink)"),
            (&kind("to-none"), "None Some(Symlink)"),
            (&|world: &World| says(&world.fs.sync_dir(&world.at("file"))), "NotADirectory"),
            (&|world: &World| format!("{:?}", world.fs.sync_dir(&world.root).unwrap()), "Synced"),
        ],
    );
}

#[test]
fn new_files_and_directories_are_private_and_modes_follow_links() {
    both(|world| {
        furnish(world);
        let mode = |name: &str| world.fs.stat(&world.at(name)).unwrap().mode;
        assert_eq!((mode("file"), mode("dir")), (0o600, 0o700));
        drop(world.fs.open(&world.at("read-only"), Open::CreateNew { mode: 0o444 }).unwrap());
        drop(world.fs.open(&world.at("group"), Open::CreateNew { mode: 0o666 }).unwrap());
        assert_eq!((mode("read-only"), mode("group")), (0o444, 0o666));
        world.fs.set_mode(&world.at("to-file"), 0o640).unwrap();
        assert_eq!(mode("file"), 0o640);
        let mut file = world.fs.open(&world.at("file"), Open::Read).unwrap();
        file.set_mode(0o400).unwrap();
        assert_eq!(file.stat().unwrap().mode, 0o400);
    });
}

#[test]
fn an_open_file_outlives_its_name() {
    both(|world| {
        world.put("a", "old");
        world.put("b", "new");
        let mut a = world.fs.open(&world.at("a"), Open::ReadWrite(Missing::Fail)).unwrap();
        world.fs.rename(&world.at("b"), &world.at("a")).unwrap();
        let mut text = String::new();
        a.read_to_string(&mut text).unwrap();
        a.write_all(b" and more").unwrap();
        assert_eq!((text.as_str(), a.stat().unwrap().links), ("old", 0));
        assert_eq!(a.stat().unwrap().len, 12);
        assert_eq!(world.get("a"), "new");
    });
}

#[test]
fn positions_appends_and_lengths() {
    both(|world| {
        let path = world.at("a");
        let mut one = world.fs.open(&path, Open::Append(Missing::Create)).unwrap();
        let mut two = world.fs.open(&path, CREATE).unwrap();
        two.write_all(b"12345").unwrap();
        one.seek(SeekFrom::Start(0)).unwrap();
        one.write_all(b"678").unwrap();
        assert_eq!(one.stream_position().unwrap(), 8);
        assert_eq!(two.stream_position().unwrap(), 5);

        two.seek(SeekFrom::End(2)).unwrap();
        two.write_all(b"x").unwrap();
        assert_eq!(world.get("a"), "12345678\0\0x");
        two.set_len(3).unwrap();
        assert_eq!(two.write(b"y").unwrap(), 1);
        two.set_len(13).unwrap();
        assert_eq!(world.get("a"), "123\0\0\0\0\0\0\0\0y\0");

        let mut buffer = [9; 4];
        assert_eq!(two.read_at(&mut buffer, 1).unwrap(), 4);
        assert_eq!(buffer, *b"23\0\0");
        assert_eq!(two.read_at(&mut buffer, 13).unwrap(), 0);
        assert!(two.seek(SeekFrom::Current(-100)).is_err());
    });
}

#[test]
fn what_an_open_file_may_not_do() {
    both(|world| {
        furnish(world);
        let mut reader = world.fs.open(&world.at("file"), Open::Read).unwrap();
        assert!(reader.write(b"x").is_err());
        assert_eq!(says(&reader.set_len(0)), "InvalidInput");
        reader.sync_all().unwrap();
        reader.sync_data().unwrap();
        let mut dir = world.fs.open(&world.at("dir"), Open::Read).unwrap();
        assert_eq!(dir.read(&mut [0]).unwrap_err().kind(), std::io::ErrorKind::IsADirectory);
        assert_eq!(says(&dir.read_at(&mut [0], 0)), "IsADirectory");
        assert_eq!(dir.stat().unwrap().kind, Kind::Dir);
    });
}

#[test]
fn times_and_identity_follow_the_file() {
    both(|world| {
        world.put("a", "text");
        world.put("b", "text");
        let stat = |name: &str| world.fs.stat(&world.at(name)).unwrap();
        let (a, b) = (stat("a"), stat("b"));
        assert_ne!(a.id, b.id);
        assert_eq!(a.id.dev, b.id.dev);
        std::thread::sleep(std::time::Duration::from_millis(20));
        world.fs.rename(&world.at("a"), &world.at("b")).unwrap();
        let moved = stat("b");
        assert_eq!((moved.id, moved.mtime), (a.id, a.mtime));
        assert!(moved.ctime >= a.ctime);
        world.put("b", "more");
        assert!(stat("b").mtime > a.mtime);
        assert_eq!(stat("b").id, a.id);
    });
}

#[test]
fn errors_name_the_operation_and_the_paths() {
    both(|world| {
        let (none, new) = (world.at("none"), world.at("new"));
        let said = world.fs.rename(&none, &new).unwrap_err().to_string();
        let expected = format!("cannot rename {} to {}: ", none.display(), new.display());
        assert!(said.starts_with(&expected), "{said}");
        let said = world.fs.stat(&none).unwrap_err().to_string();
        assert!(said.starts_with("cannot read the metadata of "), "{said}");
    });
}

#[test]
fn a_pointer_to_a_file_system_is_one() {
    let world = World::simulated();
    let shared: std::sync::Arc<dyn FileSystem> = std::sync::Arc::from(world.fs);
    assert_eq!(FileSystem::sync_dir(&shared, Path::new("/root")).unwrap(), DirSync::Synced);
}
