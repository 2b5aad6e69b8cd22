//! What a list needs of a line, its text not decoded: [`Skim`].

use std::borrow::Cow;
use std::ops::Range;

use convlog_message::{Message, Metadata, Role, Timestamp, Usage};

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
    pub(super) figures: Figures<'a>,
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

    /// What the metadata says of model, cost and tokens.
    #[must_use]
    pub fn figures(&self) -> &Figures<'a> {
        &self.figures
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

/// What a message's metadata says of model, cost and tokens.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Figures<'a> {
    /// As [`Metadata::model`].
    pub model: Option<Cow<'a, str>>,
    /// As [`Metadata::cost`].
    pub cost: Option<f64>,
    /// As [`Metadata::usage`].
    pub usage: Usage,
    /// Whether there is any metadata.
    pub is_noted: bool,
}

impl Figures<'_> {
    /// The figures of metadata that was read as a whole.
    #[must_use]
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            model: metadata.model().map(|model| Cow::Owned(model.to_owned())),
            cost: metadata.cost(),
            usage: metadata.usage(),
            is_noted: !metadata.is_empty(),
        }
    }
}
