//! gptme's own functions and ours over random messages: they agree but for the differences that are meant.

#![allow(clippy::arithmetic_side_effects, clippy::expect_used, clippy::indexing_slicing, clippy::panic)]
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use convlog_codec::json::Style;
use convlog_codec::jsonl;
use convlog_message::{Message, Metadata, Timestamp, Usage, Zone, arbitrary};
use convlog_render::{Hidden, OutputFormat, Printed, Renderer, Text, markdown, message_xml, printable};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::TestRunner;
use serde_json::Value;

const LOGS: usize = 3_000;

/// The Python that has gptme; `None` (said loudly) when there is none, which is no excuse under `CI`.
fn python() -> Option<PathBuf> {
    let given = std::env::var_os("CONVLOG_GPTME_PYTHON").map(PathBuf::from);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let python = given.unwrap_or_else(|| root.join("../../target/gptme-0.35.1/bin/python"));
    if python.exists() {
        return Some(python);
    }
    assert!(std::env::var_os("CI").is_none(), "no gptme at {}", python.display());
    // Not `eprintln`, which the test harness would keep to itself.
    let _ = writeln!(std::io::stderr(), "SKIPPED: no gptme at {}; nothing was compared with it", python.display());
    None
}

fn ask(python: &Path, logs: &[Vec<Message>]) -> Vec<Value> {
    let mut input = Vec::new();
    for log in logs {
        input.push(b'[');
        for (at, message) in log.iter().enumerate() {
            input.extend((at > 0).then_some(b','));
            jsonl::write_message(message, Style::Gptme, &mut input);
        }
        input.extend(b"]\n");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gptme/render.py");
    let mut child = Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().expect("gptme reads all");
    assert!(output.status.success(), "render.py failed");
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Texts with what the functions look at.
fn content() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "Saved",
        "saved to",
        "Appended",
        "Error:",
        "FAILED",
        "success",
        "Successfully",
        "done",
        "to",
        "a",
        "日本",
        "\n",
        "\n\n",
        "  ",
        "```py\n",
        "```",
        "\n```\n",
        "~~~",
        "<!-- think-sig: x -->",
        "<!-- ",
        "-->",
        "<pre>",
        "&",
        "\"",
        "'",
        "## x",
        "[bold]",
        ":warning:",
    ]);
    prop_oneof![4 => prop::collection::vec(words, 0..12).prop_map(|words| words.join(" ")), 1 => arbitrary::text()]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![4 => "system", 3 => "user", 3 => "assistant", 1 => "tool|TOOL|o\"'<&"];
    let time = (1970..2100_u16, 1..=12_u8, 1..=28_u8, 0..24_u8, prop_oneof![9 => "|\\.000001", 1 => "\\+05:30"]);
    let files = prop::sample::subsequence(vec!["/nonexistent/a.txt", "https://example.org/ü"], 0..=2);
    let metadata = (any::<bool>(), prop::option::of(0.0..1.0_f64), prop::option::of(0..1_000_u64));
    let flags = (prop::bool::weighted(0.2), prop::option::weighted(0.2, "[a-z\"]{1,4}"));
    (role, content(), time, files, metadata, flags).prop_map(|(role, content, time, files, metadata, flags)| {
        let (year, month, day, hour, rest) = time;
        let time: Timestamp = format!("{year}-{month:02}-{day:02}T{hour:02}:04:05{rest}").parse().unwrap();
        let (model, cost, tokens) = metadata;
        let mut metadata = if model { Metadata::new().with("model", "a/b") } else { Metadata::new() };
        metadata = cost.map_or(metadata.clone(), |cost| metadata.with_cost(cost));
        let mut usage = Usage::default();
        usage.input_tokens = tokens;
        metadata = if tokens.is_some() { metadata.with_usage(usage) } else { metadata };
        let message = Message::new(&*role, content, time).with_files(files).with_metadata(metadata);
        message.with_hide(flags.0).with_call_id(flags.1.as_deref())
    })
}

/// What was compared: how often alike, how often different by intent, and what else there is.
#[derive(Default)]
struct Tally {
    alike: BTreeMap<&'static str, usize>,
    meant: BTreeMap<&'static str, usize>,
    failures: Vec<String>,
}

impl Tally {
    fn compare(&mut self, what: &'static str, ours: &str, theirs: &str, meant: &[(&'static str, bool)]) {
        if ours == theirs {
            *self.alike.entry(what).or_default() += 1;
        } else if let Some((name, _)) = meant.iter().find(|(_, shows)| *shows) {
            *self.meant.entry(name).or_default() += 1;
        } else {
            self.failures.push(format!("{what}\n  ours:   {ours:?}\n  theirs: {theirs:?}"));
        }
    }
}

fn steers(text: &str) -> bool {
    printable(text) != text
}

