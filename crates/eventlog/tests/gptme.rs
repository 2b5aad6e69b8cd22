//! The real gptme on logs that convlog wrote, and convlog on what gptme made of them.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::arithmetic_side_effects,
    clippy::print_stderr
)]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use common::{options, place, user};
use convlog_codec::json::{Style, parse};
use convlog_codec::jsonl::{self, write_message};
use convlog_eventlog::{Append, Blocked, CheckpointPolicy, EventLog, Options, WriteError, read, verify};
use convlog_fs::{Durability, RealFs};
use convlog_message::json::{Object, Value};
use convlog_message::{Log, Message, Role, Timestamp};

/// A resident process with gptme in it.
struct Gptme {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Gptme {
    /// `None`, said loudly, where there is no gptme; in CI that is a failure.
    fn start() -> Option<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let installed = root.join("target/gptme-0.35.1/bin/python");
        let python = std::env::var_os("CONVLOG_GPTME_PYTHON").map_or(installed, PathBuf::from);
        if !python.exists() {
            assert!(std::env::var_os("CI").is_none(), "gptme is needed in CI, and {} is missing", python.display());
            eprintln!("!! SKIPPED: {} is missing; set CONVLOG_GPTME_PYTHON", python.display());
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gptme/events.py");
        let mut command = Command::new(python);
        command.arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn().unwrap();
        let (input, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        Some(Self { process, input, output })
    }

    fn send(&mut self, line: &str) -> Value {
        writeln!(self.input, "{line}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        let answer = parse(answer.as_bytes()).unwrap_or_else(|error| panic!("{line}: {answer:?}: {error}")).value;
        let answer = answer.as_object().unwrap().clone();
        assert_eq!(answer.get("error"), None, "{line}");
        answer.get("ok").unwrap().clone()
    }

    fn act(&mut self, what: &str, dir: &Path, more: &str) -> Value {
        self.send(&format!("{{\"do\": \"{what}\", \"dir\": {:?}{more}}}", dir.to_str().unwrap()))
    }

    fn recover(&mut self, dir: &Path) -> Option<Vec<Object>> {
        let recovered = self.act("recover", dir, "");
        let messages = recovered.as_array()?;
        Some(messages.iter().map(|message| message.as_object().unwrap().clone()).collect())
    }
}

impl Drop for Gptme {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn json(message: &Message) -> String {
    let mut json = Vec::new();
    write_message(message, Style::Gptme, &mut json);
    String::from_utf8(json).unwrap()
}

fn open(dir: &Path, options: Options) -> EventLog {
    let reading = read(&RealFs, dir).unwrap().unwrap();
    EventLog::resume(Arc::new(RealFs), dir, options, reading.resume()).unwrap()
}

/// What both programs recover, and that it is the same.
#[track_caller]
fn agree(gptme: &mut Gptme, dir: &Path, context: &str) -> Vec<(String, String)> {
    let reading = read(&RealFs, dir).unwrap().unwrap();
    let ours = reading.replay();
    let theirs = gptme.recover(dir);
    let text = |object: &Object, key| object.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let theirs: Option<Vec<_>> =
        theirs.map(|messages| messages.iter().map(|m| (text(m, "content"), text(m, "timestamp"))).collect());
    let ours: Option<Vec<_>> = ours
        .map(|log| log.iter().map(|message| (message.content().to_owned(), message.timestamp().to_string())).collect());
    assert_eq!(ours, theirs, "{context}");
    assert!(verify(&reading).is_intact(), "{context}: {:?}", verify(&reading));
    ours.unwrap_or_default()
}

/// A small generator of numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }
}

#[test]
fn both_take_turns_and_agree_after_each_step() {
    let Some(mut gptme) = Gptme::start() else { return };
    for seed in 0..4 {
        let mut random = Random(seed);
        let temporary = tempfile::tempdir().unwrap();
        let dir = temporary.path();
        let options = || options().with_policy(CheckpointPolicy::every(7));
        let mut model: Vec<Message> = vec![user("first"), user("second é")];
        let initial = model.iter().cloned().collect();
        let mut log = EventLog::create(Arc::new(RealFs), dir, options(), &initial, &[place(0, 3)]).unwrap();
        let mut ours = true;
        for step in 0..120 {
            let message =
                Message::new(Role::User, format!("{seed}-{step} \"ü\" 😀\n"), "2026-01-02T03:04:05.5".parse().unwrap());
            let message = message.with_timestamp("2026-01-02T03:04:05.500000".parse().unwrap());
            let choice = random.below(12);
            let is_ours = choice < 6;
            if is_ours && !ours {
                log = open(dir, options());
            }
            ours = is_ours;
            match choice {
                0 | 1 => {
                    log.append_message(&message, &[place(5, 9)], Durability::Written).unwrap();
                    model.push(message);
                }
                2 => {
                    let batch = [Append::new(&message, &[]), Append::new(&message, &[])];
                    log.append_batch(&batch, Durability::Written).unwrap();
                    model.extend([message.clone(), message]);
                }
                3 => {
                    let count = random.below(3) as usize;
                    log.undo(count as u64, Durability::Written).unwrap();
                    model.truncate(model.len().saturating_sub(count));
                }
                4 => {
                    model.reverse();
                    log.edit(&model.iter().cloned().collect(), Durability::Written).unwrap();
                }
                5 => {
                    log.view(&Value::Null, Durability::Written).unwrap();
                    log.close(&[], Durability::Synced).unwrap();
                }
                6..=8 => {
                    let seq = gptme.act("append", dir, &format!(", \"message\": {}", json(&message)));
                    assert!(seq.as_number().is_some());
                    model.push(message);
                }
                9 => {
                    let count = random.below(3) as usize;
                    gptme.act("undo", dir, &format!(", \"n\": {count}"));
                    model.truncate(model.len().saturating_sub(count));
                }
                10 => drop(gptme.act("checkpoint", dir, "")),
                _ => {
                    gptme.act("compact", dir, "");
                    gptme.act("sync", dir, "");
                }
            }
            if ours && log.checkpoint_due(0) {
                log.checkpoint(&model.iter().cloned().collect(), &[]).unwrap();
            }
            let context = format!("seed {seed}, step {step}, choice {choice}");
            let found = agree(&mut gptme, dir, &context);
            let expected: Vec<_> = model.iter().map(|m| (m.content().to_owned(), m.timestamp().to_string())).collect();
            assert_eq!(found, expected, "{context}");
            let next = gptme.act("next", dir, "").as_number().unwrap().as_u64().unwrap();
            let reading = read(&RealFs, dir).unwrap().unwrap();
            assert_eq!(next, reading.highest().unwrap().get() + 1, "{context}");
        }
    }
}

/// Every field, and the messages that gptme could not read as they are.
#[test]
fn gptme_recovers_every_message_that_convlog_wrote() {
    let Some(mut gptme) = Gptme::start() else { return };
    let deep = |levels: usize| "[".repeat(levels) + &"]".repeat(levels);
    let long = "7".repeat(4_301);
    let lines = [
        json(&user("plain")).into_bytes(),
        b"{\"role\":\"assistant\",\"content\":\"spelled otherwise\",\"timestamp\":\"2026-01-02T03:04:05\",\"x\":NaN}".to_vec(),
        b"{\"role\": \"user\", \"content\": \"half \\ud83d!\", \"timestamp\": \"2026-01-02T03:04:05\"}".to_vec(),
        b"{\"role\": \"user\", \"content\": \"no \xff UTF-8\", \"timestamp\": \"2026-01-02T03:04:05\"}".to_vec(),
        format!("{{\"role\": \"user\", \"content\": \"long\", \"timestamp\": \"2026-01-02T03:04:05\", \"metadata\": {{\"n\": {long}}}}}").into_bytes(),
        format!("{{\"role\": \"user\", \"content\": \"deep\", \"timestamp\": \"2026-01-02T03:04:05\", \"metadata\": {{\"n\": {}}}}}", deep(900)).into_bytes(),
        format!("{{\"role\": \"user\", \"content\": \"less deep\", \"timestamp\": \"2026-01-02T03:04:05\", \"metadata\": {{\"n\": {}}}}}", deep(450)).into_bytes(),
        json(&user("files").with_files(["/a", "https://b"]).with_file_hashes([("/a", "00")]).with_pinned(true).with_call_id(Some("c"))).into_bytes(),
    ];
    let log: Log = jsonl::read(&lines.join(&b'\n'), &Timestamp::now()).log;
    assert_eq!(log.len(), lines.len());
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    let mut events = EventLog::create(Arc::new(RealFs), dir, options(), &log, &[]).unwrap();
    for message in &log {
        events.append_message(message, &[], Durability::Written).unwrap();
    }
    let recovered = gptme.recover(dir).unwrap();
    assert_eq!(recovered.len(), 2 * log.len());
    for (recovered, message) in recovered.iter().zip(log.iter().chain(&log)) {
        assert_eq!(recovered.get("role").unwrap().as_str(), Some(message.role().as_str()));
        assert_eq!(recovered.get("content").unwrap().as_str(), Some(message.content()));
    }
    // gptme's compaction spells every line anew; convlog then still knows what the messages were.
    let before = read(&RealFs, dir).unwrap().unwrap();
    drop(gptme.act("compact", dir, ""));
    let after = read(&RealFs, dir).unwrap().unwrap();
    assert_eq!(after.events.len(), before.events.len());
    for (before, after) in before.events.iter().zip(&after.events) {
        assert_eq!(before.seq, after.seq);
        assert!(after.convlog.is_some());
    }
    let (before, after) = (before.replay().unwrap(), after.replay().unwrap());
    assert!(before.iter().zip(&after).all(|(before, after)| before == after));
}

#[test]
fn convlog_waits_for_gptmes_lock_and_gives_up_in_time() {
    let Some(mut gptme) = Gptme::start() else { return };
    let temporary = tempfile::tempdir().unwrap();
    let dir = temporary.path();
    let options = options().with_lock_wait(Duration::from_millis(50));
    let mut log = EventLog::create(Arc::new(RealFs), dir, options.clone(), &Log::new(), &[]).unwrap();
    assert_eq!(gptme.act("hold", dir, "").as_str(), Some("held"));
    let error = log.append_message(&user("a"), &[], Durability::Written).unwrap_err();
    assert!(matches!(error, WriteError::Blocked(Blocked::Held { .. })), "{error:?}");

    let mut patient = open(dir, options.with_lock_wait(Duration::from_secs(30)));
    std::thread::scope(|scope| {
        let waiting = scope.spawn(move || patient.append_message(&user("b"), &[], Durability::Written).unwrap());
        std::thread::sleep(Duration::from_millis(30));
        assert_eq!(gptme.send("now").as_str(), Some("released"));
        waiting.join().unwrap();
    });
    assert_eq!(agree(&mut gptme, dir, "after waiting").len(), 1);
}
