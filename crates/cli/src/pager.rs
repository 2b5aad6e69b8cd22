//! Where text goes: to `$PAGER` when it is long and standard output is a terminal, else straight out.

use std::io::{self, IsTerminal as _, Write};
use std::process::{Child, Command, Stdio};

/// Standard output, or a pager in front of it; nothing is lost when there is no pager.
pub(crate) enum Output {
    Straight(anstream::AutoStream<io::Stdout>),
    Paged(Child),
}

impl Output {
    /// Output that may be long. `$PAGER` is split at blanks; without it, `less`; with an empty one, none.
    pub(crate) fn new() -> Self {
        let straight = || Self::Straight(anstream::AutoStream::auto(io::stdout()));
        if !io::stdout().is_terminal() {
            return straight();
        }
        let pager = std::env::var("PAGER").unwrap_or_else(|_| "less".to_owned());
        let mut words = pager.split_whitespace();
        let Some(program) = words.next() else { return straight() };
        let mut command = Command::new(program);
        command.args(words).stdin(Stdio::piped());
        if std::env::var_os("LESS").is_none() {
            // Colours as they are, and no paging of what fits one screen.
            command.env("LESS", "FRX");
        }
        command.spawn().map_or_else(|_| straight(), Self::Paged)
    }

    /// Waits for the pager to be left.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        if let Self::Paged(child) = &mut self {
            drop(child.stdin.take());
            child.wait()?;
        }
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Straight(stream) => stream.write(bytes),
            Self::Paged(child) => match &mut child.stdin {
                Some(stdin) => stdin.write(bytes),
                None => Err(io::ErrorKind::BrokenPipe.into()),
            },
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Straight(stream) => stream.flush(),
            Self::Paged(child) => child.stdin.as_mut().map_or(Ok(()), Write::flush),
        }
    }
}
