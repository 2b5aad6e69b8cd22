//! What is printed: [`OutputFormat`], handed in as a value, with a default for each thread.

use std::cell::Cell;
use std::marker::PhantomData;

/// What messages are printed as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object a line, for programs.
    Json,
    /// Nothing.
    Quiet,
}

thread_local!(static CURRENT: Cell<OutputFormat> = const { Cell::new(OutputFormat::Text) });

impl OutputFormat {
    /// The default of this thread: [`Text`](Self::Text) until [`scope`](Self::scope) says otherwise. A thread
    /// that is started inherits nothing; hand it the value.
    #[must_use]
    pub fn current() -> Self {
        CURRENT.get()
    }

    /// Makes this the thread's default for as long as the guard lives. Other threads do not notice.
    ///
    /// ```
    /// use convlog_render::OutputFormat;
    ///
    /// let silent = OutputFormat::Quiet.scope();
    /// assert_eq!(OutputFormat::current(), OutputFormat::Quiet);
    /// let other = std::thread::spawn(OutputFormat::current).join().unwrap();
    /// assert_eq!(other, OutputFormat::Text);
    /// drop(silent);
    /// assert_eq!(OutputFormat::current(), OutputFormat::Text);
    /// ```
    pub fn scope(self) -> FormatGuard {
        FormatGuard { before: CURRENT.replace(self), thread: PhantomData }
    }
}

/// Gives the thread its former default back when it is dropped. It stays on its thread.
#[derive(Debug)]
#[must_use = "the former default comes back as soon as the guard is dropped"]
pub struct FormatGuard {
    before: OutputFormat,
    thread: PhantomData<*const ()>,
}

impl Drop for FormatGuard {
    fn drop(&mut self) {
        CURRENT.set(self.before);
    }
}
