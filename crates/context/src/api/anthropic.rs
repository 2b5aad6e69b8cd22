//! The messages of Anthropic's interface, with the system text apart: [`request`].

mod shapes;

use std::collections::HashSet;

use convlog_message::{Message as Stored, Role, json};
use serde_json::Value;

use super::image::{Attachments, file_name};
use super::turns::{Answer, answer};

pub use shapes::{Block, BlockContent, CacheControl, ImageSource, Message, Request, Speaker};

/// Makes a request of messages that were prepared.
///
/// - The leading system messages are the system text, up to the [`CACHE_BOUNDARY`](crate::CACHE_BOUNDARY);
///   later ones go into the person's messages, within `<system>` tags.
/// - Structured calls (`@tool(id): {…}`) and their results become blocks of their kinds, the results first in
///   the message behind the call. A call without result stays text, and so does a result without call.
/// - Images of files are blocks behind the text. Other files are left to the caller's enrichment.
/// - A block in which the provider has summed up what came before (metadata `anthropic_compaction_block`) comes
///   first, as it was.
/// - Marks for the cache are set at the end of the system text, at `cache_boundary` (of
///   [`Prepared`](crate::Prepared)) and at the last two messages of the person: four, as many as are allowed.
///
/// ```
/// use convlog_context::anthropic;
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let no_images = |_: &Message, _: &convlog_message::FileRef| None;
/// let prepared = [say(Role::System, "Be brief."), say(Role::User, "Hi."), say(Role::System, "It is late.")];
/// let json = serde_json::to_value(anthropic::request(&prepared, None, &no_images))?;
/// assert_eq!(json["system"][0]["text"], "Be brief.");
/// assert_eq!(json["messages"][0]["content"][1]["text"], "<system>It is late.</system>");
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn request(prepared: &[Stored], cache_boundary: Option<usize>, attachments: &dyn Attachments) -> Request {
    let is_system_text = |message: &&Stored| {
        *message.role() == Role::System
            && message.call_id().is_none()
            && message.content() != crate::CACHE_BOUNDARY
            && compaction(message).is_none()
    };
    let leading: Vec<&str> = prepared.iter().take_while(is_system_text).map(Stored::content).collect();
    let mut draft = Draft { attachments, messages: Vec::new(), open: HashSet::new(), at_boundary: None };
    let summed_up: Vec<Block> = prepared.iter().filter_map(compaction).map(block).collect();
    draft.say(Speaker::User, summed_up);
    let mut rest = prepared.get(leading.len()..).unwrap_or_default();
    let mut at = leading.len();
    while let Some((message, later)) = rest.split_first() {
        draft.add(message, later);
        if cache_boundary == Some(at) {
            draft.at_boundary = draft.messages.len().checked_sub(1).map(|last| (last, draft.last_length()));
        }
        rest = later;
        at = at.saturating_add(1);
    }
    let mut system: Vec<Block> = text_block(&leading.join("\n\n")).into_iter().collect();
    mark(&mut system);
    Request { system, messages: draft.finish() }
}

/// The messages of a request in the making.
struct Draft<'a> {
    attachments: &'a dyn Attachments,
    messages: Vec<Message>,
    /// The calls of the last answer that a result can name.
    open: HashSet<String>,
    /// The message at the cache boundary, and how many of its blocks belong to it.
    at_boundary: Option<(usize, usize)>,
}

