//! `cargo xtask corpus`: conversations to measure with, in gptme's format, the same ones for the same seed.

mod text;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::Path;
use std::time::{Duration, SystemTime};

use anyhow::{Context as _, Result, bail};

use text::Random;

/// 2026-01-01, where the first conversation begins.
const EPOCH: u64 = 1_767_225_600;
const MODELS: [&str; 4] =
    ["anthropic/claude-sonnet-4-5", "openai/gpt-5-mini", "openrouter/qwen/qwen3-coder", "local/llama-3.3"];

/// How large a corpus is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) conversations: u64,
    pub(crate) messages: u64,
    /// Words in a message, on average.
    pub(crate) words: u64,
    pub(crate) seed: u64,
}

impl Default for Size {
    /// 2,000 conversations of 60 messages: some 160 MB.
    fn default() -> Self {
        Self { conversations: 2_000, messages: 60, words: 160, seed: 7 }
    }
}

/// Makes a corpus as the arguments of the command line say.
pub(crate) fn run(directory: &str, options: &[&str]) -> Result<()> {
    let mut size = Size::default();
    for option in options.chunks(2) {
        let [name, number] = option else { bail!("{} needs a number", option.concat()) };
        let number = number.parse().with_context(|| format!("{name} {number}"))?;
        match *name {
            "--conversations" => size.conversations = number,
            "--messages" => size.messages = number,
            "--words" => size.words = number,
            "--seed" => size.seed = number,
            other => bail!("corpus knows no {other}"),
        }
    }
    let bytes = make(Path::new(directory), size)?;
    println!("{directory}: {} conversations of {} messages, {bytes} bytes", size.conversations, size.messages);
    Ok(())
}

/// Makes a corpus in a directory that is new or empty, and says how many bytes its transcripts have.
pub(crate) fn make(directory: &Path, size: Size) -> Result<u64> {
    fs::create_dir_all(directory).with_context(|| format!("cannot make {}", directory.display()))?;
    if fs::read_dir(directory)?.next().is_some() {
        bail!("{} is not empty", directory.display());
    }
    let mut bytes = 0_u64;
    for number in 0..size.conversations {
        let mut random = Random::new(size.seed.wrapping_mul(1_000_003).wrapping_add(number));
        let begin = EPOCH.saturating_add(number.saturating_mul(7_919));
        let day = number.checked_rem(28).unwrap_or_default().saturating_add(1);
        let home = directory.join(format!("2026-01-{day:02}-{}-{number:05}", random.words(3, '-')));
        fs::create_dir(&home)?;
        let model = random.pick(&MODELS);
        let name = random.words(4, ' ');
        fs::write(
            home.join("config.toml"),
            format!(
                "[chat]\nname = \"{name}\"\nmodel = \"{model}\"\nstream = true\ninteractive = true\nworkspace = \"/tmp\"\n\n[env]\n\n[mcp]\nenabled = false\n"
            ),
        )?;
        let path = home.join("conversation.jsonl");
        let mut out = BufWriter::new(File::create(&path)?);
        let mut time = begin;
        for index in 0..size.messages {
            time = time.saturating_add(random.below(240)).saturating_add(1);
            let line = line(&mut random, size, index, time, model);
            bytes = bytes.saturating_add(line.len() as u64);
            out.write_all(line.as_bytes())?;
        }
        let file = out.into_inner().context("cannot write the transcript")?;
        let modified = SystemTime::UNIX_EPOCH.checked_add(Duration::from_secs(time)).context("a time")?;
        file.set_modified(modified)?;
    }
    Ok(bytes)
}

/// Makes one long conversation as a transcript, and says how many bytes it has.
pub(crate) fn make_talk(path: &Path, size: Size) -> Result<u64> {
    let mut random = Random::new(size.seed);
    let mut out = BufWriter::new(File::create(path).with_context(|| format!("cannot make {}", path.display()))?);
    let (mut time, mut bytes) = (EPOCH, 0_u64);
    for index in 0..size.messages {
        time = time.saturating_add(random.below(240)).saturating_add(1);
        let line = line(&mut random, size, index, time, "anthropic/claude-sonnet-4-5");
        bytes = bytes.saturating_add(line.len() as u64);
        out.write_all(line.as_bytes())?;
    }
    out.flush()?;
    Ok(bytes)
}

/// One message as gptme writes it.
fn line(random: &mut Random, size: Size, index: u64, time: u64, model: &str) -> String {
    let role = match index.checked_rem(3) {
        _ if index == 0 => "system",
        Some(1) => "user",
        Some(2) => "assistant",
        _ => "system",
    };
    let mut line = format!("{{\"role\": \"{role}\", \"content\": \"");
    let count = words(random, size.words.max(8), role);
    random.content(count, &mut line);
    let micros = random.below(1_000_000).max(1);
    // Writing to a String cannot fail.
    let _ = write!(line, "\", \"timestamp\": \"{}.{micros:06}\"", local(time));
    if role == "assistant" {
        let (input, output, cached) = (random.below(3_000), random.below(900), random.below(60_000));
        let cost = random.below(90_000).max(10);
        let _ = write!(
            line,
            ", \"metadata\": {{\"model\": \"{model}\", \"cost\": 0.{cost:05}1, \"usage\": {{\"input_tokens\": {input}, \"output_tokens\": {output}, \"cache_read_tokens\": {cached}, \"cache_creation_tokens\": 12}}}}"
        );
    }
    line.push_str("}\n");
    line
}

/// How many words a message has, where they are `mean` on average: a user says little, an answer has 1 to 3 KB with
/// the usual mean, and what tools print is mostly short, with a long tail.
fn words(random: &mut Random, mean: u64, role: &str) -> u64 {
    let between = |random: &mut Random, from: u64, to: u64| {
        let (from, to) = (mean.saturating_mul(from) / 8, mean.saturating_mul(to) / 8);
        from.saturating_add(random.below(to.saturating_sub(from))).max(1)
    };
    match (role, random.below(100)) {
        ("user", _) => between(random, 0, 2),
        ("assistant", _) => between(random, 7, 23),
        (_, 0) => between(random, 80, 520),
        (_, 1..10) => between(random, 16, 48),
        _ => between(random, 1, 8),
    }
}

/// Seconds since 1970 as a time in January 2026 or later, days past the month's end run on.
fn local(time: u64) -> String {
    let seconds = time.saturating_sub(EPOCH);
    let part = |unit: u64, most: u64| seconds.checked_div(unit).and_then(|n| n.checked_rem(most)).unwrap_or_default();
    let (month, day) = (part(86_400 * 28, 12).saturating_add(1), part(86_400, 28).saturating_add(1));
    let year = seconds.checked_div(86_400 * 28 * 12).unwrap_or_default().saturating_add(2026);
    format!("{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}", part(3_600, 24), part(60, 60), part(1, 60))
}
