//! Messages as agents and people write them, the same for the same seed: [`messages`].

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).checked_rem(n).unwrap_or(0)
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = self.below(from.len() as u64);
        usize::try_from(at).ok().and_then(|at| from.get(at)).copied().unwrap_or_default()
    }
}

const SENTENCES: &[&str] = &[
    "Let me look at the file first.",
    "The test fails because the parser drops the last line when there is no newline at the end of the input.",
    "I'll change `read_line` so that it keeps what `buffer` holds, and add a test for it.",
    "That should work on both platforms; we don't need a special case for Windows here.",
    "Now I run the whole suite again, to be sure that nothing else depends on the old behaviour.",
    "- first, the configuration is read and merged with the defaults",
    "- then the workers are started, one for each core",
    "1. Open `src/main.rs` and find the function `run`.",
    "Größe und Länge der Zeilen: 日本語も大丈夫です。",
    "What do you think about moving this into its own module?",
];
const SHELL: &[&str] = &[
    "git status --short",
    "cargo test -p parser -- --nocapture 2>&1 | tail -n 40",
    "grep -rn \"fn read_line\" src/ | head",
    "for f in src/*.rs; do wc -l \"$f\"; done",
    "cat > notes.md <<'EOF'\n# Notes\n- it's done\nEOF",
    "sed -n '1,80p' src/reader.rs",
];
const PYTHON: &[&str] = &[
    "import json, pathlib",
    "data = json.loads(pathlib.Path('a.json').read_text())",
    "print({k: len(v) for k, v in data.items()})",
    "query = \"\"\"\nselect name, count(*) from runs group by name\n\"\"\"",
    "assert data['version'] == 3, \"old file\"",
];
const CODE: &[&str] = &[
    "pub fn read_line(&mut self) -> io::Result<Option<&[u8]>> {",
    "    self.buffer.clear();",
    "    let length = self.input.read_until(b'\\n', &mut self.buffer)?;",
    "    if length == 0 { return Ok(None); }",
    "    Ok(Some(&self.buffer))",
    "}",
    "",
];
const OUTPUT: &[&str] = &[
    "running 12 tests",
    "test reader::tests::empty ... ok",
    "test reader::tests::no_newline_at_end ... FAILED",
    " M src/reader.rs",
    "src/reader.rs:41:    pub fn read_line(&mut self) -> io::Result<Option<&[u8]>> {",
    "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.02s",
];

fn lines(random: &mut Random, out: &mut String, from: &[&str], least: u64, more: u64) {
    for _ in 0..least.saturating_add(random.below(more)) {
        out.push_str(random.pick(from));
        out.push('\n');
    }
}

fn block(random: &mut Random, out: &mut String, lang: &str, from: &[&str], least: u64, more: u64) {
    out.push_str("\n```");
    out.push_str(lang);
    out.push('\n');
    lines(random, out, from, least, more);
    out.push_str("```\n");
    if random.below(4) > 0 {
        out.push('\n');
    }
}

fn message(random: &mut Random) -> String {
    let mut out = String::new();
    match random.below(10) {
        0..=1 => lines(random, &mut out, SENTENCES, 1, 3),
        2..=4 => {
            out.push_str("Ran command\n");
            block(random, &mut out, "stdout", OUTPUT, 2, 30);
        }
        5 => {
            lines(random, &mut out, SENTENCES, 1, 3);
            block(random, &mut out, "save src/reader.rs", CODE, 8, 40);
            lines(random, &mut out, SENTENCES, 1, 2);
        }
        6 => {
            out.push_str("<thinking>\n");
            lines(random, &mut out, SENTENCES, 2, 6);
            out.push_str("</thinking>\n");
            block(random, &mut out, "ipython", PYTHON, 2, 8);
        }
        7 => lines(random, &mut out, SENTENCES, 6, 12),
        _ => {
            lines(random, &mut out, SENTENCES, 1, 4);
            block(random, &mut out, "shell", SHELL, 1, 3);
            lines(random, &mut out, SENTENCES, 0, 3);
        }
    }
    out
}

/// So many messages of a conversation: questions, plans, commands, their output, files.
pub(crate) fn messages(count: usize) -> Vec<String> {
    let mut random = Random(5);
    (0..count).map(|_| message(&mut random)).collect()
}
