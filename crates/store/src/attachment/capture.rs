//! Capturing: the content of attached files, stored before the message that names them is written.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use convlog_fs::{Error, FILE_MODE, FileSystem, Kind, Open, ReplaceMode, create_dirs_durable, create_durable, replace};
use convlog_message::{FileRef, Message};
use thiserror::Error;

use super::hash::{Algorithm, Hasher, feed, hash_file};
use super::{AttachmentFault, StoredFile, suffix};
use crate::Layout;

/// How often a file that changes while it is copied is tried again.
const TRIES: usize = 3;
/// The longest name that file systems take.
const LONGEST: usize = 255;

/// An attached file whose content is not stored; the message that names it is written all the same.
#[derive(Debug, Error)]
#[error("{file} (of message {message}) is not stored: {fault}")]
#[non_exhaustive]
pub struct Uncaptured {
    /// The index of the message.
    pub message: usize,
    /// The file, as the message names it.
    pub file: FileRef,
    /// Why.
    #[source]
    pub fault: CaptureFault,
}

/// Why the content of a file is not stored.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum CaptureFault {
    /// There is no such file.
    #[error("there is no such file")]
    Missing,
    /// The path does not say where it begins.
    #[error("the path is relative; give one that begins with /")]
    Relative,
    /// It is a directory.
    #[error("it is a directory")]
    Directory,
    /// It is a pipe, a socket or a device, and was not opened.
    #[error("it is a pipe, a socket or a device, which are never opened")]
    NotAFile,
    /// Its real path cannot be written down.
    #[error("its path is not UTF-8")]
    NotUnicode,
    /// It is larger than the session takes.
    #[error("it has {length} bytes, and {limit} is the limit")]
    TooLarge {
        /// How large it is.
        length: u64,
        /// What the session takes at most.
        limit: u64,
    },
    /// It was written to, again and again, while it was read.
    #[error("it does not stay the same while it is read")]
    Changing,
    /// It cannot be read.
    #[error("it cannot be read: {source}")]
    Unreadable {
        /// What the system said.
        source: io::Error,
    },
    /// The message brought a hash of its own, and there is no whole copy of that content.
    #[error("the message says {hash}, and of that content there is no copy")]
    NoCopy {
        /// The hash.
        hash: String,
    },
}

/// What capturing the files of messages takes.
pub(crate) struct Capture<'a> {
    pub(crate) fs: &'a dyn FileSystem,
    pub(crate) layout: &'a Layout,
    /// The largest file that is stored.
    pub(crate) limit: Option<u64>,
}

