//! A whole conversation taken or removed: [`Hold`], and its name changed without opening it.

use std::path::Path;

use convlog_fs::{FileSystem, Locked, Missing, Open};

use crate::config::edit::set_chat;
use crate::session::{SessionLock, held_elsewhere};
use crate::{ConfigError, Layout, LockError};

/// A conversation that nobody else writes to while this lives; nothing of it was read or recovered.
///
/// It is what removing or moving a conversation asks for.
#[derive(Debug)]
#[must_use = "the conversation is given back when this is dropped"]
pub struct Hold(#[expect(dead_code, reason = "given back when dropped")] SessionLock);

impl Hold {
    /// Takes the conversation in a directory, at once or not at all.
    ///
    /// # Errors
    ///
    /// When it is in use.
    pub fn take(fs: &dyn FileSystem, home: &Path) -> Result<Self, LockError> {
        SessionLock::acquire(fs, home).map(Self)
    }

    /// Asks whether it could be taken, and writes nothing.
    ///
    /// # Errors
    ///
    /// When it is in use.
    pub fn would_be_taken(fs: &dyn FileSystem, home: &Path) -> Result<(), LockError> {
        let path = home.join(".lock");
        let file = match fs.open(&path, Open::ReadWrite(Missing::Fail)) {
            Ok(file) => file,
            Err(error) if error.is_not_found() => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        match file.try_lock() {
            Ok(Locked::Acquired) => Ok(file.unlock()?),
            Ok(Locked::Held) => Err(held_elsewhere(fs, path)),
            Err(source) => Err(LockError::Unsupported { source }),
        }
    }
}

/// Gives a conversation a name, or takes it away, whether it is open or not. Durable when this returns;
/// comments and unknown members of the file stay.
///
/// # Errors
///
/// When the file cannot be read, is no TOML, or cannot be written; then nothing is changed.
pub fn set_name(fs: &dyn FileSystem, layout: &Layout, name: Option<&str>) -> Result<(), ConfigError> {
    set_chat(fs, layout, "name", name)
}
