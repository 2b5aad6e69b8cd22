//! gptme, resident in a Python process: a line of JSON asks, a line answers; it takes its times itself.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use tempfile::TempDir;

use crate::measure::{Took, Work};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/time_gptme.py");

/// The process. Its start is no part of what is measured.
#[derive(Debug)]
pub struct Gptme {
    child: Child,
    asked: ChildStdin,
    answers: BufReader<ChildStdout>,
    /// Where it thinks its home is.
    _home: TempDir,
}

impl Gptme {
    pub fn start(python: &Path) -> Result<Self> {
        let home = TempDir::new()?;
        let mut command = Command::new(python);
        command.arg(SCRIPT).env_clear().env("TZ", "UTC").stdin(Stdio::piped()).stdout(Stdio::piped());
        for variable in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "GPTME_LOGS_HOME"] {
            command.env(variable, home.path());
        }
        let mut child = command.stderr(Stdio::inherit()).spawn().context("cannot start Python")?;
        let asked = child.stdin.take().context("no stdin")?;
        let answers = BufReader::new(child.stdout.take().context("no stdout")?);
        Ok(Self { child, asked, answers, _home: home })
    }

    /// Asks for one operation, and gives what it answers.
    pub fn ask(&mut self, request: &Value) -> Result<Value> {
        writeln!(self.asked, "{request}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line).with_context(|| format!("gptme answered {line:?}"))?;
        if let Some(error) = answer.get("error") {
            bail!("gptme: {error}");
        }
        Ok(answer)
    }

    /// Asks for something that is timed.
    pub fn time(&mut self, request: &Value) -> Result<Took> {
        let answer = self.ask(request)?;
        let times = answer["ns"].as_array().context("gptme gave no times")?;
        let times = times.iter().filter_map(Value::as_u64).map(Duration::from_nanos).collect();
        let number = |key: &str| answer[key].as_u64().with_context(|| format!("gptme gave no {key}"));
        Ok(Took { times, work: Work { items: number("items")?, sum: number("sum")? } })
    }
}

impl Drop for Gptme {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
