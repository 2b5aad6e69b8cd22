//! [`Step`]: one step of a history of all that a conversation holds.

/// One step of a history. One that cannot be done, as there is no view to go to, does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A message, that survives a kill.
    Append,
    /// A message, that survives a loss of power.
    AppendSynced,
    /// A message with a file.
    Attach,
    /// The last message is removed.
    Undo,
    /// The command `/undo`, and what it asks for.
    SlashUndo,
    /// The last message is replaced.
    Edit,
    /// A new view.
    ViewCreate,
    /// To the newest view.
    ViewSwitch,
    /// Back to main.
    ViewLeave,
    /// The newest view is removed.
    ViewDelete,
    /// A new branch.
    BranchCreate,
    /// From main to the newest branch, or back.
    BranchSwitch,
    /// The newest branch is removed.
    BranchDelete,
    /// Main becomes what the newest branch is.
    Restore,
    /// `lossless.jsonl` is begun.
    Preserve,
    /// A bookmark.
    Mark,
    /// A checkpoint, and all before it dropped.
    Compact,
    /// A copy under another id.
    Fork,
    /// The session is closed.
    Close,
    /// The process dies; the next step opens again.
    Kill,
    /// The power goes, and nothing that was not synced is left.
    PowerLoss,
    /// The session is closed, and gptme appends a message to what is active.
    GptmeAppends,
    /// The session is closed, and gptme writes a checkpoint of what is active, be it a view.
    GptmeCheckpoints,
}

/// Every step.
pub(super) const STEPS: [Step; 23] = [
    Step::Append,
    Step::AppendSynced,
    Step::Attach,
    Step::Undo,
    Step::SlashUndo,
    Step::Edit,
    Step::ViewCreate,
    Step::ViewSwitch,
    Step::ViewLeave,
    Step::ViewDelete,
    Step::BranchCreate,
    Step::BranchSwitch,
    Step::BranchDelete,
    Step::Restore,
    Step::Preserve,
    Step::Mark,
    Step::Compact,
    Step::Fork,
    Step::Close,
    Step::Kill,
    Step::PowerLoss,
    Step::GptmeAppends,
    Step::GptmeCheckpoints,
];

/// The operations of which every sequence is tried: convlog's own, and closing (the next one opens again).
pub const OPERATIONS: [Step; 14] = [
    Step::Append,
    Step::AppendSynced,
    Step::Undo,
    Step::SlashUndo,
    Step::Edit,
    Step::BranchCreate,
    Step::BranchSwitch,
    Step::ViewCreate,
    Step::ViewSwitch,
    Step::ViewLeave,
    Step::Attach,
    Step::Fork,
    Step::Close,
    Step::Compact,
];

impl Step {
    /// Whether the process ends, in one way or another.
    pub(super) const fn is_end(self) -> bool {
        matches!(self, Self::Close | Self::Kill | Self::PowerLoss)
    }

    /// Whether another program takes it.
    #[must_use]
    pub const fn is_foreign(self) -> bool {
        matches!(self, Self::GptmeAppends | Self::GptmeCheckpoints)
    }
}
