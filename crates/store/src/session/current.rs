//! The session that a thread is working in, for code that has no other way to it.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::{Arc, Mutex};

use super::Session;

/// A session that several owners share.
pub type SharedSession = Arc<Mutex<Session>>;

thread_local! {
    static CURRENT: RefCell<Vec<SharedSession>> = const { RefCell::new(Vec::new()) };
}

/// Makes a session the current one of this thread until it is dropped; then the one before is again.
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use convlog_fs::RealFs;
/// use convlog_store::{CurrentSession, Session, SessionOptions, current};
///
/// let logs = tempfile::tempdir()?;
/// let session = Session::create(Arc::new(RealFs), logs.path().join("talk"), SessionOptions::default(), vec![])?;
/// let shared = Arc::new(Mutex::new(session));
/// {
///     let _guard = CurrentSession::enter(Arc::clone(&shared));
///     assert!(current().is_some_and(|session| Arc::ptr_eq(&session, &shared)));
///     assert!(std::thread::spawn(|| current().is_none()).join().unwrap());
/// }
/// assert!(current().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the session is current only while this lives"]
pub struct CurrentSession {
    /// It belongs to its thread.
    not_send: PhantomData<*const ()>,
}

impl CurrentSession {
    /// Makes a session the current one of this thread.
    pub fn enter(session: SharedSession) -> Self {
        CURRENT.with_borrow_mut(|sessions| sessions.push(session));
        Self { not_send: PhantomData }
    }
}

impl Drop for CurrentSession {
    fn drop(&mut self) {
        let left = CURRENT.try_with(|sessions| sessions.try_borrow_mut().ok().and_then(|mut sessions| sessions.pop()));
        // Dropped here, not while the list is borrowed: closing a session may ask for the current one.
        drop(left);
    }
}

/// The current session of this thread.
#[must_use]
pub fn current() -> Option<SharedSession> {
    CURRENT.with_borrow(|sessions| sessions.last().cloned())
}
