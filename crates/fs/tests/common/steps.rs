//! Random operations on a file system.

use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use convlog_fs::{File, Missing, Open, read_all};
use proptest::prelude::*;

use super::{World, says};

const NAMES: [&str; 9] = ["a", "b", "c", "d", "d/a", "d/b", "d/e", "d/e/a", "c/a"];

/// An operation on one of a few names, or on the file opened last.
#[derive(Clone, Debug)]
pub enum Step {
    Open(usize, Open),
    Close,
    Write(Vec<u8>),
    Seek(u64),
    SetLen(u64),
    Read(usize),
    CreateDir(usize),
    Rename(usize, usize),
    HardLink(usize, usize),
    Symlink(usize, usize),
    RemoveFile(usize),
    RemoveDir(usize),
    SetMode(usize, u32),
    Resolve(usize),
    SyncDir(usize),
    Links(usize),
}

pub fn step() -> impl Strategy<Value = Step> {
    let name = || 0..NAMES.len();
    let missing = || prop_oneof![Just(Missing::Fail), Just(Missing::Create)];
    let how = prop_oneof![
        Just(Open::Read),
        missing().prop_map(Open::Append),
        missing().prop_map(Open::ReadWrite),
        prop_oneof![Just(0o600), Just(0o644)].prop_map(|mode| Open::CreateNew { mode }),
    ];
    prop_oneof![
        4 => (name(), how).prop_map(|(name, how)| Step::Open(name, how)),
        1 => Just(Step::Close),
        4 => prop::collection::vec(b'a'..=b'z', 0..6).prop_map(Step::Write),
        1 => (0..12_u64).prop_map(Step::Seek),
        1 => (0..12_u64).prop_map(Step::SetLen),
        1 => name().prop_map(Step::Read),
        3 => name().prop_map(Step::CreateDir),
        4 => (name(), name()).prop_map(|(from, to)| Step::Rename(from, to)),
        2 => (name(), name()).prop_map(|(from, to)| Step::HardLink(from, to)),
        2 => (name(), name()).prop_map(|(target, link)| Step::Symlink(target, link)),
        2 => name().prop_map(Step::RemoveFile),
        1 => name().prop_map(Step::RemoveDir),
        1 => (name(), 0o600..=0o777_u32).prop_map(|(name, mode)| Step::SetMode(name, mode)),
        1 => name().prop_map(Step::Resolve),
        1 => name().prop_map(Step::SyncDir),
        1 => name().prop_map(Step::Links),
    ]
}

/// Does a step and says what came of it.
pub fn run(world: &World, file: &mut Option<Box<dyn File>>, step: &Step) -> String {
    let fs = &world.fs;
    let at = |name: &usize| world.at(NAMES[*name]);
    match step {
        Step::Open(name, how) => {
            let opened = fs.open(&at(name), *how);
            let said = says(&opened);
            if let Ok(opened) = opened {
                *file = Some(opened);
            }
            said
        }
        Step::Close => {
            *file = None;
            String::new()
        }
        Step::Write(bytes) => match file {
            Some(file) => format!("{:?}", file.write(bytes).map_err(|error| error.kind())),
            None => String::new(),
        },
        Step::Seek(to) => match file {
            Some(file) => format!("{:?}", file.seek(SeekFrom::Start(*to)).ok()),
            None => String::new(),
        },
        Step::SetLen(len) => match file {
            Some(file) => says(&file.set_len(*len)),
            None => String::new(),
        },
        Step::Read(name) => match read_all(&**fs, &at(name)) {
            Ok(bytes) => format!("{bytes:?}"),
            error => says(&error),
        },
        Step::CreateDir(name) => says(&fs.create_dir(&at(name))),
        Step::Rename(from, to) => says(&fs.rename(&at(from), &at(to))),
        Step::HardLink(from, to) => says(&fs.hard_link(&at(from), &at(to))),
        Step::Symlink(target, link) => says(&fs.symlink(Path::new(NAMES[*target]), &at(link))),
        Step::RemoveFile(name) => says(&fs.remove_file(&at(name))),
        Step::RemoveDir(name) => says(&fs.remove_dir(&at(name))),
        Step::SetMode(name, mode) => says(&fs.set_mode(&at(name), *mode)),
        Step::Resolve(name) => match fs.resolve(&at(name)) {
            Ok(path) => path.strip_prefix(&world.root).unwrap().display().to_string(),
            error => says(&error),
        },
        Step::SyncDir(name) => says(&fs.sync_dir(&at(name))),
        Step::Links(name) => match fs.lstat(&at(name)) {
            Ok(stat) if stat.kind == convlog_fs::Kind::Dir => String::new(),
            Ok(stat) => format!("{} {}", stat.links, stat.len),
            error => says(&error),
        },
    }
}
