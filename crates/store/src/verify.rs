//! Checking all that a conversation holds: [`verify`].

mod events;

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;

use convlog_codec::{Finding, Problem};
use convlog_eventlog::Misfit;
use convlog_message::{FileRef, Message};

use crate::attachment::{AttachmentFault, StoredFile};
use crate::{Conversation, ReadError, RecoveryReport, Transcript};

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
    /// A place in an event log that does not fit its hashes.
    Event(Misfit),
    /// A place in an event log that is worth knowing.
    EventNote(Misfit),
    /// A message that is not the one that the event log vouches for.
    Differs {
        /// The line it stands on, counted from 1; `None` when it is missing.
        line: Option<u64>,
        /// Its index.
        index: usize,
    },
    /// Something stands behind a message where its line should end.
    Framing {
        /// The line, counted from 1.
        line: u64,
    },
    /// What a crash left, for the next opening to heal.
    Unrecovered(RecoveryReport),
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
        match &self.kind {
            FaultKind::Line(finding) => !is_damage(&finding.problem),
            FaultKind::EventNote(_) | FaultKind::Unrecovered(_) => true,
            _ => false,
        }
    }
}

/// Whether a line is damaged: nothing could be read there, or what frames the lines is not as any writer
/// leaves it. gptme loses such lines.
fn is_damage(problem: &Problem) -> bool {
    let framing = matches!(problem, Problem::SeveralValues { .. } | Problem::NulBytes { .. } | Problem::ByteOrderMark);
    framing || problem.is_skipped()
}

impl FaultKind {
    /// A short name that programs may rely on.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Line(finding) => finding.problem.code(),
            Self::Unreadable(_) => "unreadable",
            Self::ViewMarker { .. } => "view-marker",
            Self::Event(_) => "event",
            Self::EventNote(_) => "event-note",
            Self::Differs { .. } => "differs-from-event-log",
            Self::Framing { .. } => "framing",
            Self::Unrecovered(_) => "unrecovered",
            Self::Attachment { .. } => "attachment",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            // It names its file itself.
            FaultKind::Event(misfit) | FaultKind::EventNote(misfit) => misfit.fmt(f),
            kind => write!(f, "{}: {kind}", self.path.display()),
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(finding) => finding.fmt(f),
            Self::Unreadable(reason) => f.write_str(reason),
            Self::Event(misfit) | Self::EventNote(misfit) => misfit.fmt(f),
            Self::Differs { line: Some(line), index } => {
                write!(f, "line {line}: message {index} is not the one that the event log has; it was changed since")
            }
            Self::Differs { line: None, index } => {
                write!(f, "message {index} of the event log is missing; it was removed since")
            }
            Self::Framing { line } => {
                write!(f, "line {line}: something stands behind the message where the line should end")
            }
            Self::Unrecovered(report) => write!(f, "not closed properly: {report}; the next opening puts it in order"),
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
            Ok(()) => events::check(conversation, &which, &mut found)?,
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
