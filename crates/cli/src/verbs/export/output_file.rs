//! The file that a document is written to.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use convlog_fs::{ReplaceMode, replace};
use convlog_store::Conversation;

use crate::app::App;

/// Writes the document: a file appears whole, or stays as it was; it is private when it is new. Anything else
/// (a pipe, a device) is written into.
pub(super) fn write(app: &App, conversation: &Conversation, path: &Path, document: &[u8]) -> Result<()> {
    let is_other = fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir());
    if is_other {
        return fs::write(path, document).with_context(|| format!("cannot write {}", path.display()));
    }
    if lies_in(path, conversation.layout().home()) {
        bail!("{} lies in the conversation itself; choose another place", path.display());
    }
    replace(&*app.fs(), path, ReplaceMode::Keep, |out| out.write_all(document))?;
    Ok(())
}

fn lies_in(path: &Path, home: &Path) -> bool {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let place: Option<PathBuf> = path.canonicalize().or_else(|_| parent.canonicalize()).ok();
    place.zip(home.canonicalize().ok()).is_some_and(|(place, home)| place.starts_with(home))
}
