//! What a person is told of an error: each cause once, and what can be done, since the libraries know nothing of verbs.

use std::path::Path;
use std::sync::Arc;

use convlog_fs::RealFs;
use convlog_query::{DeleteError, LogsDir, LookupError, RenameError};
use convlog_store::{
    BacktrackError, BranchError, ForkError, OpenError, OpenSessionError, ReadError, RestoreError, Transcript, ViewError,
};

const BRANCHES: &str = "`convlog branch ID` lists what there is";
const VIEWS: &str = "`convlog view ID` lists what there is";

/// What an error and its causes say, each thing once, and what to do.
pub(crate) fn told(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Most errors say what caused them.
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    let remedy = missing(error).map(whole_id).or_else(|| remedy(error).map(str::to_owned));
    match remedy {
        Some(remedy) => format!("{text}; {remedy}"),
        None => text,
    }
}

/// The path where there is no conversation, when that is what is wrong.
fn missing(error: &anyhow::Error) -> Option<&Path> {
    let opening = error
        .downcast_ref()
        .or_else(|| match error.downcast_ref()? {
            OpenSessionError::Open(error) => Some(error),
            _ => None,
        })
        .or_else(|| match error.downcast_ref()? {
            RenameError::Open(error) => Some(error),
            _ => None,
        })
        .or_else(|| match error.downcast_ref()? {
            DeleteError::Open(error) => Some(error),
            _ => None,
        })
        .or_else(|| match error.downcast_ref()? {
            LookupError::Open(error) => Some(error),
            _ => None,
        });
    match opening? {
        OpenError::NotFound { path } => Some(path),
        _ => None,
    }
}

/// Who typed the beginning of an id, which is enough for reading only, is told the whole of it.
fn whole_id(path: &Path) -> String {
    let meant = || {
        let (logs, begun) = (path.parent()?, path.file_name()?.to_str()?);
        let found = LogsDir::new(Arc::new(RealFs), logs).find(begun).ok()?;
        Some(found.layout().home().file_name()?.to_string_lossy().into_owned())
    };
    match meant() {
        Some(id) => format!("what writes wants a whole id, is {id} meant?"),
        None => "`convlog list` shows what there is, `convlog append ID --create` makes one".to_owned(),
    }
}

/// What to do, where the error itself does not say.
fn remedy(error: &anyhow::Error) -> Option<&'static str> {
    let reading = error.downcast_ref().or_else(|| match error.downcast_ref()? {
        OpenSessionError::Read(error) => Some(error),
        _ => None,
    });
    let reading = reading.or_else(|| match error.downcast_ref()? {
        RestoreError::Read(error) => Some(error),
        _ => None,
    });
    match reading {
        Some(ReadError::NotFound { which: Transcript::Branch(_), .. }) => return Some(BRANCHES),
        Some(ReadError::NotFound { which: Transcript::View(_), .. }) => return Some(VIEWS),
        _ => {}
    }
    match error.downcast_ref() {
        Some(BranchError::Exists { .. }) => return Some("choose another name, or remove that one with `--delete`"),
        Some(BranchError::NotFound { .. }) => return Some(BRANCHES),
        _ => {}
    }
    match error.downcast_ref() {
        Some(ViewError::Exists { .. }) => return Some("choose another name, or remove that one with `--delete`"),
        Some(ViewError::NotFound { .. }) => return Some(VIEWS),
        Some(ViewError::Active { .. }) => return Some("`convlog view ID --main` does"),
        _ => {}
    }
    if let Some(ForkError::Exists { .. } | ForkError::Inside { .. }) = error.downcast_ref() {
        return Some("choose another id");
    }
    if let Some(BacktrackError::Unknown { .. }) = error.downcast_ref() {
        return Some("`convlog marks ID` lists what there is");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context as _;

    #[test]
    fn each_cause_is_told_once() {
        let parse = || "x".parse::<u8>().context("no number");
        assert_eq!(told(&parse().unwrap_err()), "no number: invalid digit found in string");
        let said = parse().context("cannot count (no number)").unwrap_err();
        assert_eq!(told(&said), "cannot count (no number): invalid digit found in string");
        let label = "here".to_owned();
        let unknown = anyhow::Error::from(BacktrackError::Unknown { label });
        assert_eq!(told(&unknown), "there is no bookmark \"here\"; `convlog marks ID` lists what there is");
    }
}
