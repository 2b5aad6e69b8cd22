//! Messages in a file of the user's: TOML or JSON lines, all of them or none.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use convlog_codec::{jsonl, keep_unedited, toml};
use convlog_message::{Log, Message, Timestamp};

use crate::excerpt::excerpt;

/// Reads the messages; those that stand unchanged in `original` are given as they are there, with their bytes.
///
/// The first character tells the two forms apart: JSON lines begin with `{`. A TOML message without a time gets
/// `now`.
pub(crate) fn read(path: &Path, original: &Log, now: &Timestamp) -> Result<Log> {
    let bytes = bytes(path)?;
    let text = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
    if text.trim_ascii_start().starts_with(b"{") {
        json_lines(path, &bytes, original)
    } else {
        toml(path, &bytes, original, now)
    }
}

/// The path as it is named to people.
pub(crate) fn name(path: &Path) -> String {
    if is_stdin(path) { "standard input".to_owned() } else { path.display().to_string() }
}

pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A file as text, or where it is none.
pub(crate) fn text<'a>(path: &Path, bytes: &'a [u8]) -> Result<&'a str> {
    std::str::from_utf8(bytes).map_err(|error| {
        let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count().saturating_add(1);
        anyhow::anyhow!("{}, line {line}: not UTF-8; save it as UTF-8, nothing was changed", name(path))
    })
}

/// Takes away what `convlog --json show` puts behind the members of each message: its place in the log. It stays
/// where the messages have a member of that name themselves.
fn without_places(log: &Log, original: &Log) -> Log {
    let is_place = |key: &&str| {
        ["index", "from_end"].contains(key) && !original.iter().any(|message| message.extra().get(key).is_some())
    };
    let place = |message: &Message| message.extra().keys().last().filter(is_place).map(str::to_owned);
    let without = |message: &Message| {
        let key = place(message)?;
        let mut extra = message.extra().clone();
        extra.remove(&key);
        Some(message.clone().with_extra(extra))
    };
    log.iter().map(without).collect::<Option<Log>>().unwrap_or_else(|| log.clone())
}

fn bytes(path: &Path) -> Result<Vec<u8>> {
    if is_stdin(path) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

fn json_lines(path: &Path, bytes: &[u8], original: &Log) -> Result<Log> {
    let reading = jsonl::read(bytes, &Timestamp::now());
    if let Some(finding) = reading.report.skipped().next() {
        bail!("{}, {}: {}; correct it, nothing was changed", name(path), finding.line, finding.problem);
    }
    if reading.log.is_empty() {
        bail!("{} holds no message; nothing was changed", name(path));
    }
    if original.is_empty() {
        return Ok(reading.log);
    }
    Ok(keep_unedited(original, without_places(&reading.log, original).iter().cloned()))
}

fn toml(path: &Path, bytes: &[u8], original: &Log, now: &Timestamp) -> Result<Log> {
    let text = text(path, bytes)?;
    if text.trim().is_empty() {
        bail!("{} holds no message; nothing was changed", name(path));
    }
    toml::read_edited(original, text, now).map_err(|error| {
        let shown = excerpt(text, error.line, error.column);
        anyhow::anyhow!("{}, {error}; nothing was changed\n{shown}", name(path))
    })
}
