//! The corpus: the files under `fuzz/corpus/`, and what the fixtures hold.

use std::fs;
use std::path::{Path, PathBuf};

use super::Target;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every input to begin with, in the order of their paths.
#[must_use]
pub fn inputs(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let of_fixtures = match target {
        Target::Transcript => Some("conversation.jsonl"),
        Target::Events | Target::Directory => Some("events.jsonl"),
        Target::Toml | Target::Codeblocks => None,
    };
    let mut paths = files(&root().join("fuzz/corpus").join(target.to_string()));
    if let Some(name) = of_fixtures {
        let all = files(&root().join("fixtures"));
        paths.extend(all.into_iter().filter(|path| path.file_name().is_some_and(|found| found == name)));
    }
    paths.into_iter().map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

/// All files below a directory, sorted; none when it is missing.
fn files(directory: &Path) -> Vec<PathBuf> {
    let (mut found, mut ahead) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(directory) = ahead.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().map(Result::unwrap) {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                ahead.push(entry.path());
            } else if kind.is_file() {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    found
}
