//! `Draft`: a temporary file on its way to a final name.

use std::fmt;
use std::path::PathBuf;

use crate::{File, FileSystem};

/// The temporary file and its way, in whatever step; removes it when dropped too early.
pub(crate) struct Draft<'fs> {
    pub(crate) fs: &'fs dyn FileSystem,
    pub(crate) target: PathBuf,
    pub(crate) temporary: PathBuf,
    pub(crate) file: Box<dyn File>,
    /// Whether the temporary name is no longer ours to remove.
    pub(crate) gone: bool,
}

impl Drop for Draft<'_> {
    fn drop(&mut self) {
        if !self.gone {
            // Where even this fails, the next writer's `remove_temporaries` sees to it.
            let _ = self.fs.remove_file(&self.temporary);
        }
    }
}

impl fmt::Debug for Draft<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft")
            .field("target", &self.target)
            .field("temporary", &self.temporary)
            .finish_non_exhaustive()
    }
}
