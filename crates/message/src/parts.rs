//! A message taken apart: [`MessageParts`], with every field open.

use std::sync::Arc;

use crate::json::Object;
use crate::{FileRef, Metadata, Role, Timestamp};

/// Every field of a message, to build one from or to take one apart.
///
/// Most programs need [`Message::new`](crate::Message::new) and its `with_…` methods only; a reader of
/// files fills the parts directly.
///
/// ```
/// use convlog_message::{Message, MessageParts, Role, Timestamp};
///
/// let mut parts = MessageParts::new(Role::User, "hi", Timestamp::now());
/// parts.pinned = true;
/// assert!(Message::from(parts).pinned());
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct MessageParts {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: Arc<str>,
    /// When.
    pub timestamp: Timestamp,
    /// Whether the time stands in the file, rather than being a stand-in for a missing one.
    pub timestamp_recorded: bool,
    /// Files that belong to the message.
    pub files: Vec<FileRef>,
    /// For files whose content was stored: the reference as given, and the hash of the stored copy.
    pub file_hashes: Vec<(String, String)>,
    /// Never left out of what a model gets.
    pub pinned: bool,
    /// Not shown to the person; sent to the model.
    pub hide: bool,
    /// Shown to the person; never sent to the model.
    pub ui_only: bool,
    /// For how many later assistant messages it is kept in what a model gets; `None`: for ever.
    pub ephemeral_ttl: Option<i64>,
    /// The tool call that it answers. Never an empty text.
    pub call_id: Option<Arc<str>>,
    /// What the program noted.
    pub metadata: Metadata,
    /// Members of the line that convlog does not know, kept and written back.
    pub extra: Object,
    /// Not printed when appended. Never stored.
    pub quiet: bool,
    /// What a terminal shows in place of the content when the message is appended. Never stored.
    pub terminal_display_content: Option<Arc<str>>,
    /// The exact bytes of the JSON object it was read from, where writing it anew would give others.
    pub source: Option<Arc<[u8]>>,
}

impl MessageParts {
    /// The three fields that every message has; the others are empty.
    #[must_use]
    pub fn new(role: impl Into<Role>, content: impl Into<Arc<str>>, timestamp: Timestamp) -> Self {
        Self {
            role: role.into(),
            content: content.into(),
            timestamp,
            timestamp_recorded: true,
            files: Vec::new(),
            file_hashes: Vec::new(),
            pinned: false,
            hide: false,
            ui_only: false,
            ephemeral_ttl: None,
            call_id: None,
            metadata: Metadata::new(),
            extra: Object::new(),
            quiet: false,
            terminal_display_content: None,
            source: None,
        }
    }
}
