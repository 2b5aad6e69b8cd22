//! What every verb needs: where the logs are, how to print, how to end.

use std::fmt::Display;
use std::io::Write as _;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use convlog_codec::{LineNumber, Report};
use convlog_fs::{FileSystem, RealFs};
use convlog_message::Zone;
use convlog_query::{Environment, LogsDir};
use convlog_store::Uncaptured;
use serde_json::json;

use crate::args::{Args, Color, Format};
use crate::style;

/// How a verb ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// All was done.
    Done,
    /// Something failed, was not found, or was found wanting.
    Failed,
    /// Another process holds the conversation.
    Locked,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Done => Self::SUCCESS,
            Outcome::Failed => Self::FAILURE,
            Outcome::Locked => Self::from(3),
        }
    }
}

/// What every verb needs.
pub(crate) struct App {
    pub(crate) logs: LogsDir,
    pub(crate) format: Format,
    pub(crate) verbose: bool,
    pub(crate) zone: Zone,
    /// Where caches go; `None` when there is no home to keep them in.
    pub(crate) caches: Option<PathBuf>,
}

impl App {
    pub(crate) fn new(args: &Args) -> Result<Self> {
        match args.color {
            Color::Auto => {}
            Color::Always => anstream::ColorChoice::Always.write_global(),
            Color::Never => anstream::ColorChoice::Never.write_global(),
        }
        let logs = logs_dir(args.logs.as_deref())?;
        Ok(Self { logs, format: args.format(), verbose: args.verbose, zone: Zone::Local, caches: caches() })
    }

    /// On how many threads conversations are read.
    pub(crate) fn threads(&self) -> NonZeroUsize {
        std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
    }

    /// The file system that sessions are opened on.
    pub(crate) fn fs(&self) -> Arc<dyn FileSystem> {
        Arc::new(RealFs)
    }

    /// Says which attached files could not be stored.
    pub(crate) fn uncaptured(&self, uncaptured: &[Uncaptured]) {
        for file in uncaptured {
            self.warn(file);
        }
    }

    /// Answers on standard output: with an object for programs, with a sentence for people.
    pub(crate) fn answer(&self, object: &serde_json::Value, sentence: impl Display) -> Result<()> {
        let mut out = std::io::stdout().lock();
        match self.format {
            Format::Quiet => {}
            Format::Json => writeln!(out, "{object}")?,
            Format::Text => writeln!(out, "{sentence}")?,
        }
        Ok(())
    }

    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }

    /// Says on standard error that something is not as it should be.
    pub(crate) fn warn(&self, message: impl Display) {
        if self.is_json() {
            anstream::eprintln!("{}", json!({"level": "warning", "message": message.to_string()}));
        } else {
            anstream::eprintln!("{}: {message}", style::warning("warning"));
        }
    }

    /// Says what a reader found odd in a file: what was skipped always, the rest when asked to.
    pub(crate) fn report(&self, path: &Path, report: &Report) {
        for finding in report {
            if !finding.problem.is_skipped() && !self.verbose && !self.is_json() && !is_loss(&finding.problem) {
                continue;
            }
            if self.is_json() {
                let (line, from_end) = match finding.line {
                    LineNumber::FromStart(line) => (Some(line), None),
                    LineNumber::FromEnd(line) => (None, Some(line)),
                };
                let object = json!({
                    "level": if finding.problem.is_skipped() { "warning" } else { "note" },
                    "path": path.to_string_lossy(),
                    "line": line,
                    "line_from_end": from_end,
                    "byte": finding.span.start,
                    "kind": finding.problem.code(),
                    "message": finding.problem.to_string(),
                });
                anstream::eprintln!("{object}");
            } else {
                self.warn(format_args!("{}: {finding}", path.display()));
            }
        }
    }
}

/// The directory that was given, or the one where gptme keeps its conversations.
pub(crate) fn logs_dir(given: Option<&Path>) -> Result<LogsDir> {
    let fs: Arc<dyn FileSystem> = Arc::new(RealFs);
    let path = match given {
        Some(path) => path.to_path_buf(),
        None => {
            let mut environment = Environment::default();
            environment.gptme_logs_home = std::env::var_os("GPTME_LOGS_HOME");
            environment.xdg_data_home = std::env::var_os("XDG_DATA_HOME");
            environment.home = std::env::home_dir().filter(|home| !home.as_os_str().is_empty());
            LogsDir::locate(&*fs, &environment)
                .context("where are the conversations? $HOME is not set; name their directory with --logs")?
        }
    };
    Ok(LogsDir::new(fs, path))
}

/// The user's directory for caches; a home that does not exist is not made.
fn caches() -> Option<PathBuf> {
    let given = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || std::env::home_dir().filter(|home| home.is_dir()).map(|home| home.join(".cache"));
    Some(given.or_else(usual)?.join("convlog"))
}

/// Whether what is shown differs from what stands in the file.
fn is_loss(problem: &convlog_codec::Problem) -> bool {
    use convlog_codec::Problem as P;
    matches!(
        problem,
        P::LoneSurrogate
            | P::InvalidUtf8
            | P::Unusable { .. }
            | P::SeveralValues { .. }
            | P::NulBytes { .. }
            | P::LoneFile
            | P::ByteOrderMark
    )
}
