//! The real gptme as a resident process, driven by `turns.py`, and how both programs read a conversation.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;

use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_fs::RealFs;
use convlog_message::{Log, Message, Timestamp};
use convlog_store::{Conversation, Transcript};
use serde_json::{Value, json};

const VARIABLE: &str = "CONVLOG_GPTME_PYTHON";

/// The interpreter that has gptme 0.35.1; `None`, said loudly, when there is none.
pub fn python() -> Option<PathBuf> {
    let python = std::env::var_os(VARIABLE).map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/gptme-0.35.1/bin/python"),
        PathBuf::from,
    );
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "gptme is needed in CI, and {} is missing", python.display());
    eprintln!("!! SKIPPED: gptme is missing ({}); set {VARIABLE}", python.display());
    None
}

/// A directory for one test, in which everything happens.
#[derive(Debug)]
pub struct World {
    directory: tempfile::TempDir,
}

impl World {
    /// A directory on the disk.
    #[allow(clippy::new_without_default)]
    #[must_use]
    pub fn new() -> Self {
        Self::with(tempfile::tempdir().unwrap())
    }

    /// The same in memory where there is such a file system, for tests that would wait for the disk most of the time.
    #[must_use]
    pub fn in_memory() -> Self {
        Self::with(tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap())
    }

    fn with(directory: tempfile::TempDir) -> Self {
        std::fs::create_dir(directory.path().join("logs")).unwrap();
        Self { directory }
    }

    /// Where it is.
    #[must_use]
    pub fn root(&self) -> &Path {
        self.directory.path()
    }

    /// The home of a conversation.
    #[must_use]
    pub fn talk(&self, id: &str) -> PathBuf {
        self.root().join("logs").join(id)
    }

    /// A command with nothing of the user's in its environment.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.root()).env("PATH", std::env::var_os("PATH").unwrap_or_default());
        for (name, below) in [
            ("HOME", "home"),
            ("XDG_CONFIG_HOME", "home/config"),
            ("XDG_DATA_HOME", "home/data"),
            ("XDG_STATE_HOME", "home/state"),
            ("XDG_CACHE_HOME", "home/cache"),
            ("GPTME_LOGS_HOME", "logs"),
        ] {
            command.env(name, self.root().join(below));
        }
        command.env("TZ", "UTC").env("PYTHONDONTWRITEBYTECODE", "1").env("NO_COLOR", "1");
        command
    }

    /// Starts gptme; `None`, said loudly, when there is none.
    #[must_use]
    pub fn gptme(&self) -> Option<Gptme> {
        self.gptme_through(&[])
    }

    /// Starts gptme through another program, such as `unshare`.
    pub fn gptme_through(&self, wrapper: &[&str]) -> Option<Gptme> {
        let python = python()?;
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("gptme/turns.py");
        let mut words: Vec<_> = wrapper.iter().map(std::ffi::OsString::from).collect();
        words.extend([python.into(), script.into()]);
        let mut command = self.command(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let (requests, answers) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Some(Gptme { child, requests: Some(requests), answers })
    }
}

/// A gptme that does what it is asked, one request after the other.
#[derive(Debug)]
pub struct Gptme {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Gptme {
    /// Asks, and gives the answer or what gptme raised.
    ///
    /// # Errors
    ///
    /// What gptme raised.
    pub fn try_ask(&mut self, request: &Value) -> Result<Value, String> {
        let requests = self.requests.as_mut().unwrap();
        writeln!(requests, "{request}").unwrap();
        requests.flush().unwrap();
        let mut line = String::new();
        self.answers.read_line(&mut line).unwrap();
        let mut answer: Value = serde_json::from_str(&line).unwrap_or_else(|_| panic!("gptme is gone at {request}"));
        match answer.get("error") {
            Some(error) => Err(error.as_str().unwrap().to_owned()),
            None => Ok(answer["ok"].take()),
        }
    }

    /// Asks for what must succeed.
    pub fn ask(&mut self, request: &Value) -> Value {
        self.try_ask(request).unwrap_or_else(|error| panic!("{request}: {error}"))
    }

    /// Opens for writing, and gives the log.
    pub fn load(&mut self, home: &Path) -> Vec<Value> {
        list(self.ask(&json!({"do": "load", "dir": home})))
    }

