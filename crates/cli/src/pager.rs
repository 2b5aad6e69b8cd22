//! Where long text goes: to `$PAGER` when standard output is a terminal, else straight out.

use std::io::{self, IsTerminal as _, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anstream::{AutoStream, StripStream};
use convlog_render::Colors;
use signal_hook::consts::SIGINT;

use crate::args::Format;
use crate::style::colors;

/// Standard output, or a pager in front of it; nothing is lost when there is no pager.
///
/// The pager starts with the first byte, so that there is none when there is nothing to read.
pub(crate) struct Output(Option<Way>);

enum Way {
    Straight(AutoStream<io::Stdout>),
    Paged(Pager),
}

/// A pager that runs; it is waited for however the verb ends.
struct Pager {
    child: Child,
    /// Taken away to tell it that all is written.
    stdin: Option<Box<dyn Write>>,
}

impl Output {
    pub(crate) fn new() -> Self {
        Self(None)
    }

    /// A pager is for people: only text goes through one.
    pub(crate) fn of(format: Format) -> Self {
        if format == Format::Text { Self::new() } else { Self(Some(Way::straight())) }
    }

    /// Whether a pager has the terminal.
    pub(crate) fn is_paged(&self) -> bool {
        matches!(self.0, Some(Way::Paged(_)))
    }

    /// Waits for the pager to be left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        match &mut self.0 {
            None => Ok(()),
            Some(Way::Straight(stream)) => stream.flush(),
            Some(Way::Paged(pager)) => pager.finish(),
        }
    }

    fn stream(&mut self) -> &mut dyn Write {
        match self.0.get_or_insert_with(Way::choose) {
            Way::Paged(pager) => pager,
            Way::Straight(stream) => stream,
        }
    }
}

impl Way {
    fn choose() -> Self {
        Pager::start().map_or_else(Self::straight, Self::Paged)
    }

    fn straight() -> Self {
        Self::Straight(AutoStream::auto(io::stdout()))
    }
}

impl Pager {
    /// `$PAGER`, split at blanks; without it, `less`; with an empty one, or off a terminal, none.
    fn start() -> Option<Self> {
        if !io::stdout().is_terminal() {
            return None;
        }
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
        let mut words = pager.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // Colours as they are, and no paging of what fits one screen.
            command.env("LESS", "FRX");
        }
        // Ctrl-C is the pager's from its first moment: it ends a search there, and must not leave it without a parent.
        let interrupts = signal_hook::flag::register(SIGINT, Arc::new(AtomicBool::new(false)));
        let Ok(mut child) = command.spawn() else {
            let _ = interrupts.map(signal_hook::low_level::unregister);
            return None;
        };
        let stdin: Box<dyn Write> = Box::new(child.stdin.take()?);
        let stdin = match colors() {
            Colors::Plain => Box::new(StripStream::new(stdin)),
            _ => stdin,
        };
        Some(Self { child, stdin: Some(stdin) })
    }

    fn finish(&mut self) -> io::Result<()> {
        let flushed = self.stdin.take().map_or(Ok(()), |mut stdin| stdin.flush());
        self.child.wait()?;
        flushed
    }
}

impl Write for Pager {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdin.as_mut().map_or(Err(io::ErrorKind::BrokenPipe.into()), |stdin| stdin.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdin.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for Pager {
    fn drop(&mut self) {
        let _ = self.finish();
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            None => Ok(()),
            Some(Way::Straight(stream)) => stream.flush(),
            Some(Way::Paged(pager)) => pager.flush(),
        }
    }
}
