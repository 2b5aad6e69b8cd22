//! The backup branches of a conversation, as they pile up: [`Backup`].

use convlog_fs::Error;

use crate::session::backup;
use crate::{BranchName, Conversation, Transcript};

/// A branch that an undo, an edit or a recovery left, as its name tells.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Backup {
    /// The branch.
    pub branch: BranchName,
    /// What its name begins with, up to the number: `main-undo`.
    pub group: String,
    /// The number; a higher one is newer.
    pub number: u64,
    /// How many bytes removing it gives back; 0 where its file has another name too.
    pub bytes: u64,
}

impl Conversation {
    /// The backup branches: those whose names are `<log>-<undo|edit|recover>-<n>`, by group, the oldest first.
    ///
    /// # Errors
    ///
    /// When the branches cannot be listed.
    pub fn backups(&self) -> Result<Vec<Backup>, Error> {
        let mut backups = Vec::new();
        for branch in self.branches()? {
            let Some((group, number)) = backup::parts(&branch) else { continue };
            let group = group.to_owned();
            let Ok(stat) = self.stat(&Transcript::Branch(branch.clone())) else { continue };
            let bytes = if stat.links > 1 { 0 } else { stat.len };
            backups.push(Backup { branch, group, number, bytes });
        }
        backups.sort_by(|a, b| (&a.group, a.number).cmp(&(&b.group, b.number)));
        Ok(backups)
    }

    /// The backup branches beyond the newest `keep` of each group.
    ///
    /// # Errors
    ///
    /// As [`Self::backups`].
    pub fn backups_beyond(&self, keep: usize) -> Result<Vec<Backup>, Error> {
        let backups = self.backups()?;
        let groups = backups.chunk_by(|a, b| a.group == b.group);
        Ok(groups.flat_map(|group| group.iter().take(group.len().saturating_sub(keep))).cloned().collect())
    }
}
