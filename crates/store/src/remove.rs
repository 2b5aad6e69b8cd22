//! Removing a directory with all that is in it; links are removed, not followed.

use std::path::Path;

use convlog_fs::{Error, FileSystem, Kind};

/// Removes a directory with all that is in it.
///
/// # Errors
///
/// When something of it cannot be removed; what came before that is gone.
pub fn remove_tree(fs: &dyn FileSystem, path: &Path) -> Result<(), Error> {
    for entry in fs.list(path)? {
        let inner = path.join(&entry.name);
        if entry.kind == Kind::Dir { remove_tree(fs, &inner)? } else { fs.remove_file(&inner)? }
    }
    fs.remove_dir(path)
}
