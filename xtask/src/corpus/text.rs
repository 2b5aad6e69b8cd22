//! Text by a seeded generator: words, code and other scripts, as it stands in a JSON string.

const WORDS: &[&str] = &[
    "the", "parser", "fails", "when", "a", "list", "is", "empty", "and", "then", "returns", "nothing", "we", "should",
    "check", "each", "branch", "before", "writing", "index", "value", "error", "message", "file", "opened", "with",
    "mode", "append", "only", "result", "of", "function", "call", "stack", "memory", "thread", "waits", "for", "lock",
    "release", "build", "test", "passes", "locally", "but", "not", "on", "server", "please", "look", "at", "log",
    "database", "query", "takes", "long", "because", "table", "has", "no", "column", "named", "status", "user",
    "wants", "to", "see", "summary", "first", "last", "line", "tokens", "cost", "model", "answer", "was", "cut",
];
const OTHERS: &[&str] = &[
    "caf\\u00e9",
    "na\\u00efve",
    "\\u65e5\\u672c\\u8a9e",
    "\\u0441\\u043f\\u0430\\u0441\\u0438\\u0431\\u043e",
    "stra\\u00dfe",
    "\\ud83d\\ude00",
    "\\u2026",
    "\\u201cquoted\\u201d",
    "C:\\\\new",
    "\\\"said\\\"",
    "\\ttab",
];

/// A generator of numbers (xorshift64*), and of what is made from them.
#[derive(Debug)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        random.next();
        random
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below a limit; 0 when the limit is.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        (self.next() >> 11).checked_rem(limit).unwrap_or_default()
    }

    pub(crate) fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        let at = usize::try_from(self.below(from.len() as u64)).unwrap_or_default();
        from.get(at).copied().unwrap_or_default()
    }

    /// Some words with a separator between them.
    pub(crate) fn words(&mut self, count: usize, separator: char) -> String {
        let words: Vec<&str> = (0..count).map(|_| self.pick(WORDS)).collect();
        words.join(&separator.to_string())
    }

    /// Text of so many words, escaped as in a JSON string; some of them are code.
    pub(crate) fn content(&mut self, words: u64, out: &mut String) {
        let mut word = 0;
        while word < words {
            match self.below(120) {
                0..4 => out.push_str(".\\n\\n"),
                4..10 => out.push_str(",\\n"),
                10 => word = self.code(word, out),
                _ => out.push(' '),
            }
            let from = if self.below(50) == 0 { OTHERS } else { WORDS };
            out.push_str(self.pick(from));
            word = word.saturating_add(1);
        }
    }

    /// A block of code after so many words; gives how many there are then.
    fn code(&mut self, words: u64, out: &mut String) -> u64 {
        let lines = self.below(12).saturating_add(2);
        out.push_str("\\n```python\\n");
        for _ in 0..lines {
            let (name, value) = (self.pick(WORDS), self.pick(WORDS));
            for part in ["    ", name, " = self.", value, "[\\\"", name, "\\\"]\\n"] {
                out.push_str(part);
            }
        }
        out.push_str("```\\n");
        words.saturating_add(lines.saturating_mul(4))
    }
}
