//! The other programs that work on a conversation: gptme 0.35.1, and an editor.

use std::io::Write;
use std::path::{Path, PathBuf};

use convlog_codec::json::Style;
use convlog_codec::jsonl::{write_line, write_message};
use convlog_eventlog as eventlog;
use convlog_fs::sim::SimFs;
use convlog_fs::{FileSystem, Missing, Open, read_all};
use convlog_message::{Log, Message};

use crate::disk::{HOME, events, read_transcript, say, transcript};

fn add(fs: &SimFs, path: &Path, bytes: &[u8]) {
    let mut file = fs.open(path, Open::Append(Missing::Create)).unwrap();
    assert_eq!(file.write(bytes).unwrap(), bytes.len());
}

/// Appends messages to a transcript as gptme does, in one write; fails as its disk does.
///
/// # Errors
///
/// What the file system says.
pub fn try_add(fs: &SimFs, path: &Path, contents: &[&str]) -> std::io::Result<()> {
    let mut file = fs.open(path, Open::Append(Missing::Create)).map_err(std::io::Error::other)?;
    let contents: Vec<String> = contents.iter().map(|content| (*content).to_owned()).collect();
    file.write_all(&lines(&contents))
}

/// Appends an event as gptme does: `json.dumps`, the number above the highest.
pub fn gptme_event(fs: &SimFs, kind: &str, payload: &str) {
    let reading = eventlog::read(fs, Path::new(HOME)).unwrap();
    let seq = reading.as_ref().and_then(eventlog::Reading::highest).map_or(1, |seq| seq.get() + 1);
    let line = format!(
        "{{\"seq\": {seq}, \"ts\": \"2026-01-02T03:04:05.000006+00:00\", \"type\": \"{kind}\", \"payload\": {payload}}}\n"
    );
    add(fs, &events(), line.as_bytes());
}

fn json(message: &Message) -> String {
    let mut text = Vec::new();
    write_message(message, Style::Gptme, &mut text);
    String::from_utf8(text).unwrap()
}

fn lines(contents: &[String]) -> Vec<u8> {
    let mut lines = Vec::new();
    contents.iter().for_each(|content| write_line(&say(content), Style::Gptme, &mut lines));
    lines
}

/// gptme appends a message: its line in place, then its event.
pub fn gptme_append(fs: &SimFs, content: &str) {
    gptme_append_to(fs, &[transcript()], content);
}

/// gptme appends a message to several transcripts, as it does while a view is active.
pub fn gptme_append_to(fs: &SimFs, transcripts: &[PathBuf], content: &str) {
    transcripts.iter().for_each(|transcript| add(fs, transcript, &lines(&[content.to_owned()])));
    gptme_event(fs, "message_append", &format!("{{\"message\": {}}}", json(&say(content))));
}

/// gptme removes the last messages: the transcript replaced as a whole, then its event.
pub fn gptme_undo(fs: &SimFs, count: usize) {
    let mut left = read_transcript(fs);
    left.truncate(left.len().saturating_sub(count));
    replace(fs, &left);
    gptme_event(fs, "undo", &format!("{{\"n\": {count}}}"));
}

/// gptme's compaction: a checkpoint is added, and what stands before it is dropped.
pub fn gptme_compact(fs: &SimFs) {
    gptme_compact_to(fs, &read_transcript(fs));
}

/// The same with a checkpoint of other messages than main's: while a view is active gptme writes that one.
pub fn gptme_compact_to(fs: &SimFs, contents: &[String]) {
    let messages: Vec<String> = contents.iter().map(|content| json(&say(content))).collect();
    gptme_event(fs, "checkpoint", &format!("{{\"messages\": [{}]}}", messages.join(", ")));
    let bytes = read_all(fs, &events()).unwrap();
    let last = bytes.split_inclusive(|byte| *byte == b'\n').next_back().unwrap().to_vec();
    replace_file(fs, &events(), &last);
}

/// An editor writes other messages into a new file and puts it in place.
pub fn replace(fs: &SimFs, contents: &[String]) {
    replace_file(fs, &transcript(), &lines(contents));
}

fn replace_file(fs: &SimFs, path: &Path, bytes: &[u8]) {
    let temporary = path.with_extension("editing");
    let mut file = fs.open(&temporary, Open::CREATE_NEW).unwrap();
    if !bytes.is_empty() {
        assert_eq!(file.write(bytes).unwrap(), bytes.len());
    }
    file.sync_all().unwrap();
    drop(file);
    fs.rename(&temporary, path).unwrap();
}

/// An editor cuts the last lines of the file in place.
pub fn cut(fs: &SimFs, count: usize) {
    let bytes = read_all(fs, &transcript()).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
    let kept: usize = lines.iter().take(lines.len().saturating_sub(count)).map(|line| line.len()).sum();
    fs.open(&transcript(), Open::ReadWrite(Missing::Fail)).unwrap().set_len(kept as u64).unwrap();
}

/// The log that these messages make.
#[must_use]
pub fn log(contents: &[String]) -> Log {
    contents.iter().map(|content| say(content)).collect()
}
