#![doc = include_str!("../README.md")]

mod attachment;
mod backups;
mod bookmark;
mod config;
mod conversation;
mod diff;
mod error;
mod hold;
mod layout;
mod name;
mod quarantine;
mod recovery;
mod remove;
mod session;
mod transcript;
mod verify;

pub use attachment::{AttachmentFault, CaptureFault, StoredFile, Uncaptured};
pub use backups::Backup;
pub use bookmark::{Bookmark, Bookmarks};
pub use config::{ChatConfig, ConfigError, WrittenConfig};
pub use conversation::Conversation;
pub use convlog_eventlog::{CheckpointPolicy, Clock, Compacted};
pub use diff::Diff;
pub use error::{OpenError, ReadError};
pub use hold::{Hold, set_name};
pub use layout::Layout;
pub use name::{BranchName, ConversationId, NameError, NameFault, ViewName};
pub use recovery::RecoveryReport;
pub use remove::remove_tree;
pub use session::{
    AppendError, Appended, Appender, BacktrackError, Backtracked, BranchError, Changed, CloseError, CompactError,
    CreateError, CurrentSession, Draft, DraftError, Edited, ForkError, Forked, LockError, MarkError, OpenSessionError,
    Refusal, RestoreError, Rewind, RewriteError, Session, SessionOptions, SharedSession, SwitchError, SyncError,
    TraceError, Undone, ViewError, current,
};
pub use transcript::Transcript;
pub use verify::{Fault, FaultKind, Verification, verify};
