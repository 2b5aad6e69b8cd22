//! One frozen message: [`Message`].

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use thiserror::Error;

use crate::json::Object;
use crate::parts::MessageParts;
use crate::{FileRef, Metadata, Role, Timestamp};

/// One message of a conversation, never changed once made; cloning costs O(1).
///
/// `with_…` methods take the message and give a changed one; keep a clone to have both. Two messages are
/// equal when role and content are, and the hash agrees with that, as in gptme; see
/// [`Message::is_identical`] for a comparison of every field.
///
/// ```
/// use convlog_message::{Message, Role, Timestamp};
///
/// let question = Message::new(Role::User, "What is 6 × 7?", "2026-01-02T03:04:05".parse()?);
/// let pinned = question.clone().with_pinned(true);
/// assert_eq!(question, pinned);
/// assert!(!question.is_identical(&pinned));
/// assert!(!question.pinned());
/// # Ok::<(), convlog_message::ParseTimestampError>(())
/// ```
#[derive(Clone)]
pub struct Message(Arc<MessageParts>);

/// Two messages of different roles cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("a message of role `{first}` cannot be joined with one of role `{second}`")]
pub struct ConcatError {
    /// The role of the first message.
    pub first: Role,
    /// The role of the second.
    pub second: Role,
}

impl Message {
    /// A message with the time handed in; [`Timestamp::now`] is the usual clock.
    #[must_use]
    pub fn new(role: impl Into<Role>, content: impl Into<Arc<str>>, timestamp: Timestamp) -> Self {
        MessageParts::new(role, content, timestamp).into()
    }

    /// Who speaks.
    #[must_use]
    pub fn role(&self) -> &Role {
        &self.0.role
    }

