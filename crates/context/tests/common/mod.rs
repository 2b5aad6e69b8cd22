//! What the tests share: short messages, and tables from `fixtures/oracle`.

#![allow(
    dead_code,
    clippy::arithmetic_side_effects,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stderr,
    clippy::panic,
    clippy::unwrap_used
)] // each test takes its part

pub(crate) mod gptme;
pub(crate) mod logs;

use convlog_codec::json::{self, Style};
use convlog_codec::jsonl;
use convlog_message::json::{Object, Value};
use convlog_message::{Message, Role, Timestamp};

pub(crate) fn say(role: Role, content: &str) -> Message {
    Message::new(role, content, "2026-01-02T03:04:05".parse::<Timestamp>().unwrap())
}

pub(crate) fn system(content: &str) -> Message {
    say(Role::System, content)
}

pub(crate) fn user(content: &str) -> Message {
    say(Role::User, content)
}

pub(crate) fn assistant(content: &str) -> Message {
    say(Role::Assistant, content)
}

pub(crate) fn result(call: &str, content: &str) -> Message {
    system(content).with_call_id(Some(call))
}

/// The rows of a table in `fixtures/oracle`.
pub(crate) fn oracle(name: &str) -> Vec<Object> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/oracle").join(name);
    let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let table = json::parse(&text).expect("the table is JSON").value;
    table.as_array().unwrap().iter().map(|row| row.as_object().unwrap().clone()).collect()
}

/// A message as gptme would read it from a line.
pub(crate) fn message_of(value: &Value) -> Message {
    let mut line = Vec::new();
    json::write_value(value, Style::Gptme, &mut line);
    let reading = jsonl::read(&line, &Timestamp::now());
    reading.log.first().expect("the value is a message").clone()
}
