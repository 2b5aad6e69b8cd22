//! Asks gptme itself, through `tests/gptme/context.py`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use convlog_codec::json::{self, Style};
use convlog_codec::jsonl;
use convlog_message::Message;
use convlog_message::json::{Object, Value};

/// The Python that has gptme; `None` (said loudly) when there is none, which is no excuse under `CI`.
pub(crate) fn python() -> Option<PathBuf> {
    let given = std::env::var_os("CONVLOG_GPTME_PYTHON").map(PathBuf::from);
    let python = given.unwrap_or_else(|| root().join("../../target/gptme-0.35.1/bin/python"));
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "no gptme at {}", python.display());
    eprintln!("SKIPPED: no gptme at {}; nothing was compared with it", python.display());
    None
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Sends the requests and gives the answers, one for each.
pub(crate) fn ask(python: &Path, requests: &[Object], arguments: &[&str]) -> Vec<Object> {
    let mut input = Vec::new();
    for request in requests {
        json::write_object(request, Style::Gptme, &mut input);
        input.push(b'\n');
    }
    let mut child = Command::new(python)
        .arg(root().join("tests/gptme/context.py"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("gptme's Python starts");
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().expect("gptme reads all");
    assert!(output.status.success(), "context.py failed");
    let text = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Object> = text.lines().map(|line| object(line.as_bytes())).collect();
    assert_eq!(answers.len(), requests.len());
    answers
}

pub(crate) fn request(op: &str, messages: &[Message], limit: Option<usize>) -> Object {
    let mut request = Object::new();
    request.insert("op", op);
    request.insert("messages", messages.iter().map(as_value).collect::<Vec<_>>());
    if let Some(limit) = limit {
        request.insert("limit", limit as u64);
    }
    request
}

/// A message as it stands in a file.
pub(crate) fn as_value(message: &Message) -> Value {
    let mut line = Vec::new();
    jsonl::write_message(message, Style::Gptme, &mut line);
    Value::Object(object(&line))
}

fn object(text: &[u8]) -> Object {
    json::parse(text).expect("JSON").value.as_object().expect("an object").clone()
}
