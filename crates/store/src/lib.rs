#![doc = include_str!("../README.md")]

mod attachment;
mod config;
mod conversation;
mod error;
mod layout;
mod name;
mod quarantine;
mod recovery;
mod remove;
mod session;
mod transcript;
mod verify;

pub use attachment::{AttachmentFault, StoredFile};
pub use config::{ChatConfig, ConfigError};
pub use conversation::Conversation;
pub use convlog_eventlog::{CheckpointPolicy, Clock, Compacted};
pub use error::{OpenError, ReadError};
pub use layout::Layout;
pub use name::{BranchName, ConversationId, NameError, NameFault, ViewName};
pub use recovery::RecoveryReport;
pub use session::{
    AppendError, Changed, CloseError, CompactError, CreateError, CurrentSession, LockError, OpenSessionError, Refusal,
    RewriteError, Session, SessionOptions, SharedSession, SyncError, TraceError, Undone, current,
};
pub use transcript::Transcript;
pub use verify::{Fault, FaultKind, Verification, verify};
