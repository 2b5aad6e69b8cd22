//! The document of each form.

use anyhow::Result;
use convlog_codec::json::Style;
use convlog_codec::{jsonl, toml};
use convlog_context::{Image, Options as Context, openai, prepare};
use convlog_message::{FileRef, Log, Message};
use convlog_render::{html, markdown, xml};
use convlog_store::Conversation;
use serde_json::json;

use super::Form;
use crate::app::App;

pub(super) fn make(app: &App, conversation: &Conversation, form: Form, log: &Log) -> Result<Vec<u8>> {
    Ok(match form {
        Form::Markdown => markdown(&name(app, conversation), log, app.zone).into_bytes(),
        Form::Html => html(&name(app, conversation), log, app.zone).into_bytes(),
        Form::Xml => xml(&name(app, conversation), log).into_bytes(),
        Form::Toml => toml::write_log(log).into_bytes(),
        Form::Jsonl => {
            let mut lines = Vec::new();
            log.iter().for_each(|message| jsonl::write_line(message, Style::Gptme, &mut lines));
            lines
        }
        Form::Openai => {
            let no_images = |_: &Message, _: &FileRef| -> Option<Image> { None };
            let prepared = prepare(log, &Context::new()).messages;
            let mut line = serde_json::to_vec(&json!({"messages": openai::messages(&prepared, &no_images)}))?;
            line.push(b'\n');
            line
        }
    })
}

/// The name from the settings, or the id.
fn name(app: &App, conversation: &Conversation) -> String {
    let name = match conversation.config() {
        Ok(config) => config.name,
        Err(error) => {
            app.warn(error);
            None
        }
    };
    let id = || conversation.layout().home().file_name().map(|id| id.to_string_lossy().into_owned());
    name.filter(|name| !name.trim().is_empty()).or_else(id).unwrap_or_else(|| "Conversation".to_owned())
}