    /// Makes a conversation with these messages.
    pub fn create(&mut self, home: &Path, initial: &[Value]) -> Vec<Value> {
        list(self.ask(&json!({"do": "load", "dir": home, "initial": initial, "create": true})))
    }

    /// Gives the lock back.
    pub fn release(&mut self) {
        self.ask(&json!({"do": "release"}));
    }

    /// Appends, and tells how many bytes gptme read for that.
    pub fn append(&mut self, message: &Value) -> u64 {
        self.ask(&json!({"do": "append", "message_": message})).as_u64().unwrap()
    }

    /// Appends users' messages.
    pub fn append_all(&mut self, contents: &[&str]) {
        for value in says(contents) {
            self.append(&value);
        }
    }

    /// Removes the last messages.
    pub fn undo(&mut self, n: usize) {
        self.ask(&json!({"do": "undo", "n": n}));
    }

    /// Puts another list in place.
    pub fn edit(&mut self, messages: &[Value]) {
        self.ask(&json!({"do": "edit", "messages": messages}));
    }

    /// Puts another list in place, without an event.
    pub fn replace_log(&mut self, messages: &[Value]) {
        self.ask(&json!({"do": "replace_log", "messages": messages}));
    }

    /// What gptme reads from the transcript.
    pub fn read(&mut self, home: &Path) -> Vec<Value> {
        list(self.ask(&json!({"do": "read", "dir": home})))
    }

    /// What gptme makes of the event log.
    pub fn recover(&mut self, home: &Path) -> Option<Vec<Value>> {
        let found = self.ask(&json!({"do": "recover_messages", "dir": home}));
        (!found.is_null()).then(|| list(found))
    }

    /// Opens for writing and lets go at once, or tells why not.
    ///
    /// # Errors
    ///
    /// What gptme raised: it is held.
    pub fn try_lock(&mut self, home: &Path) -> Result<(), String> {
        self.try_ask(&json!({"do": "try_lock", "dir": home})).map(drop)
    }
}

impl Drop for Gptme {
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}

fn list(value: Value) -> Vec<Value> {
    match value {
        Value::Array(values) => values,
        other => panic!("no list: {other}"),
    }
}

/// A message of no more than a role, a content and a time.
#[must_use]
pub fn say(role: &str, content: &str) -> Value {
    json!({"role": role, "content": content, "timestamp": "2026-01-02T03:04:05"})
}

/// Users' messages.
#[must_use]
pub fn says(contents: &[&str]) -> Vec<Value> {
    contents.iter().map(|content| say("user", content)).collect()
}

/// The message of a JSON object.
#[must_use]
pub fn message(value: &Value) -> Message {
    let reading = jsonl::read(value.to_string().as_bytes(), &Timestamp::now());
    reading.log.first().unwrap_or_else(|| panic!("no message: {value}")).clone()
}

/// The messages of JSON objects.
pub fn messages(values: &[Value]) -> Vec<Message> {
    values.iter().map(message).collect()
}

/// Messages as JSON objects, to compare them with what gptme reads.
#[must_use]
pub fn plain(log: &Log) -> Vec<Value> {
    let mut line = Vec::new();
    let one = |message: &Message| {
        line.clear();
        jsonl::write_line(message, Style::Gptme, &mut line);
        serde_json::from_slice(&line).unwrap()
    };
    log.iter().map(one).collect()
}

/// What convlog shows to whoever opens the conversation now.
#[must_use]
pub fn read(home: &Path) -> Vec<Value> {
    let conversation = Conversation::open(Arc::new(RealFs), home).unwrap();
    plain(&conversation.read(&Transcript::Main).unwrap().log)
}

/// What convlog makes of the event log, which must be intact.
#[must_use]
pub fn recover(home: &Path) -> Option<Vec<Value>> {
    let reading = convlog_eventlog::read(&RealFs, home).unwrap()?;
    let verification = convlog_eventlog::verify(&reading);
    assert!(verification.is_intact(), "{}", verification.first().unwrap());
    reading.replay().map(|log| plain(&log))
}

/// What each message says.
#[must_use]
pub fn contents(values: &[Value]) -> Vec<&str> {
    values.iter().map(|value| value["content"].as_str().unwrap()).collect()
}
