//! The fields of a message, from the command line.

use std::io::Read as _;

use anyhow::{Context as _, Result, anyhow, bail};
use convlog_codec::json::parse;
use convlog_message::json::Value;
use convlog_message::{Message, Timestamp};

/// What a message is made of.
#[derive(Debug, clap::Args)]
pub(crate) struct Fields {
    /// Who speaks
    #[arg(long, value_name = "ROLE", default_value = "user")]
    role: String,

    /// Attach a file; may be given several times
    #[arg(long, value_name = "PATH", requires = "content")]
    file: Vec<String>,

    /// Never leave it out of what a model gets
    #[arg(long)]
    pinned: bool,

    /// Do not show it to the person
    #[arg(long)]
    hide: bool,

    /// Show it to the person only
    #[arg(long)]
    ui_only: bool,

    /// Keep it in what a model gets for N more answers
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    ephemeral_ttl: Option<i64>,

    /// The tool call that it answers
    #[arg(long, value_name = "CALL")]
    call_id: Option<String>,

    /// What to note beside it: a JSON object
    #[arg(long, value_name = "JSON")]
    metadata: Option<String>,

    /// What is said; `-` reads it from standard input
    #[arg(value_name = "CONTENT|-", required_unless_present_any = ["jsonl", "interrupted"])]
    content: Option<String>,
}

impl Fields {
    /// Whether there is anything to append.
    pub(crate) fn has_content(&self) -> bool {
        self.content.is_some()
    }

    /// The message, made now.
    pub(crate) fn message(&self, now: Timestamp) -> Result<Message> {
        let content = match self.content.as_deref() {
            Some("-") => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
                String::from_utf8(bytes).map_err(|error| {
                    anyhow!("standard input is not UTF-8 (byte {})", error.utf8_error().valid_up_to())
                })?
            }
            Some(content) => content.to_owned(),
            None => bail!("what is to be appended? give the text, or `-` for standard input"),
        };
        let mut message = Message::new(self.role.as_str(), content, now)
            .with_files(self.file.iter().map(String::as_str))
            .with_pinned(self.pinned)
            .with_hide(self.hide)
            .with_ui_only(self.ui_only)
            .with_ephemeral_ttl(self.ephemeral_ttl)
            .with_call_id(self.call_id.as_deref());
        if let Some(text) = &self.metadata {
            let parsed = parse(text.as_bytes()).map_err(|error| anyhow!("--metadata is not JSON: {error}"))?;
            match parsed.value {
                Value::Object(metadata) if parsed.rest.trim_ascii().is_empty() => {
                    message = message.with_metadata(metadata.into());
                }
                other => bail!("--metadata takes a JSON object, not {} {:?}", other.kind(), text),
            }
        }
        Ok(message)
    }
}
