//! [`Program`]: the release build of `convlog`, run as a user runs it, and killed as nobody should.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The program, and the directory of conversations that it works on.
#[derive(Debug)]
pub struct Program {
    binary: PathBuf,
    logs: PathBuf,
}

/// What came of appending lines.
#[derive(Clone, Debug, Default)]
pub struct Appended {
    /// The numbers of the messages that were acknowledged.
    pub acknowledged: Vec<String>,
    /// What the program answered instead, the first time.
    pub refused: Option<String>,
    /// The number above the highest that was offered.
    pub next: u64,
}

impl Program {
    /// The program at work on a directory.
    #[must_use]
    pub fn new(binary: &Path, logs: &Path) -> Self {
        Self { binary: binary.to_owned(), logs: logs.to_owned() }
    }

    /// The arguments that follow are a verb and its own.
    #[must_use]
    pub fn command(&self) -> Command {
        self.through(&[])
    }

    /// The same through another program, such as `strace`.
    #[must_use]
    pub fn through(&self, wrapper: &[&str]) -> Command {
        let mut command = match wrapper.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&self.binary);
                command
            }
            None => Command::new(&self.binary),
        };
        command.env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("TZ", "UTC").env("HOME", "/nonexistent");
        command.arg("--logs").arg(&self.logs);
        command
    }

    fn output(&self, words: &[&str]) -> Output {
        self.command().args(words).output().unwrap()
    }

    /// Opens a conversation, so that it is recovered, and checks all that it holds.
    ///
    /// # Errors
    ///
    /// With what the program says, when it is not content.
    pub fn recover(&self, id: &str) -> Result<(), String> {
        for verb in ["recover", "verify"] {
            let output = self.output(&[verb, id]);
            if !output.status.success() {
                let said = [output.stdout, output.stderr].concat();
                return Err(format!("{verb}: {}", String::from_utf8_lossy(&said)));
            }
        }
        Ok(())
    }

    /// The first word of each message.
    ///
    /// # Errors
    ///
    /// With what the program says, when it shows nothing.
    pub fn numbers(&self, id: &str) -> Result<Vec<String>, String> {
        let output = self.output(&["--json", "show", id]);
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned());
        }
        let number = |line: &[u8]| {
            let message: Value = serde_json::from_slice(line).unwrap();
            message["content"].as_str().unwrap().split(' ').next().unwrap().to_owned()
        };
        Ok(output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(number).collect())
    }

    /// Starts appending messages from standard input.
    #[must_use]
    pub fn appending(&self, id: &str, wrapper: &[&str]) -> Command {
        let mut command = self.through(wrapper);
        command.args(["append", id, "--create", "--jsonl", "-"]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        command
    }
}

/// Offers numbered messages of a size, until the program ends, `most` were offered, or `enough` says that it has been
/// killed.
pub fn offer(child: &mut Child, first: u64, most: u64, size: usize, mut enough: impl FnMut(usize)) -> Appended {
    let mut stdin = child.stdin.take().unwrap();
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let writer = std::thread::spawn(move || {
        for number in first..first + most {
            let line = format!("{{\"role\": \"user\", \"content\": \"{number} {}\"}}\n", "x".repeat(size));
            if stdin.write_all(line.as_bytes()).is_err() {
                return number + 1;
            }
        }
        first + most
    });
    let mut appended = Appended::default();
    for (number, answer) in (first..).zip(answers.map_while(Result::ok)) {
        if answer.starts_with("{\"ok\":true") {
            appended.acknowledged.push(number.to_string());
            enough(appended.acknowledged.len());
        } else {
            appended.refused.get_or_insert(answer);
        }
    }
    appended.next = writer.join().unwrap();
    appended
}
