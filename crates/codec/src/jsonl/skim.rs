//! What a list needs of a line, its text not decoded: [`Skim`].

use std::ops::Range;

use convlog_message::{Message, Metadata, Role, Timestamp};

use super::canonical::Canonical;

/// A line that is, byte for byte, what gptme writes; its content checked and not decoded.
#[derive(Clone, Debug)]
pub struct Skim<'a> {
    pub(super) line: &'a [u8],
    /// Where the line begins in the file.
    pub(super) offset: u64,
    pub(super) content: &'a [u8],
    pub(super) role: Role,
    pub(super) timestamp: Timestamp,
    pub(super) metadata: Metadata,
}

impl<'a> Skim<'a> {
    /// Who speaks.
    #[must_use]
    pub fn role(&self) -> &Role {
        &self.role
    }

    /// When.
    #[must_use]
    pub fn timestamp(&self) -> &Timestamp {
        &self.timestamp
    }

    /// What the program noted.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The JSON object that the line is.
    #[must_use]
    pub fn line(&self) -> &'a [u8] {
        self.line
    }

    /// Its bytes in the file, the newline left out.
    #[must_use]
    pub fn span(&self) -> Range<u64> {
        self.offset..self.offset.saturating_add(self.line.len() as u64)
    }

    /// What is said, as it stands in the file: escapes are escapes.
    #[must_use]
    pub fn raw_content(&self) -> &'a [u8] {
        self.content
    }

    /// The message, decoded after all.
    #[must_use]
    pub fn message(&self) -> Option<Message> {
        Canonical::default().decode(self.line)
    }
}
