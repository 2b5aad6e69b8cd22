//! The messages of OpenAI's chat completions, which many other providers take too: [`messages`].

use std::collections::HashSet;

use convlog_message::{Message as Stored, Role};
use serde::Serialize;

use super::image::{Attachments, file_name};
use super::turns::{Answer, answer};

/// One message of a request.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "role", rename_all = "lowercase")]
#[non_exhaustive]
pub enum Message {
    /// Instructions.
    System {
        /// What they say.
        content: Content,
    },
    /// The person, or what the program says in the person's place.
    User {
        /// What is said.
        content: Content,
    },
    /// The model.
    Assistant {
        /// What it said; missing when it only called tools.
        #[serde(skip_serializing_if = "Option::is_none")]
        content: Option<Content>,
        /// The tools that it called.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tool_calls: Vec<ToolCall>,
    },
    /// The result of a call.
    Tool {
        /// The call.
        tool_call_id: String,
        /// The result.
        content: Content,
    },
}

/// A text, or parts where there are images.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Content {
    /// Text alone.
    Text(String),
    /// Text and images in turn.
    Parts(Vec<Part>),
}

/// A part of a content.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Part {
    /// Text.
    Text {
        /// The text.
        text: String,
    },
    /// An image.
    ImageUrl {
        /// Where it is.
        image_url: ImageUrl,
    },
}

/// Where an image is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ImageUrl {
    /// A `data:` URL with the image itself.
    pub url: String,
}

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "type", rename = "function")]
pub struct ToolCall {
    /// What its result names.
    pub id: String,
    /// The tool.
    pub function: Function,
}

/// The tool that is called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// What it gets: a JSON object as text.
    pub arguments: String,
}

/// Makes the messages of a request of messages that were prepared.
///
/// - System messages stay where they are; with images they become the person's, which alone may hold some.
/// - Structured calls (`@tool(id): {…}`) become calls and their results messages of role `tool`, right behind
///   them: other system messages between them come after. Several results of one call become one.
/// - A call without result stays text, and a result without call becomes the person's, so that a provider can
///   take any log.
/// - Images of files are parts of the content; those of results follow in a message of the person.
///   Other files are left to the caller's enrichment.
///
/// ```
/// use convlog_context::{Attachments, openai};
/// use convlog_message::{Message, Role, Timestamp};
///
/// let say = |role, text| Message::new(role, text, Timestamp::now());
/// let no_images = |_: &Message, _: &convlog_message::FileRef| None;
/// let request = openai::messages(
///     &[
///         say(Role::User, "List the files."),
///         say(Role::Assistant, "Sure.\n@shell(c1): {\"command\": \"ls\"}"),
///         say(Role::System, "a.txt").with_call_id(Some("c1")),
///     ],
///     &no_images,
/// );
/// let json = serde_json::to_value(&request)?;
/// assert_eq!(json[1]["tool_calls"][0]["function"]["arguments"], r#"{"command":"ls"}"#);
/// assert_eq!(json[2], serde_json::json!({"role": "tool", "tool_call_id": "c1", "content": "a.txt"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[must_use]
pub fn messages(prepared: &[Stored], attachments: &dyn Attachments) -> Vec<Message> {
    let mut request = Request { messages: Vec::new(), behind_results: Vec::new(), open: HashSet::new() };
    let mut rest = prepared;
    while let Some((message, later)) = rest.split_first() {
        request.add(message, later, attachments);
        rest = later;
    }
    request.finish_turn();
    request.messages
}

/// A request in the making.
struct Request {
    messages: Vec<Message>,
    /// What stands between a call and its results, or comes with these: it follows them.
    behind_results: Vec<Message>,
    /// The calls of the last answer.
    open: HashSet<String>,
}

impl Request {
    fn add(&mut self, message: &Stored, later: &[Stored], attachments: &dyn Attachments) {
        let images = images(message, attachments);
        match (message.role(), message.call_id()) {
            (Role::Assistant, _) => {
                self.finish_turn();
                let Answer { text, calls } = answer(message, later);
                self.open = calls.iter().map(|call| call.id.to_owned()).collect();
                let tool_calls: Vec<ToolCall> = calls
                    .into_iter()
                    .map(|call| ToolCall {
                        id: call.id.to_owned(),
                        function: Function {
                            name: call.tool.to_owned(),
                            arguments: serde_json::Value::Object(call.arguments).to_string(),
                        },
                    })
                    .collect();
                let content = (!text.is_empty() || tool_calls.is_empty()).then_some(Content::Text(text));
                self.messages.push(Message::Assistant { content, tool_calls });
            }
            (Role::System, Some(id)) if self.open.contains(id) => {
                self.add_result(id, message.content());
                if !images.is_empty() {
                    self.behind_results.push(Message::User { content: Content::Parts(images) });
                }
            }
            (Role::System, call_id) => {
                let is_persons = call_id.is_some() || !images.is_empty();
                let content = with_images(message.content(), images);
                let message = if is_persons { Message::User { content } } else { Message::System { content } };
                if self.open.is_empty() { self.messages.push(message) } else { self.behind_results.push(message) }
            }
            _ => {
                self.finish_turn();
                self.messages.push(Message::User { content: with_images(message.content(), images) });
            }
        }
    }

    /// Adds a result, to the one of the same call when that is there.
    fn add_result(&mut self, id: &str, text: &str) {
        let of_this_call = self.messages.iter_mut().rev().take_while(|message| matches!(message, Message::Tool { .. }));
        for result in of_this_call {
            if let Message::Tool { tool_call_id, content: Content::Text(before) } = result
                && tool_call_id == id
            {
                before.push_str("\n\n");
                before.push_str(text);
                return;
            }
        }
        let content = Content::Text(text.to_owned());
        self.messages.push(Message::Tool { tool_call_id: id.to_owned(), content });
    }

    fn finish_turn(&mut self) {
        self.messages.append(&mut self.behind_results);
        self.open.clear();
    }
}

fn with_images(text: &str, images: Vec<Part>) -> Content {
    if images.is_empty() {
        return Content::Text(text.to_owned());
    }
    let text = (!text.is_empty()).then(|| Part::Text { text: text.to_owned() });
    Content::Parts(text.into_iter().chain(images).collect())
}

fn images(message: &Stored, attachments: &dyn Attachments) -> Vec<Part> {
    let mut parts = Vec::new();
    for file in message.files() {
        let Some(image) = attachments.image(message, file) else { continue };
        let name = file_name(file);
        parts.push(Part::Text { text: format!("![{name}]({name}):") });
        let url = format!("data:{};base64,{}", image.media_type, image.to_base64());
        parts.push(Part::ImageUrl { image_url: ImageUrl { url } });
    }
    parts
}
