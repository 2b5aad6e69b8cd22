//! A directory of the real file system or of a simulated one, for tests that run on both.
#![allow(unreachable_pub)]
#![allow(dead_code, clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

pub mod steps;

use std::io::Write;
use std::path::{Path, PathBuf};

use convlog_fs::sim::{SimFs, Tree};
use convlog_fs::{FileSystem, Missing, Open, RealFs, Result};
use tempfile::TempDir;

/// A file system and the directory in it that a test may use.
pub struct World {
    pub fs: Box<dyn FileSystem>,
    pub root: PathBuf,
    _temporary: Option<TempDir>,
}

impl World {
    pub fn real() -> Self {
        let temporary = TempDir::new().unwrap();
        let root = temporary.path().canonicalize().unwrap();
        Self { fs: Box::new(RealFs), root, _temporary: Some(temporary) }
    }

    pub fn simulated() -> Self {
        let fs = SimFs::new();
        fs.create_dir(Path::new("/root")).unwrap();
        Self { fs: Box::new(fs), root: "/root".into(), _temporary: None }
    }

    pub fn on(fs: impl FileSystem + 'static, root: PathBuf) -> Self {
        Self { fs: Box::new(fs), root, _temporary: None }
    }

    pub fn at(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// Makes a file with a content.
    pub fn put(&self, name: &str, bytes: &str) {
        put(&*self.fs, &self.at(name), bytes);
    }

    pub fn dir(&self, name: &str) {
        self.fs.create_dir(&self.at(name)).unwrap();
    }

    pub fn get(&self, name: &str) -> String {
        match convlog_fs::read_all(&*self.fs, &self.at(name)) {
            Ok(bytes) => String::from_utf8(bytes).unwrap(),
            Err(error) => says::<()>(&Err(error)),
        }
    }

    pub fn tree(&self) -> Tree {
        Tree::read(&*self.fs, &self.root).unwrap()
    }
}

/// Runs a check on the real file system and on the simulated one.
pub fn both(check: impl Fn(&World)) {
    check(&World::real());
    check(&World::simulated());
}

/// `ok`, or the kind and number of the error.
pub fn says<T>(result: &Result<T>) -> String {
    match result {
        Ok(_) => "ok".into(),
        Err(error) => format!("{:?}", error.kind()),
    }
}

pub fn put(fs: &dyn FileSystem, path: &Path, bytes: &str) {
    let mut file = fs.open(path, Open::ReadWrite(Missing::Create)).unwrap();
    file.set_len(0).unwrap();
    file.write_all(bytes.as_bytes()).unwrap();
}

/// Makes a file that survives power loss.
pub fn put_durable(fs: &SimFs, path: &str, bytes: &str) {
    let path = Path::new(path);
    put(fs, path, bytes);
    fs.open(path, Open::Read).unwrap().sync_all().unwrap();
    let _ = fs.sync_dir(path.parent().unwrap()).unwrap();
}
