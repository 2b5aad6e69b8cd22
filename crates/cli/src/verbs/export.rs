//! `convlog export`: a conversation as a document.

mod document;
mod output_file;

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::ValueEnum;
use convlog_store::{BranchName, Transcript, ViewName};
use serde_json::json;

use crate::app::{App, Outcome};
use crate::args::Format;
use crate::output::{counted, printable};
use crate::pager::Output;

/// Write a conversation as a document
///
/// `toml` and `jsonl` hold every field of every message, and `convlog import` reads them; `jsonl` keeps each line
/// as it stands in the transcript. `html` is one page that needs nothing else and in which nothing runs.
/// `markdown` leaves hidden messages out. `openai` is what a model of that interface would be given, as one JSON
/// object `{"messages": [...]}`. Attached files are named, not embedded.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A conversation: its id, the beginning of it, or a path
    #[arg(value_name = "ID")]
    id: String,

    /// The form [default: what the name of the output says, or else markdown]
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,

    /// Write to this file, which is replaced when it is there
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Export a branch
    #[arg(long, value_name = "BRANCH", conflicts_with = "view")]
    branch: Option<BranchName>,

    /// Export a view
    #[arg(long, value_name = "VIEW")]
    view: Option<ViewName>,
}

const EXAMPLES: &str = "\
Examples:
  convlog export ID --output talk.html
  convlog export ID --to toml | convlog import - --as copy
  convlog export ID --to openai >> training.jsonl";

/// The form of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For reading in anything
    Markdown,
    /// A page for a browser
    Html,
    /// For editing by hand; `import` reads it
    Toml,
    /// The transcript's own lines; `import` reads them
    Jsonl,
    /// An XML document
    Xml,
    /// What a model would be given
    Openai,
}

impl Form {
    const fn name(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Html => "html",
            Self::Toml => "toml",
            Self::Jsonl => "jsonl",
            Self::Xml => "xml",
            Self::Openai => "openai",
        }
    }

    /// Whether it is made of JSON objects, one a line.
    fn is_json_lines(self) -> bool {
        matches!(self, Self::Jsonl | Self::Openai)
    }

    fn of_file(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()? {
            "html" | "htm" => Some(Self::Html),
            "toml" => Some(Self::Toml),
            "jsonl" => Some(Self::Jsonl),
            "xml" => Some(Self::Xml),
            _ => None,
        }
    }
}

impl Options {
    fn form(&self) -> Form {
        let of_file = || self.output.as_deref().and_then(Form::of_file);
        self.to.or_else(of_file).unwrap_or(Form::Markdown)
    }

    fn transcript(&self) -> Transcript {
        match (&self.branch, &self.view) {
            (Some(branch), _) if branch.as_str() != "main" => Transcript::Branch(branch.clone()),
            (None, Some(view)) => Transcript::View(view.clone()),
            _ => Transcript::Main,
        }
    }
}

pub(crate) fn run(app: &App, options: &Options) -> Result<Outcome> {
    let conversation = app.logs.find(&options.id)?;
    let which = options.transcript();
    let reading = conversation.read(&which)?;
    app.report(&conversation.layout().transcript(&which), &reading.report);
    let form = options.form();
    let document = document::make(app, &conversation, form, &reading.log)?;
    let messages = reading.log.len() as u64;
    let Some(path) = &options.output else { return print(app, form, &document) };
    output_file::write(app, &conversation, path, &document)?;
    let mut out = std::io::stdout().lock();
    match app.format {
        Format::Quiet => {}
        Format::Json => writeln!(out, "{}", json!({"path": path.to_string_lossy(), "messages": messages}))?,
        Format::Text => writeln!(out, "{}: {}", path.display(), counted(messages, "message"))?,
    }
    Ok(Outcome::Done)
}

/// The document on standard output. A terminal is shown it, a program gets its bytes; under `--format json` what is
/// not JSON is put into an object.
fn print(app: &App, form: Form, document: &[u8]) -> Result<Outcome> {
    let stdout = std::io::stdout();
    match app.format {
        Format::Quiet => {}
        Format::Json if !form.is_json_lines() => {
            let object = json!({"form": form.name(), "content": String::from_utf8_lossy(document)});
            writeln!(stdout.lock(), "{object}")?;
        }
        _ if stdout.is_terminal() => {
            let mut out = Output::new();
            out.write_all(printable(&String::from_utf8_lossy(document)).as_bytes())?;
            out.finish()?;
        }
        _ => stdout.lock().write_all(document)?,
    }
    Ok(Outcome::Done)
}
