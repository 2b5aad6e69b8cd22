//! Backup branches: what an undo, an edit or a recovery replaced.

use std::path::PathBuf;

use convlog_fs::{Error, File, FileSystem, Kind, Open, ends_in_newline, read_full_at};

use crate::{BranchName, Layout, Transcript};

/// How much is compared at a time.
const BLOCK: usize = 256 << 10;

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
    let prefix = prefix(which, reason);
    let next = highest(fs, layout, &prefix)?.map_or(0, |highest| highest.saturating_add(1));
    // A branch's name leaves room for this; one that does not fails when the file is made.
    let name = format!("{prefix}{next}");
    let name = name.parse::<BranchName>().map_err(|error| {
        let cause = std::io::Error::new(std::io::ErrorKind::InvalidFilename, error);
        Error::new(convlog_fs::Operation::Open, layout.branches().join(&name), cause)
    })?;
    let path = layout.transcript(&Transcript::Branch(name.clone()));
    Ok((name, path))
}

/// The newest backup of this kind, when it begins with all that a transcript holds: nothing would be lost without
/// another one. Durable when this returns.
pub(crate) fn that_holds(
    fs: &dyn FileSystem,
    layout: &Layout,
    which: &Transcript,
    reason: Reason,
) -> Result<Option<BranchName>, Error> {
    let prefix = prefix(which, reason);
    let newest =
        highest(fs, layout, &prefix)?.and_then(|number| format!("{prefix}{number}").parse::<BranchName>().ok());
    let Some(newest) = newest else { return Ok(None) };
    let path = layout.transcript(&Transcript::Branch(newest.clone()));
    let (mut backup, transcript) = match (fs.stat(&path), fs.open(&layout.transcript(which), Open::Read)) {
        (Ok(stat), Ok(transcript)) if stat.kind == Kind::File => (fs.open(&path, Open::Read)?, transcript),
        _ => return Ok(None),
    };
    if !ends_in_newline(&*transcript)? || !begins_with(&*backup, &*transcript)? {
        return Ok(None);
    }
    // It may have been made by a session that was killed.
    backup.sync_all()?;
    let _ = fs.sync_dir(&layout.branches())?;
    Ok(Some(newest))
}

/// Whether a file begins with all that another holds.
fn begins_with(file: &dyn File, beginning: &dyn File) -> Result<bool, Error> {
    let (mut ours, mut theirs) = (vec![0; BLOCK], vec![0; BLOCK]);
    let mut at = 0_u64;
    loop {
        let read = read_full_at(beginning, &mut ours, at)?;
        let other = read_full_at(file, &mut theirs, at)?;
        let (ours, theirs) = (ours.get(..read).unwrap_or_default(), theirs.get(..other).unwrap_or_default());
        if !theirs.starts_with(ours) {
            return Ok(false);
        }
        if read < BLOCK {
            return Ok(true);
        }
        at = at.saturating_add(read as u64);
    }
}

/// What the names of backups begin with.
fn prefix(which: &Transcript, reason: Reason) -> String {
    let branch = match which {
        Transcript::Branch(name) => name.as_str(),
        Transcript::View(name) => name.as_str(),
        Transcript::Main | Transcript::Lossless => "main",
    };
    format!("{branch}-{}-", reason.word())
}

/// The highest number behind a prefix, in the name of a transcript or of an event directory.
fn highest(fs: &dyn FileSystem, layout: &Layout, prefix: &str) -> Result<Option<u64>, Error> {
    let entries = match fs.list(&layout.branches()) {
        Ok(entries) => entries,
        Err(error) if error.is_not_found() => Vec::new(),
        Err(error) => return Err(error),
    };
    let numbers = entries.iter().filter_map(|entry| {
        let name = entry.name.to_str()?;
        number(name.strip_suffix(".jsonl").unwrap_or(name).strip_prefix(prefix)?)
    });
    Ok(numbers.max())
}

fn number(digits: &str) -> Option<u64> {
    let is_number = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

/// What a branch is a backup of, as its name tells: what its name begins with, up to the number, and the number.
pub(crate) fn parts(name: &BranchName) -> Option<(&str, u64)> {
    let (group, digits) = name.as_str().rsplit_once('-')?;
    let (of, reason) = group.rsplit_once('-')?;
    let is_reason = [Reason::Undo, Reason::Edit, Reason::Recover].iter().any(|known| known.word() == reason);
    Some((group, number(digits)?)).filter(|_| is_reason && !of.is_empty())
}
