//! A running gptme, asked over a pipe: [`Gptme`].

use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// The interpreter that gptme 0.35.1 is installed for.
const VARIABLE: &str = "CONVLOG_GPTME_PYTHON";

/// A block as gptme gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) lang: String,
    pub(crate) content: String,
    pub(crate) path: Option<String>,
    pub(crate) start: Option<usize>,
    pub(crate) fence: String,
}

impl From<&Value> for Block {
    fn from(value: &Value) -> Self {
        let text = |i: usize| value[i].as_str().unwrap().to_owned();
        Self {
            lang: text(0),
            content: text(1),
            path: value[2].as_str().map(str::to_owned),
            start: value[3].as_u64().map(|line| line as usize),
            fence: text(4),
        }
    }
}

/// The script `codeblocks.py`, running.
pub(crate) struct Gptme {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Gptme {
    /// Starts it. Without an interpreter says so, and in CI fails.
    pub(crate) fn start() -> Option<Self> {
        let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let python = env::var_os(VARIABLE)
            .map_or_else(|| crate_root.join("../../target/gptme-0.35.1/bin/python"), PathBuf::from);
        if !python.exists() {
            let reason = format!("no gptme at {}; name its interpreter in {VARIABLE}", python.display());
            assert!(env::var_os("CI").is_none(), "{reason}");
            // Not `eprintln`, which the test harness would keep to itself.
            let _ = writeln!(io::stderr(), "SKIPPED: {reason}");
            return None;
        }
        let mut child = Command::new(python)
            .arg(crate_root.join("tests/gptme/codeblocks.py"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Some(Self { child, input, output })
    }

    /// Asks one question.
    pub(crate) fn ask(&mut self, question: &Value) -> Value {
        writeln!(self.input.as_mut().unwrap(), "{question}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        serde_json::from_str(&answer).unwrap_or_else(|error| panic!("{error} after {question}"))
    }

    /// The blocks of a text: whole, and streaming.
    #[allow(dead_code, reason = "the measuring example asks for times only")]
    pub(crate) fn blocks(&mut self, text: &str) -> (Vec<Block>, Vec<Block>) {
        let answer = self.ask(&json!({ "markdown": text }));
        let blocks = |key: &str| answer[key].as_array().unwrap().iter().map(Block::from).collect();
        (blocks("whole"), blocks("streaming"))
    }
}

impl Drop for Gptme {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}
