//! The targets: what must hold whatever the bytes are.

use std::io::Write as _;
use std::path::Path;

use convlog_codeblock::{Codeblock, CodeblockStream};
use convlog_codec::json::Style;
use convlog_codec::{jsonl, toml};
use convlog_eventlog as eventlog;
use convlog_fs::sim::{Quirks, SimFs};
use convlog_fs::{FileSystem as _, Missing, Open};
use convlog_message::Log;

use crate::disk::{self, HOME, check_agreement, contents, describe, new_disk, open, say, time};

fn written(log: &Log) -> Vec<u8> {
    let mut bytes = Vec::new();
    log.iter().for_each(|message| jsonl::write_line(message, Style::Gptme, &mut bytes));
    bytes
}

/// Reading never fails, from either end; what was read, written, is read as the same and written as the same bytes; and
/// the report does not outgrow the input.
pub(super) fn transcript(input: &[u8]) -> Result<(), String> {
    let reading = jsonl::read(input, &time());
    let bytes = written(&reading.log);
    let again = jsonl::read(&bytes, &time());
    if again.log.len() != reading.log.len() {
        return Err(format!("{} messages, written and read again {}", reading.log.len(), again.log.len()));
    }
    if written(&again.log) != bytes {
        return Err("written again, bytes differ".to_owned());
    }
    let mut tail = jsonl::TailReader::new(std::io::Cursor::new(input), time()).map_err(|error| error.to_string())?;
    let backwards: Vec<_> = tail.by_ref().map(|entry| entry.unwrap().message).collect();
    let same = backwards.iter().zip(reading.log.iter().rev()).all(|(a, b)| a.is_identical(b));
    if backwards.len() != reading.log.len() || !same {
        return Err(format!("{} messages from the start, {} from the end", reading.log.len(), backwards.len()));
    }
    let skipped: u64 = reading.report.skipped().map(|finding| finding.span.end - finding.span.start).sum();
    if skipped > input.len() as u64 {
        return Err(format!("{skipped} bytes skipped of {}", input.len()));
    }
    Ok(())
}

/// Reading, replaying and verifying never fail, and say the same twice.
pub(super) fn events(input: &[u8]) -> Result<(), String> {
    let fs = new_disk(Quirks::default());
    fs.create_dir(Path::new(HOME)).unwrap();
    put(&fs, &disk::events(), input);
    let read = || eventlog::read(&fs, Path::new(HOME)).map_err(|error| describe(&error));
    let (first, second) = (read()?.unwrap(), read()?.unwrap());
    let (once, twice) = (first.replay(), second.replay());
    if once.map(|log| contents(&log)) != twice.map(|log| contents(&log)) {
        return Err("replayed twice, it differs".to_owned());
    }
    let _ = (eventlog::verify(&first), first.replay_to_last_convlog(), first.last_close(), first.unsettled());
    Ok(())
}

/// Reading gives an error with a place, or a log that comes back as it is.
pub(super) fn toml(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let _ = toml::read_message(&text, &time());
    let Ok(log) = toml::read_log(&text, &time()) else { return Ok(()) };
    let again = toml::read_log(&toml::write_log(&log), &time()).map_err(|error| describe(&error))?;
    let same = log.len() == again.len() && log.iter().zip(again.iter()).all(|(a, b)| a.is_identical(b));
    if same { Ok(()) } else { Err(format!("{log:?} came back as {again:?}")) }
}

/// The stream gives what the whole text gives, wherever it is cut.
pub(super) fn codeblocks(input: &[u8]) -> Result<(), String> {
    let text = String::from_utf8_lossy(input);
    let seen = |block: Codeblock| (block.lang().to_owned(), block.content().to_owned());
    let whole: Vec<_> = convlog_codeblock::codeblocks(&text).map(seen).collect();
    let open = convlog_codeblock::codeblocks(&text).into_open_block();
    let has_tags = ["<think>", "</think>", "<thinking>", "</thinking>"].iter().any(|tag| text.contains(tag));
    for size in [1, 5, usize::MAX] {
        let (mut stream, mut given) = (CodeblockStream::new(), Vec::new());
        let characters: Vec<char> = text.chars().collect();
        for piece in characters.chunks(size.min(characters.len().max(1))) {
            given.extend(stream.feed(&piece.iter().collect::<String>()).into_iter().map(seen));
        }
        let end = stream.finish();
        given.extend(end.blocks.into_iter().map(seen));
        // A block once given stays, though a thinking section behind it hides it from the whole.
        let fits = if has_tags { given.ends_with(&whole) } else { given == whole };
        if !fits || end.open != open {
            return Err(format!("in pieces of {size}: {given:?}, whole: {whole:?}"));
        }
    }
    Ok(())
}

/// Opening what a mutated file leaves is refused with an error, or leads to a conversation that takes a message, is in
/// agreement and opens as it was closed. The first byte says which file of a conversation the rest is put in place of.
pub(super) fn directory(input: &[u8]) -> Result<(), String> {
    let (which, bytes) = input.split_first().unwrap_or((&0, &[]));
    let fs = new_disk(Quirks::default());
    fs.create_dir(Path::new(HOME)).unwrap();
    let mut lines = Vec::new();
    ["a", "b", "c"].iter().for_each(|content| jsonl::write_line(&say(content), Style::Gptme, &mut lines));
    put(&fs, &disk::transcript(), &lines);
    let mut session = open(&fs)?;
    session.append(say("d")).map_err(|error| describe(&error))?;
    if which % 2 == 0 {
        session.close().map_err(|error| describe(&error))?;
    }
    let fs = fs.kill();
    let place = match which % 5 {
        0 => disk::transcript(),
        1 | 2 => disk::events(),
        3 => Path::new(HOME).join("config.toml"),
        _ => {
            fs.create_dir(&Path::new(HOME).join("views")).unwrap();
            Path::new(HOME).join("views/.current")
        }
    };
    put(&fs, &place, bytes);
    let Ok(mut session) = open(&fs) else { return Ok(()) };
    if session.append(say("e")).is_err() {
        return Err("it opens, and takes no message".to_owned());
    }
    let log = contents(session.log());
    check_agreement(&fs, &session)?;
    session.close().map_err(|error| describe(&error))?;
    let again = contents(open(&fs).map_err(|error| format!("closed, and not opened again: {error}"))?.log());
    if again == log { Ok(()) } else { Err(format!("closed with {log:?}, opened with {again:?}")) }
}

fn put(fs: &SimFs, path: &Path, bytes: &[u8]) {
    let mut file = fs.open(path, Open::ReadWrite(Missing::Create)).unwrap();
    file.set_len(0).unwrap();
    file.write_all(bytes).unwrap();
    file.sync_all().unwrap();
}
