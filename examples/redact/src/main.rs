//! Blackens words in a transcript: `redact WORD… < conversation.jsonl > blackened.jsonl`.
//!
//! Takes two crates and nothing else of convlog: messages, and the text that they are kept as. It reads from and
//! writes to whatever it is given, in constant memory. A message without such a word keeps its very bytes, odd ones
//! included; what is no message is told and left out.
#![allow(clippy::print_stderr)]

use std::error::Error;
use std::io::{BufWriter, Write as _};

use convlog_codec::json::Style;
use convlog_codec::jsonl::{Reader, write_line};
use convlog_message::{Message, Timestamp};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    // A message without a time gets this one.
    let mut transcript = Reader::new(std::io::stdin().lock(), Timestamp::now());
    let mut out = BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    for entry in &mut transcript {
        line.clear();
        write_line(&blackened(entry?.message, &words), Style::Gptme, &mut line);
        out.write_all(&line)?;
    }
    out.flush()?;
    for finding in transcript.report().skipped() {
        eprintln!("{finding}");
    }
    Ok(())
}

/// The message with a bar for each word; the same one when it has none.
fn blackened(message: Message, words: &[String]) -> Message {
    let found: Vec<&String> = words.iter().filter(|word| message.content().contains(word.as_str())).collect();
    if found.is_empty() {
        return message;
    }
    let bar = |text: String, word: &&String| text.replace(word.as_str(), "█████");
    let content = found.iter().fold(message.content().to_owned(), bar);
    message.with_content(content)
}