impl Capture<'_> {
    /// Stores the files of messages, of which the first is about to get this index, and gives the messages as they
    /// are to be written. What is stored is durable.
    pub(crate) fn messages<'m>(
        &self,
        messages: &'m [Message],
        first: usize,
    ) -> Result<(Cow<'m, [Message]>, Vec<Uncaptured>), Error> {
        let mut uncaptured = Vec::new();
        if messages.iter().all(|message| message.files().is_empty()) {
            return Ok((Cow::Borrowed(messages), uncaptured));
        }
        let mut captured = Vec::with_capacity(messages.len());
        for (index, message) in (first..).zip(messages) {
            captured.push(self.message(message, index, &mut uncaptured)?);
        }
        Ok((Cow::Owned(captured), uncaptured))
    }

    fn message(&self, message: &Message, index: usize, uncaptured: &mut Vec<Uncaptured>) -> Result<Message, Error> {
        if message.files().iter().all(FileRef::is_uri) {
            return Ok(message.clone());
        }
        let mut hashes: Vec<(String, String)> =
            message.file_hashes().map(|(file, hash)| (file.to_owned(), hash.to_owned())).collect();
        let mut files = Vec::with_capacity(message.files().len());
        for file in message.files() {
            let mut miss = |fault| uncaptured.push(Uncaptured { message: index, file: file.clone(), fault });
            let Some(path) = file.as_path() else {
                files.push(file.clone());
                continue;
            };
            if let Some(stored) = message.file_hash(file).and_then(|hash| StoredFile::new(file, hash).ok()) {
                if !self.keep(&stored, path)? {
                    miss(CaptureFault::NoCopy { hash: stored.hash });
                }
                files.push(file.clone());
                continue;
            }
            hashes.retain(|(key, _)| key != file.as_str());
            match self.file(path) {
                Ok((real, hash)) => {
                    hashes.retain(|(key, _)| *key != real);
                    hashes.push((real.clone(), hash));
                    files.push(FileRef::new(real));
                }
                Err(Missed::Fault(fault)) => {
                    miss(fault);
                    files.push(file.clone());
                }
                Err(Missed::Storing(error)) => return Err(error),
            }
        }
        Ok(message.clone().with_files(files).with_file_hashes(hashes))
    }

    /// Whether there is a whole copy for a hash that came with the message, once it was made again where the file
    /// still has that content.
    fn keep(&self, stored: &StoredFile, path: &Path) -> Result<bool, Error> {
        match stored.verify(self.fs, self.layout) {
            Ok(()) => return Ok(true),
            Err(AttachmentFault::NotAFile | AttachmentFault::Io { .. }) => return Ok(false),
            Err(_) => {}
        }
        let is_file = self.fs.stat(path).is_ok_and(|stat| stat.kind == Kind::File);
        if !is_file || !hash_file(self.fs, path, stored.algorithm).is_ok_and(|hash| hash == stored.hash) {
            return Ok(false);
        }
        match self.store(path, stored) {
            Ok(()) => Ok(true),
            Err(Missed::Fault(_)) => Ok(false),
            Err(Missed::Storing(error)) => Err(error),
        }
    }

    /// Stores a file, and gives its real path and its hash.
    fn file(&self, path: &Path) -> Result<(String, String), Missed> {
        if !path.is_absolute() {
            return Err(CaptureFault::Relative.into());
        }
        let unreadable = |error: Error| match error.is_not_found() {
            true => CaptureFault::Missing,
            false => CaptureFault::Unreadable { source: error.cause },
        };
        let real = self.fs.resolve(path).map_err(unreadable)?;
        let stat = self.fs.stat(&real).map_err(unreadable)?;
        match (stat.kind, self.limit) {
            (Kind::File, Some(limit)) if stat.len > limit => {
                return Err(CaptureFault::TooLarge { length: stat.len, limit }.into());
            }
            (Kind::File, _) => {}
            (Kind::Dir, _) => return Err(CaptureFault::Directory.into()),
            _ => return Err(CaptureFault::NotAFile.into()),
        }
        let name = real.to_str().ok_or(CaptureFault::NotUnicode)?.to_owned();
        for _ in 0..TRIES {
            let hash = hash_file(self.fs, &real, Algorithm::Convlog).map_err(unreadable)?;
            let suffix = Some(suffix(&name)).filter(|suffix| suffix.len().saturating_add(hash.len()) <= LONGEST);
            let stored =
                StoredFile { hash, suffix: suffix.unwrap_or_default().to_owned(), algorithm: Algorithm::Convlog };
            let standing = stored.verify(self.fs, self.layout);
            let done = if standing.is_ok() { Ok(()) } else { self.store(&real, &stored) };
            match done {
                Ok(()) => return Ok((name, stored.hash)),
                Err(Missed::Fault(CaptureFault::Changing)) => {}
                Err(missed) => return Err(missed),
            }
        }
        Err(CaptureFault::Changing.into())
    }

    /// Copies a file to where its copy belongs, in the place of a damaged one, and sees that what was copied has
    /// the hash that the name says.
    fn store(&self, from: &Path, stored: &StoredFile) -> Result<(), Missed> {
        let _ = create_dirs_durable(self.fs, &self.layout.files())?;
        let target: PathBuf = stored.path(self.fs, self.layout);
        let mut source =
            self.fs.open(from, Open::Read).map_err(|error| CaptureFault::Unreadable { source: error.cause })?;
        let (mut hasher, mut fault) = (Hasher::new(stored.algorithm), None);
        let copy = |out: &mut dyn io::Write| {
            let mut written = Ok(());
            let read = feed(&mut *source, |block| {
                hasher.update(block);
                written = out.write_all(block);
                written.as_ref().map(drop).map_err(|error| error.kind().into())
            });
            written?;
            fault = match read {
                Err(source) => Some(CaptureFault::Unreadable { source }),
                Ok(()) if hasher.finish() != stored.hash => Some(CaptureFault::Changing),
                Ok(()) => return Ok(()),
            };
            Err(io::Error::other("what was copied is not what was to be"))
        };
        let made = if self.fs.lstat(&target).is_ok() {
            replace(self.fs, &target, ReplaceMode::Keep, copy)
        } else {
            create_durable(self.fs, &target, FILE_MODE, copy)
        };
        match (made, fault) {
            (Ok(_), _) => Ok(()),
            (Err(_), Some(fault)) => Err(fault.into()),
            (Err(error), None) => Err(Missed::Storing(error.into())),
        }
    }
}

/// Why a file was not stored.
enum Missed {
    /// The file is to blame; the message is written without its content.
    Fault(CaptureFault),
    /// The conversation's own directory is; nothing is written.
    Storing(Error),
}

impl From<CaptureFault> for Missed {
    fn from(fault: CaptureFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Error> for Missed {
    fn from(error: Error) -> Self {
        Self::Storing(error)
    }
}
