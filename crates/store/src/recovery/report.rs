//! What a recovery did, or would do: [`RecoveryReport`].

use std::fmt;

use crate::BranchName;

/// What opening a conversation did, or would do, to heal what a crash or another program left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecoveryReport {
    /// How many lines were put back into the transcript from the event log.
    pub put_back: u64,
    /// Whether the transcript was missing and was made from the event log.
    pub rebuilt: bool,
    /// The branches that keep what the event log held beyond the transcript, and how many messages that is.
    pub backups: Vec<(BranchName, usize)>,
    /// How many messages the event log holds beyond the transcript, for each branch that would keep them.
    /// Set instead of [`Self::backups`] where nothing is changed.
    pub beyond: Vec<usize>,
    /// Whether the transcript is written anew.
    pub rewritten: bool,
    /// Whether the event log is written anew, as one checkpoint.
    pub checkpointed: bool,
    /// Whether there was no event log.
    pub log_started: bool,
    /// How many lines, or parts of lines, that cannot be read are moved to `<file>.quarantine`.
    pub quarantined: usize,
}

impl RecoveryReport {
    /// Whether nothing had to be brought back or put away: routine notes in the logs do not count.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.put_back == 0
            && !self.rebuilt
            && self.backups.is_empty()
            && self.beyond.is_empty()
            && self.quarantined == 0
    }
}

impl fmt::Display for RecoveryReport {
    /// One clause for each thing that was done.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut clauses = Vec::new();
        if self.rebuilt {
            clauses.push("the transcript was missing and is made from the event log".to_owned());
        }
        if self.put_back > 0 {
            clauses.push(format!("{} put back into the transcript from the event log", lines(self.put_back)));
        }
        for (branch, messages) in &self.backups {
            clauses
                .push(format!("what only the event log held ({messages} messages in all) is kept in branch {branch}"));
        }
        for messages in &self.beyond {
            clauses.push(format!("the event log holds more than the transcript ({messages} messages in all)"));
        }
        if self.quarantined > 0 {
            clauses.push(format!("{} that cannot be read moved to quarantine", lines(self.quarantined as u64)));
        }
        if clauses.is_empty() {
            return f.write_str("nothing to recover");
        }
        f.write_str(&clauses.join("; "))
    }
}

fn lines(count: u64) -> String {
    if count == 1 { "1 line".to_owned() } else { format!("{count} lines") }
}
