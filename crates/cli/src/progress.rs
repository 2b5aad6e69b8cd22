//! What shows on a terminal while something takes long: [`Progress`] of what is counted, [`waiting`] for the rest.

use std::cell::Cell;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::app::App;
use crate::args::Format;

/// How often a second it is drawn.
const HERTZ: u8 = 4;

/// What takes no longer is done before one can read a line.
const PATIENCE: Duration = Duration::from_secs(1);

/// A count on standard error of what is done; only on a terminal, and only when the work takes over a second.
pub(crate) struct Progress {
    bar: ProgressBar,
    is_shown: Cell<bool>,
}

impl Progress {
    /// `done` says what is done with each conversation.
    pub(crate) fn new(app: &App, done: &str) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template("{spinner} {pos} conversations {msg} ({elapsed})");
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()));
        bar.set_message(done.to_owned());
        Self { bar, is_shown: Cell::new(app.format != Format::Text) }
    }

    /// One more is done.
    pub(crate) fn step(&self) {
        if !self.is_shown.get() && self.bar.elapsed() > PATIENCE {
            self.is_shown.set(true);
            self.bar.set_draw_target(ProgressDrawTarget::stderr_with_hz(HERTZ));
        }
        self.bar.inc(1);
    }

    /// Prints something without the count in between.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the count away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Does something that cannot be counted; when it takes over a second, what it is shows meanwhile.
pub(crate) fn waiting<T>(app: &App, what: &str, work: impl FnOnce() -> T) -> T {
    if app.format != Format::Text {
        return work();
    }
    let (done, waits) = channel::<()>();
    std::thread::scope(|scope| {
        scope.spawn(move || {
            if waits.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(HERTZ));
                bar.set_message(what.to_owned());
                bar.set_style(
                    ProgressStyle::with_template("{spinner} {msg}")
                        .unwrap_or_else(|_| ProgressStyle::default_spinner()),
                );
                bar.enable_steady_tick(Duration::from_millis(250));
                // Ends when the work has ended.
                let _ = waits.recv();
                bar.finish_and_clear();
            }
        });
        let result = work();
        drop(done);
        result
    })
}
