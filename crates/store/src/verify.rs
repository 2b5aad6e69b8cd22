//! Checking all that a conversation holds: [`verify`].

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use convlog_codec::Finding;
use convlog_message::{FileRef, Message};

use crate::attachment::{AttachmentFault, StoredFile};
use crate::{Conversation, ReadError, Transcript};

/// What a check of a conversation found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Verification {
    /// What is wrong, or worth knowing, file by file.
    pub faults: Vec<Fault>,
    /// How many messages were read, in all logs together.
    pub messages: u64,
    /// How many stored copies of attachments were compared with their hashes.
    pub attachments: u64,
}

/// One thing that is wrong with a file, or worth knowing about it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub kind: FaultKind,
}

/// What can be wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// Something on a line of a transcript.
    Line(Finding),
    /// A log that cannot be read.
    Unreadable(String),
    /// The marker of the active view names none that is there.
    ViewMarker {
        /// What it names.
        name: String,
    },
    /// A stored copy of an attachment.
    Attachment {
        /// The file that was attached.
        file: String,
        /// What is wrong.
        fault: AttachmentFault,
    },
}

impl Verification {
    /// Whether nothing is wrong; notes are no faults.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.faults.iter().all(Fault::is_note)
    }

    fn add(&mut self, path: PathBuf, kind: FaultKind) {
        self.faults.push(Fault { path, kind });
    }
}

impl Fault {
    /// Whether it is only worth knowing: odd, but read and kept.
    #[must_use]
    pub fn is_note(&self) -> bool {
        matches!(&self.kind, FaultKind::Line(finding) if !finding.problem.is_skipped())
    }
}

impl FaultKind {
    /// A short name that programs may rely on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Line(finding) => finding.problem.code(),
            Self::Unreadable(_) => "unreadable",
            Self::ViewMarker { .. } => "view-marker",
            Self::Attachment { .. } => "attachment",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.kind)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(finding) => finding.fmt(f),
            Self::Unreadable(reason) => f.write_str(reason),
            Self::ViewMarker { name } => write!(f, "names the view {name:?}, which does not exist; main is shown"),
            Self::Attachment { file, fault } => write!(f, "attachment {file}: {fault}"),
        }
    }
}

/// Reads every log and every stored copy, and says what does not fit. Changes nothing.
///
/// # Errors
///
/// When a directory of the conversation cannot be listed; what is wrong with a file is no error but a fault.
pub fn verify(conversation: &Conversation) -> Result<Verification, convlog_fs::Error> {
    let mut found = Verification::default();
    let branches = conversation.branches()?.into_iter().map(Transcript::Branch);
    let views = conversation.views()?.into_iter().map(Transcript::View);
    let mut seen = BTreeSet::new();
    for which in [Transcript::Main, Transcript::Lossless].into_iter().chain(branches).chain(views) {
        match check_transcript(conversation, &which, &mut seen, &mut found) {
            Ok(()) => {}
            Err(ReadError::NotFound { which: Transcript::Lossless, .. }) => {}
            Err(error) => {
                let path = conversation.layout().transcript(&which);
                found.add(path, FaultKind::Unreadable(error.to_string()));
            }
        }
    }
    if let Some(name) = conversation.view_marker()?
        && conversation.active_view()?.is_none()
    {
        found.add(conversation.layout().view_marker(), FaultKind::ViewMarker { name });
    }
    Ok(found)
}

fn check_transcript(
    conversation: &Conversation,
    which: &Transcript,
    seen: &mut BTreeSet<StoredFile>,
    found: &mut Verification,
) -> Result<(), ReadError> {
    let path = conversation.layout().transcript(which);
    let mut reader = conversation.stream(which)?;
    while let Some(entry) = reader.next() {
        let entry = entry.map_err(|source| ReadError::Stream { path: path.clone(), source })?;
        found.messages = found.messages.saturating_add(1);
        check_attachments(conversation, &entry.message, seen, found);
        for finding in reader.report_mut().drain() {
            found.add(path.clone(), FaultKind::Line(finding));
        }
    }
    for finding in reader.report_mut().drain() {
        found.add(path.clone(), FaultKind::Line(finding));
    }
    Ok(())
}

/// Compares the stored copies of a message's files, each copy once.
fn check_attachments(
    conversation: &Conversation,
    message: &Message,
    seen: &mut BTreeSet<StoredFile>,
    found: &mut Verification,
) {
    let layout = conversation.layout();
    for (file, hash) in message.file_hashes() {
        let stored = StoredFile::new(&FileRef::new(file), hash);
        let path =
            stored.as_ref().map_or_else(|_| layout.files(), |stored| stored.path(conversation.file_system(), layout));
        let checked = stored.and_then(|stored| {
            if !seen.insert(stored.clone()) {
                return Ok(());
            }
            found.attachments = found.attachments.saturating_add(1);
            stored.verify(conversation.file_system(), layout)
        });
        if let Err(fault) = checked {
            found.add(path, FaultKind::Attachment { file: file.to_owned(), fault });
        }
    }
}