impl Draft<'_> {
    fn add(&mut self, message: &Stored, later: &[Stored]) {
        if compaction(message).is_some() {
            return;
        }
        let mut blocks = Vec::new();
        match (message.role(), message.call_id()) {
            (Role::Assistant, _) => {
                let Answer { text, calls } = answer(message, later);
                self.open = calls.iter().map(|call| call.id.to_owned()).collect();
                blocks.extend(text_block(&text));
                blocks.extend(calls.into_iter().map(|call| {
                    let (id, name, input) = (call.id.to_owned(), call.tool.to_owned(), call.arguments);
                    block(BlockContent::ToolUse { id, name, input })
                }));
                return self.say(Speaker::Assistant, blocks);
            }
            (Role::System, Some(id)) if self.open.contains(id) => {
                blocks.extend(text_block(message.content()));
                self.add_images(message, &mut blocks);
                return self.add_result(id, blocks);
            }
            (Role::System, None) => {
                blocks.extend(text_block(&format!("<system>{}</system>", message.content())));
            }
            _ => blocks.extend(text_block(message.content())),
        }
        self.add_images(message, &mut blocks);
        self.say(Speaker::User, blocks);
    }

    fn add_images(&self, message: &Stored, blocks: &mut Vec<Block>) {
        for file in message.files() {
            let Some(image) = self.attachments.image(message, file) else { continue };
            let (name, data) = (file_name(file), image.to_base64());
            blocks.extend(text_block(&format!("![{name}]({name}):")));
            blocks.push(block(BlockContent::Image { source: ImageSource { media_type: image.media_type, data } }));
        }
    }

    /// Adds a result before all that is no result, or to the one of the same call.
    fn add_result(&mut self, id: &str, mut blocks: Vec<Block>) {
        if self.messages.last().is_none_or(|last| last.role != Speaker::User) {
            self.messages.push(Message { role: Speaker::User, content: Vec::new() });
        }
        let Some(last) = self.messages.last_mut() else { return };
        for result in &mut last.content {
            if let BlockContent::ToolResult { tool_use_id, content } = &mut result.content
                && tool_use_id == id
            {
                content.append(&mut blocks);
                return;
            }
        }
        let is_result = |block: &&Block| matches!(block.content, BlockContent::ToolResult { .. });
        let results = last.content.iter().take_while(is_result).count();
        let result = BlockContent::ToolResult { tool_use_id: id.to_owned(), content: blocks };
        last.content.insert(results, block(result));
    }

    /// Adds blocks to the last message when it is by the same speaker, a new message otherwise.
    fn say(&mut self, role: Speaker, mut blocks: Vec<Block>) {
        match self.messages.last_mut() {
            _ if blocks.is_empty() => {}
            Some(last) if last.role == role => last.content.append(&mut blocks),
            _ => self.messages.push(Message { role, content: blocks }),
        }
    }

    fn last_length(&self) -> usize {
        self.messages.last().map_or(0, |last| last.content.len())
    }

    /// Sets the marks for the cache.
    fn finish(mut self) -> Vec<Message> {
        if let Some((at, length)) = self.at_boundary
            && let Some(blocks) = self.messages.get_mut(at).and_then(|message| message.content.get_mut(..length))
        {
            mark(blocks);
        }
        for message in self.messages.iter_mut().rev().filter(|message| message.role == Speaker::User).take(2) {
            mark(&mut message.content);
        }
        self.messages
    }
}

/// Marks the last block.
fn mark(blocks: &mut [Block]) {
    if let Some(last) = blocks.last_mut() {
        last.cache_control = Some(CacheControl {});
    }
}

const fn block(content: BlockContent) -> Block {
    Block { content, cache_control: None }
}

/// A text, unless it is blank: these are refused. The end of a text is cut too, as an assistant's must be.
fn text_block(text: &str) -> Option<Block> {
    let text = text.trim_end();
    (!text.is_empty()).then(|| block(BlockContent::Text { text: text.to_owned() }))
}

/// The block in which the provider has summed up earlier messages.
fn compaction(message: &Stored) -> Option<BlockContent> {
    let block = message.metadata().get("anthropic_compaction_block")?.as_object()?;
    Some(BlockContent::Verbatim(Value::Object(
        block.iter().map(|(key, value)| (key.to_owned(), as_json(value))).collect(),
    )))
}

/// The value in serde's form; a number that it cannot say becomes null.
fn as_json(value: &json::Value) -> Value {
    match value {
        json::Value::Null => Value::Null,
        json::Value::Bool(value) => Value::Bool(*value),
        json::Value::Number(number) => number.text().parse().map_or(Value::Null, Value::Number),
        json::Value::String(text) => Value::String(text.clone()),
        json::Value::Array(values) => Value::Array(values.iter().map(as_json).collect()),
        json::Value::Object(object) => {
            Value::Object(object.iter().map(|(key, value)| (key.to_owned(), as_json(value))).collect())
        }
    }
}
