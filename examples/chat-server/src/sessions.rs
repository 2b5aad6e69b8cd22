//! The open conversations: [`Sessions`].

use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use convlog_fs::RealFs;
use convlog_store::{ConversationId, CreateError, Session, SessionOptions};

/// One conversation, written by one client at a time.
pub(crate) type Shared = Arc<Mutex<Session>>;

/// Every conversation that was spoken to since the server started.
pub(crate) struct Sessions {
    directory: PathBuf,
    open: Mutex<HashMap<ConversationId, Shared>>,
}

impl Sessions {
    pub(crate) fn new(directory: impl Into<PathBuf>) -> Self {
        Self { directory: directory.into(), open: Mutex::default() }
    }

    /// The session of a conversation, opened or created the first time.
    pub(crate) fn get(&self, id: &ConversationId) -> Result<Shared, Box<dyn Error>> {
        let mut open = lock(&self.open);
        if let Some(session) = open.get(id) {
            return Ok(Arc::clone(session));
        }
        let home = self.directory.join(id.as_str());
        let options = SessionOptions::default();
        let session = match Session::create(Arc::new(RealFs), &home, options.clone(), []) {
            Err(CreateError::Exists { .. }) => Session::open(Arc::new(RealFs), &home, options)?,
            created => created?,
        };
        let session = Arc::new(Mutex::new(session));
        open.insert(id.clone(), Arc::clone(&session));
        Ok(session)
    }
}

/// Locks, whatever became of whoever held it: a session that could not write refuses by itself.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