    /// What is said.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.0.content
    }

    /// When; see [`Self::has_recorded_timestamp`].
    #[must_use]
    pub fn timestamp(&self) -> &Timestamp {
        &self.0.timestamp
    }

    /// Whether the time stands in the file. It does not where the line has none that can be read: then
    /// the time is a stand-in (the file's last change), and is not written to the file by reading.
    #[must_use]
    pub fn has_recorded_timestamp(&self) -> bool {
        self.0.timestamp_recorded
    }

    /// The files that belong to the message.
    #[must_use]
    pub fn files(&self) -> &[FileRef] {
        &self.0.files
    }

    /// The stored copies: file reference as given, and the hash of its content.
    #[must_use]
    pub fn file_hashes(&self) -> impl ExactSizeIterator<Item = (&str, &str)> {
        self.0.file_hashes.iter().map(|(file, hash)| (file.as_str(), hash.as_str()))
    }

    /// The hash of the stored copy of a file, when there is one.
    #[must_use]
    pub fn file_hash(&self, file: &FileRef) -> Option<&str> {
        self.file_hashes().find(|(name, _)| *name == file.as_str()).map(|(_, hash)| hash)
    }

    /// Whether it is never left out of what a model gets.
    #[must_use]
    pub fn pinned(&self) -> bool {
        self.0.pinned
    }

    /// Whether it is not shown to the person (a model still gets it).
    #[must_use]
    pub fn hide(&self) -> bool {
        self.0.hide
    }

    /// Whether it is shown to the person only.
    #[must_use]
    pub fn ui_only(&self) -> bool {
        self.0.ui_only
    }

    /// For how many later assistant messages it stays in what a model gets; `None`: for ever.
    #[must_use]
    pub fn ephemeral_ttl(&self) -> Option<i64> {
        self.0.ephemeral_ttl
    }

    /// The tool call that it answers.
    #[must_use]
    pub fn call_id(&self) -> Option<&str> {
        self.0.call_id.as_deref()
    }

    /// What the program noted; empty when there is nothing.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.0.metadata
    }

    /// Members of its line that convlog does not know; they are written back with it.
    #[must_use]
    pub fn extra(&self) -> &Object {
        &self.0.extra
    }

    /// Whether it is not printed when appended. Never stored.
    #[must_use]
    pub fn quiet(&self) -> bool {
        self.0.quiet
    }

    /// What a terminal shows in place of the content when it is appended. Never stored.
    #[must_use]
    pub fn terminal_display_content(&self) -> Option<&str> {
        self.0.terminal_display_content.as_deref()
    }

    /// The exact bytes of the JSON object it was read from, where writing it anew would give other bytes;
    /// gone as soon as a stored field is changed.
    #[must_use]
    pub fn source(&self) -> Option<&[u8]> {
        self.0.source.as_deref()
    }

    /// The same message with another role.
    #[must_use]
    pub fn with_role(self, role: impl Into<Role>) -> Self {
        self.change(|parts| parts.role = role.into())
    }

    /// The same message with another text.
    #[must_use]
    pub fn with_content(self, content: impl Into<Arc<str>>) -> Self {
        self.change(|parts| parts.content = content.into())
    }

    /// The same message at another time.
    #[must_use]
    pub fn with_timestamp(self, timestamp: Timestamp) -> Self {
        self.change(|parts| {
            parts.timestamp = timestamp;
            parts.timestamp_recorded = true;
        })
    }

    /// The same message with other files.
    #[must_use]
    pub fn with_files(self, files: impl IntoIterator<Item = impl Into<FileRef>>) -> Self {
        self.change(|parts| parts.files = files.into_iter().map(Into::into).collect())
    }

    /// The same message with other hashes of stored copies; the last of two for one file counts.
    #[must_use]
    pub fn with_file_hashes<F, H>(self, hashes: impl IntoIterator<Item = (F, H)>) -> Self
    where
        F: Into<String>,
        H: Into<String>,
    {
        let hashes = merge_hashes(Vec::new(), hashes.into_iter().map(|(f, h)| (f.into(), h.into())));
        self.change(|parts| parts.file_hashes = hashes)
    }

    /// The same message, pinned or not.
    #[must_use]
    pub fn with_pinned(self, pinned: bool) -> Self {
        self.change(|parts| parts.pinned = pinned)
    }

    /// The same message, hidden or not.
    #[must_use]
    pub fn with_hide(self, hide: bool) -> Self {
        self.change(|parts| parts.hide = hide)
    }

    /// The same message, for the person only or not.
    #[must_use]
    pub fn with_ui_only(self, ui_only: bool) -> Self {
        self.change(|parts| parts.ui_only = ui_only)
    }

    /// The same message with another life in what a model gets.
    #[must_use]
    pub fn with_ephemeral_ttl(self, ttl: Option<i64>) -> Self {
        self.change(|parts| parts.ephemeral_ttl = ttl)
    }

    /// The same message as the answer to a tool call; an empty text counts as none.
    #[must_use]
    pub fn with_call_id(self, call_id: Option<&str>) -> Self {
        self.change(|parts| parts.call_id = call_id.map(Into::into))
    }

    /// The same message with other metadata.
    #[must_use]
    pub fn with_metadata(self, metadata: Metadata) -> Self {
        self.change(|parts| parts.metadata = metadata)
    }

    /// The same message with other unknown members.
    #[must_use]
    pub fn with_extra(self, extra: Object) -> Self {
        self.change(|parts| parts.extra = extra)
    }

    /// The same message, not printed when appended.
    #[must_use]
    pub fn with_quiet(mut self, quiet: bool) -> Self {
        Arc::make_mut(&mut self.0).quiet = quiet;
        self
    }

    /// The same message with another text for the terminal.
    #[must_use]
    pub fn with_terminal_display_content(mut self, content: Option<&str>) -> Self {
        Arc::make_mut(&mut self.0).terminal_display_content = content.map(Into::into);
        self
    }

    /// Joins two messages of one role: the contents with `separator` between them, the files and hashes
    /// of both (the second's hash for a file that both have), each flag that either has; time, call and
    /// metadata of the first.
    ///
    /// A lasting message stays lasting: the result is ephemeral only when both are, and then for the
    /// shorter time. (gptme lets the whole expire with the ephemeral part.)
    ///
    /// # Errors
    ///
    /// When the roles differ.
    ///
    /// ```
    /// use convlog_message::{Message, Role, Timestamp};
    ///
    /// let now = Timestamp::now();
    /// let joined = Message::new(Role::User, "one", now.clone()).concat(&Message::new(Role::User, "two", now), "\n\n")?;
    /// assert_eq!(joined.content(), "one\n\ntwo");
    /// # Ok::<(), convlog_message::ConcatError>(())
    /// ```
    pub fn concat(&self, other: &Self, separator: &str) -> Result<Self, ConcatError> {
        if self.role() != other.role() {
            return Err(ConcatError { first: self.role().clone(), second: other.role().clone() });
        }
        Ok(self.clone().change(|parts| {
            parts.content = [self.content(), separator, other.content()].concat().into();
            parts.files.extend_from_slice(other.files());
            parts.file_hashes =
                merge_hashes(std::mem::take(&mut parts.file_hashes), other.0.file_hashes.iter().cloned());
            parts.pinned |= other.pinned();
            parts.hide |= other.hide();
            parts.ui_only |= other.ui_only();
            parts.quiet |= other.quiet();
            parts.ephemeral_ttl = self.ephemeral_ttl().zip(other.ephemeral_ttl()).map(|(a, b)| a.min(b));
        }))
    }

    /// Compares every field, those that are never stored included, and times by their exact text.
    #[must_use]
    pub fn is_identical(&self, other: &Self) -> bool {
        self.is_stored_alike(other)
            && self.timestamp() == other.timestamp()
            && self.quiet() == other.quiet()
            && self.terminal_display_content() == other.terminal_display_content()
    }

    /// Compares every field that is stored, times by their exact text; the stand-ins for times that are not
    /// recorded are not compared.
    #[must_use]
    pub fn is_stored_alike(&self, other: &Self) -> bool {
        let (a, b) = (&*self.0, &*other.0);
        Arc::ptr_eq(&self.0, &other.0)
            || (a.role == b.role
                && a.content == b.content
                && a.timestamp_recorded == b.timestamp_recorded
                && (!a.timestamp_recorded || a.timestamp.to_string() == b.timestamp.to_string())
                && a.files == b.files
                && a.file_hashes == b.file_hashes
                && (a.pinned, a.hide, a.ui_only, a.ephemeral_ttl) == (b.pinned, b.hide, b.ui_only, b.ephemeral_ttl)
                && a.call_id == b.call_id
                && a.metadata == b.metadata
                && a.extra == b.extra)
    }

    /// Takes the message apart.
    #[must_use]
    pub fn into_parts(self) -> MessageParts {
        Arc::unwrap_or_clone(self.0)
    }

    /// Changes a stored field: the bytes it was read from no longer stand for it.
    fn change(mut self, edit: impl FnOnce(&mut MessageParts)) -> Self {
        let parts = Arc::make_mut(&mut self.0);
        edit(parts);
        parts.source = None;
        tidy(parts);
        self
    }
}

impl From<MessageParts> for Message {
    fn from(mut parts: MessageParts) -> Self {
        tidy(&mut parts);
        Self(Arc::new(parts))
    }
}

/// An empty call id counts as none.
fn tidy(parts: &mut MessageParts) {
    if parts.call_id.as_deref() == Some("") {
        parts.call_id = None;
    }
}

/// Adds hashes; of two for one file the last counts, at the place of the first.
fn merge_hashes(
    mut hashes: Vec<(String, String)>,
    more: impl IntoIterator<Item = (String, String)>,
) -> Vec<(String, String)> {
    for (file, hash) in more {
        match hashes.iter_mut().find(|(known, _)| *known == file) {
            Some((_, old)) => *old = hash,
            None => hashes.push((file, hash)),
        }
    }
    hashes
}

impl PartialEq for Message {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || (self.role() == other.role() && self.content() == other.content())
    }
}

impl Eq for Message {}

impl Hash for Message {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.role().hash(state);
        self.content().hash(state);
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Message")
            .field("role", self.role())
            .field("content", &self.content())
            .field("timestamp", self.timestamp())
            .finish_non_exhaustive()
    }
}
