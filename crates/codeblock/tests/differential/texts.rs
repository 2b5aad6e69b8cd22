//! Texts with fences of every kind, the same for the same seed: [`text`].

/// Random numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub(crate) fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const LANGS: &[&str] = &[
    "", "", "py", "python", "shell", "sh", "bash", "ipython", "save a.md", "patch src/x.py", "md", "text", " python",
    "c++", "'''", "\"\"\"", "===", "_x", "~x", ".env", "/abs/x", "é", "<think>", "a`b", "js title=\"x\"", "ipython ",
    "\u{a0}", "zsh", "powershell", "mermaid",
];
const INDENTS: &[&str] = &["", "", "", "", "", "", " ", "  ", "   ", "    ", "\t", "- ", "1. ", "> ", "a"];
const TRAILING: &[&str] = &["", "", "", "", " ", "\t", "\u{a0}", "\u{1c}", " x", "x", "<think>"];
const PROSE: &[&str] =
    &["text", "more text", "", "", "", "  ", "\u{3000}", "don't", "a < b", "`code`", "- item", "a ``` b", "\u{2028}"];
const SHELL: &[&str] = &[
    "cat <<EOF", "cat <<'EOF' > a.md", "EOF", " EOF ", "echo it's", "echo \"a", "x=$'a\\'b'", "echo $((1<<x))",
    "cat <<< x", "# it's <<EOF", "END", "cat <<-END", "x << 2", "cat <<- ''", "echo \\' <<\\EOF", "ls", "-", "é#<<é",
    "é", "echo $'",
];
const PYTHON: &[&str] = &[
    "s = \"\"\"", "\"\"\"", "'''", "s = 'abc \\", "# \"\"\"", "x = '\"\"\"'", "p = \"#\"; t = '''", "print(1)", "'\\\\",
    "x << EOF", "\\\"\"\"",
];
const THINKING: &[&str] = &[
    "<think>", "</think>", "<thinking>", "</thinking>", "```<think>", "```<thinking>", "x <think>", "x </think>",
    "</think>```py", "<think>a</think>", "</think><think>", "```thinking>", "````<think>", " <thinking>",
];
const GLUED: &[&str] = &[
    "``````py", "``````", "```````", "```````py", "``````<think>", "```````` sh", "`````````shell", "```` ```", "``` py",
    "`````` py", "``````\u{a0}py", "``````````",
];

fn fence(random: &mut Random) -> String {
    let mark = if random.one_in(6) { "~" } else { "`" };
    let length = [3, 3, 3, 3, 3, 3, 4, 4, 5, 6, 7][random.below(11)];
    mark.repeat(length)
}

fn fence_line(random: &mut Random) -> String {
    let indent = if random.one_in(3) { random.pick(INDENTS) } else { "" };
    let lang = if random.one_in(2) { random.pick(LANGS) } else { "" };
    format!("{indent}{}{lang}{}", fence(random), random.pick(TRAILING))
}

fn any_line(random: &mut Random, thinking: bool) -> String {
    match random.below(20) {
        0..=6 => fence_line(random),
        7..=11 => random.pick(PROSE).to_owned(),
        12..=14 => random.pick(SHELL).to_owned(),
        15..=16 => random.pick(PYTHON).to_owned(),
        17 => random.pick(GLUED).to_owned(),
        _ if thinking => random.pick(THINKING).to_owned(),
        _ => "x".to_owned(),
    }
}

/// A block as an agent would write it, with a slip now and then.
fn block(random: &mut Random, out: &mut Vec<String>, depth: usize) {
    let indent = if random.one_in(8) { random.pick(INDENTS) } else { "" };
    let fence = fence(random);
    let lang = random.pick(LANGS);
    out.push(format!("{indent}{fence}{lang}"));
    for _ in 0..random.below(5) {
        match random.below(12) {
            0..=3 => out.push(random.pick(SHELL).to_owned()),
            4..=6 => out.push(random.pick(PYTHON).to_owned()),
            7 if depth < 3 => block(random, out, depth + 1),
            _ => out.push(random.pick(PROSE).to_owned()),
        }
    }
    match random.below(10) {
        0 => {}
        1 => out.push(format!("{indent}{fence}`")),
        2 => out.push(format!("{fence}{}", random.pick(TRAILING))),
        _ => out.push(format!("{indent}{fence}")),
    }
}

/// A text of up to some hundred lines.
pub(crate) fn text(seed: u64) -> String {
    let mut random = Random(seed);
    let mut lines = Vec::new();
    let thinking = random.one_in(4);
    let chaos = random.one_in(3);
    let parts = if random.one_in(20) { random.below(120) } else { random.below(12) } + 1;
    for _ in 0..parts {
        if chaos {
            lines.push(any_line(&mut random, thinking));
            continue;
        }
        block(&mut random, &mut lines, 0);
        for _ in 0..random.below(4) {
            lines.push(random.pick(PROSE).to_owned());
        }
        if random.one_in(12) {
            // Farther than gptme looks ahead.
            let far = [18, 19, 20, 21, 199, 200, 201][random.below(7)];
            lines.extend((0..far).map(|_| "far".to_owned()));
        }
        if random.one_in(6) {
            lines.push(any_line(&mut random, thinking));
        }
        if thinking && random.one_in(3) {
            lines.push(random.pick(THINKING).to_owned());
        }
    }
    let newlines = random.below(12);
    let mut text = String::new();
    for (i, line) in lines.iter().enumerate() {
        text.push_str(line);
        let newline = match newlines {
            0 => "\r\n",
            1 if random.one_in(3) => "\r",
            _ => "\n",
        };
        if i + 1 < lines.len() || random.one_in(2) {
            text.push_str(newline);
        }
    }
    text
}
