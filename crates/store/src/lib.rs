#![doc = include_str!("../README.md")]

mod attachment;
mod config;
mod conversation;
mod error;
mod layout;
mod name;
mod transcript;
mod verify;

pub use attachment::{AttachmentFault, StoredFile};
pub use config::{ChatConfig, ConfigError};
pub use conversation::Conversation;
pub use error::{OpenError, ReadError};
pub use layout::Layout;
pub use name::{BranchName, ConversationId, NameError, NameFault, ViewName};
pub use transcript::Transcript;
pub use verify::{Fault, FaultKind, Verification, verify};