/// Each of the lines of ours that are not gptme's closes something.
fn only_closes(ours: &str, theirs: &str) -> bool {
    let ends = ["-->", "</pre>", "</script>", "</style>", "</textarea>", "?>", "]]>", ">"];
    let is_end = |line: &str| ends.contains(&line) || (line.len() >= 3 && line.chars().all(|c| c == '`' || c == '~'));
    let mut theirs = theirs.split('\n').peekable();
    let closes = ours.split('\n').all(|line| theirs.next_if(|next| *next == line).is_some() || is_end(line));
    closes && theirs.next().is_none()
}

#[test]
fn gptme_agrees() {
    let Some(python) = python() else { return };
    let mut runner = TestRunner::deterministic();
    let logs = prop::collection::vec(message(), 1..6);
    let logs: Vec<_> = (0..LOGS).map(|_| logs.new_tree(&mut runner).unwrap().current()).collect();
    let answers = ask(&python, &logs);
    assert_eq!(answers.len(), LOGS);
    let mut tally = Tally::default();
    for (log, answer) in logs.iter().zip(&answers) {
        each_message(&mut tally, log, answer);
        as_a_whole(&mut tally, log, answer);
    }
    println!("alike: {:?}; meant: {:?}; not meant: {}", tally.alike, tally.meant, tally.failures.len());
    if let Some(failure) = tally.failures.iter().min_by_key(|failure| failure.len()) {
        panic!("{failure}");
    }
    let documented = include_str!("../../../docs/differences.md");
    let names = [
        "terminal_control",
        "not_in_xml",
        "time_with_offset",
        "left_open",
        "blank_line_below_the_title",
        "empty_message",
    ];
    for name in names {
        assert!(tally.meant.contains_key(name), "{name} never shows");
        assert!(documented.contains(&format!("`{name}`")), "docs/differences.md has no row `{name}`");
    }
    assert!(tally.alike.values().all(|alike| *alike > LOGS / 3), "{:?}", tally.alike);
}

fn each_message(tally: &mut Tally, log: &[Message], answer: &Value) {
    for (at, message) in log.iter().enumerate() {
        let oneline = Text::new(Zone::UTC).oneline(message);
        let is_control = steers(message.content()) || steers(message.role().as_str());
        assert!(!steers(&oneline));
        tally.compare(
            "oneline",
            &oneline,
            answer["oneline"][at].as_str().unwrap(),
            &[("terminal_control", is_control)],
        );
        let (xml, theirs) = (message_xml(message), answer["xml"][at].as_str().unwrap());
        let allowed = |c: char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
        let replaced: String = theirs.chars().map(|c| if allowed(c) { c } else { '\u{fffd}' }).collect();
        tally.compare("xml", &xml, theirs, &[("not_in_xml", xml == replaced)]);
    }
}

fn as_a_whole(tally: &mut Tally, log: &[Message], answer: &Value) {
    let renderer = Renderer::new(Text::new(Zone::UTC));
    let print = |format| -> (String, Printed) {
        let mut out = Vec::new();
        let printed = renderer.clone().with_format(format).print(&mut out, log).unwrap();
        (String::from_utf8(out).unwrap(), printed)
    };
    let (lines, as_json) = print(OutputFormat::Json);
    tally.compare("json", &lines, answer["json"].as_str().unwrap(), &[]);
    let (_, as_text) = print(OutputFormat::Text);
    let (nothing, as_quiet) = print(OutputFormat::Quiet);
    assert_eq!(nothing, "");
    assert_eq!(as_json.shown + as_json.hidden, log.len() as u64);
    let all = renderer.clone().with_hidden(Hidden::Show).print(&mut std::io::sink(), log).unwrap();
    assert_eq!((all.shown, all.hidden), (log.len() as u64, 0));
    let counts = format!("{:?}", [as_json.shown, as_text.shown, as_quiet.shown]);
    let theirs = answer["shown"].to_string().replace(',', ", ");
    // gptme prints nothing for a message that says nothing, or only signs its thinking.
    let silent = log.iter().filter(|message| Text::new(Zone::UTC).oneline(message).is_empty() && !message.hide());
    let less = format!("{:?}", [as_json.shown, as_text.shown - silent.count() as u64, as_quiet.shown]);
    tally.compare("shown", &counts, &theirs, &[("empty_message", less == theirs)]);

    let document = markdown("A talk", log, Zone::UTC);
    let theirs = match answer["markdown"].as_str().unwrap().split_once('\n') {
        Some((title, rest)) => format!("{title}\n\n{rest}"),
        None => "# A talk\n".to_owned(),
    };
    let closes = |ours: &str| ours == theirs || only_closes(ours, &theirs);
    // gptme's are the times as they stand, whatever their offsets.
    let as_they_stand = markdown("A talk", &log.iter().map(without_offset).collect::<Vec<_>>(), Zone::UTC);
    let with_offset = as_they_stand != document && closes(&as_they_stand);
    let meant = [("time_with_offset", with_offset), ("left_open", closes(&document))];
    tally.compare("markdown", &document, &theirs, &meant);
    *tally.meant.entry("blank_line_below_the_title").or_default() += 1;
}

fn without_offset(message: &Message) -> Message {
    let time = message.timestamp().isoformat();
    message.clone().with_timestamp(time.trim_end_matches("+05:30").parse().unwrap())
}
