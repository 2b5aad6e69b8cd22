//! The option `--branch`, which most verbs take.

use convlog_store::{BranchName, SessionOptions, Transcript};

/// Which branch a verb acts on.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct OnBranch {
    /// Take this branch; `main` is the same as none
    #[arg(long, value_name = "BRANCH")]
    branch: Option<BranchName>,
}

impl OnBranch {
    /// The branch, unless it is main.
    pub(crate) fn name(&self) -> Option<&BranchName> {
        self.branch.as_ref().filter(|branch| branch.as_str() != "main")
    }

    /// The branch's log, or main's.
    pub(crate) fn transcript(&self) -> Transcript {
        transcript(self.branch.as_ref())
    }

    /// How a session on it is opened.
    pub(crate) fn session(&self) -> SessionOptions {
        let options = SessionOptions::default();
        self.name().cloned().map_or_else(SessionOptions::default, |branch| options.on_branch(branch))
    }
}

impl From<Option<BranchName>> for OnBranch {
    fn from(branch: Option<BranchName>) -> Self {
        Self { branch }
    }
}

/// The log of a branch; without one, or of `main`, main's.
pub(crate) fn transcript(branch: Option<&BranchName>) -> Transcript {
    let branch = branch.filter(|branch| branch.as_str() != "main");
    branch.cloned().map_or(Transcript::Main, Transcript::Branch)
}
