//! Messages from standard input, each answered once it is acknowledged.

use std::io::{BufRead as _, Write as _};

use anyhow::{Context as _, Result};
use convlog_codec::jsonl;
use convlog_message::{Message, Timestamp};
use convlog_store::Appender;
use serde_json::json;

use super::files::absolute;
use crate::app::{App, Outcome};
use crate::args::Format;

/// Appends a message a line until standard input ends. A line that is no message is answered so, and the
/// next one is read; the exit code tells that there was one.
pub(super) fn append_lines(app: &App, appender: &mut Appender) -> Result<Outcome> {
    let mut input = std::io::stdin().lock();
    let mut out = std::io::stdout().lock();
    let mut line = Vec::new();
    let mut outcome = Outcome::Done;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).context("cannot read standard input")? == 0 {
            return Ok(outcome);
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answered =
            message(&line, appender.now()).and_then(|message| appender.append(message).map_err(|e| e.to_string()));
        let answer = match answered {
            Ok(appended) => {
                app.uncaptured(&appended.uncaptured);
                json!({"ok": true, "index": appended.index()})
            }
            Err(error) => {
                outcome = Outcome::Failed;
                json!({"ok": false, "error": error})
            }
        };
        if app.format != Format::Quiet {
            writeln!(out, "{answer}")?;
            out.flush()?;
        }
    }
}

/// The one message on a line; one without a time is made now.
fn message(line: &[u8], now: Timestamp) -> Result<Message, String> {
    let reading = jsonl::read(line, &now);
    if let Some(finding) = reading.report.skipped().next() {
        return Err(finding.problem.to_string());
    }
    let mut messages = reading.log.iter();
    match (messages.next(), messages.next()) {
        (Some(message), None) if message.has_recorded_timestamp() => Ok(absolute(message.clone())),
        (Some(message), None) => Ok(absolute(message.clone().with_timestamp(now))),
        (None, _) => Err("not a message".to_owned()),
        (Some(_), Some(_)) => Err("more than one message on a line".to_owned()),
    }
}
