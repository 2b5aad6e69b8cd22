//! What a person can do about an error of the libraries, which know nothing of verbs.

use convlog_store::{
    BacktrackError, BranchError, ForkError, OpenSessionError, ReadError, RestoreError, Transcript, ViewError,
};

const BRANCHES: &str = "`convlog branch ID` lists what there is";
const VIEWS: &str = "`convlog view ID` lists what there is";

/// What to do, where the error itself does not say.
pub(crate) fn remedy(error: &anyhow::Error) -> Option<&'static str> {
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
