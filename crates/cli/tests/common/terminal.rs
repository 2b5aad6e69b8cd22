//! A terminal with a program in it, and somebody who types and reads.

use std::io::{Read as _, Write as _};
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pty_process::Size;
use pty_process::blocking::{Command, Pty};

/// What takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A pseudo-terminal of 50 rows.
pub struct Terminal {
    pty: Arc<Pty>,
    child: Child,
    shown: Receiver<Vec<u8>>,
    seen: Vec<u8>,
}

/// A program for a terminal, in a fixed environment.
pub fn program(path: &str, arguments: &[&str]) -> Command {
    let command = Command::new(path).args(arguments).current_dir(super::root()).env_clear();
    command.env("PATH", "/usr/bin:/bin").env("TERM", "xterm").env("TZ", "UTC").env("HOME", "/nonexistent")
}

/// Our program; without a pager.
pub fn convlog(arguments: &[&str]) -> Command {
    program(env!("CARGO_BIN_EXE_convlog"), arguments).env("PAGER", "")
}

impl Terminal {
    /// Starts a program in a terminal of so many columns.
    pub fn start(command: Command, columns: u16) -> Self {
        let (pty, pts) = pty_process::blocking::open().unwrap();
        pty.resize(Size::new(50, columns)).unwrap();
        let child = command.spawn(pts).unwrap();
        let pty = Arc::new(pty);
        let (sender, shown) = channel();
        let reading = Arc::clone(&pty);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // When the last program has gone, reading fails.
            while let Ok(length @ 1..) = (&*reading).read(&mut bytes) {
                if sender.send(bytes[..length].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { pty, child, shown, seen: Vec::new() }
    }

    /// Types something; `\u{3}` is Ctrl-C.
    pub fn types(&self, text: &str) {
        (&*self.pty).write_all(text.as_bytes()).unwrap();
    }

    /// Reads on until the screen has shown a text.
    pub fn shows(&mut self, text: &str) {
        self.read_until(|seen| seen.contains(text), text);
    }

    /// Reads on until something holds of all that was shown.
    pub fn read_until(&mut self, holds: impl Fn(&str) -> bool, what: &str) {
        let end = Instant::now() + PATIENCE;
        while !holds(&self.text()) {
            let left = end.saturating_duration_since(Instant::now());
            match self.shown.recv_timeout(left) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(_) => panic!("the terminal never showed {what:?} but {:?}", self.text()),
            }
        }
    }

    /// The pipe into the program, where one was asked for.
    pub fn stdin(&mut self) -> std::process::ChildStdin {
        self.child.stdin.take().unwrap()
    }

    /// Waits for the program to end; gives all that was shown, with `\n` at the ends of lines.
    pub fn ended(mut self) -> (String, ExitStatus) {
        let status = self.child.wait().unwrap();
        let end = Instant::now() + PATIENCE;
        loop {
            match self.shown.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.extend(bytes),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("something holds the terminal: {:?}", self.text()),
            }
        }
        (self.text(), status)
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.seen).replace("\r\n", "\n")
    }
}

/// What is shown of a program that ends by itself.
pub fn shown(command: Command, columns: u16) -> String {
    Terminal::start(command, columns).ended().0
}

/// A text without what sets colours.
pub fn without_colors(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').unwrap().1)
}
