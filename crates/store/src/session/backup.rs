//! Backup branches: what an undo, an edit or a recovery replaced.

use std::path::PathBuf;

use convlog_fs::{Error, FileSystem};

use crate::{BranchName, Layout, Transcript};

/// Why a backup is made; part of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    Undo,
    Edit,
    Recover,
}

impl Reason {
    const fn word(self) -> &'static str {
        match self {
            Self::Undo => "undo",
            Self::Edit => "edit",
            Self::Recover => "recover",
        }
    }
}

/// The next name for a backup, `<branch>-<reason>-<n>`: `n` is one above the highest ever used, whether a
/// transcript or an event directory bears it.
pub(crate) fn next_name(
    fs: &dyn FileSystem,
    layout: &Layout,
    which: &Transcript,
    reason: Reason,
) -> Result<(BranchName, PathBuf), Error> {
    let branch = match which {
        Transcript::Branch(name) => name.as_str(),
        _ => "main",
    };
    let prefix = format!("{branch}-{}-", reason.word());
    let entries = match fs.list(&layout.branches()) {
        Ok(entries) => entries,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let numbers = entries.iter().filter_map(|entry| {
        let name = entry.name.to_str()?;
        let number = name.strip_suffix(".jsonl").unwrap_or(name).strip_prefix(&prefix)?;
        let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
        is_number.then(|| number.parse::<u64>().ok()).flatten()
    });
    let next = numbers.max().map_or(0, |highest| highest.saturating_add(1));
    // A branch's name leaves room for this; one that does not fails when the file is made.
    let name = format!("{prefix}{next}");
    let name = name.parse::<BranchName>().map_err(|error| {
        let cause = std::io::Error::new(std::io::ErrorKind::InvalidFilename, error);
        Error::new(convlog_fs::Operation::Open, layout.branches().join(&name), cause)
    })?;
    let path = layout.transcript(&Transcript::Branch(name.clone()));
    Ok((name, path))
}
