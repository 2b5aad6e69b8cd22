//! Tool calls in the text of an assistant's message: [`tool_calls`].

mod structured;
mod xml;

use convlog_codeblock::codeblocks;

pub(crate) use structured::structured_calls;

/// One tool call, as it stands in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The tool, as the model names it.
    pub tool: String,
    /// What the tool gets: JSON in a structured call, text otherwise.
    pub arguments: String,
    /// How it is written.
    pub form: CallForm,
}

/// How a tool call is written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CallForm {
    /// `@tool(call_id): {…}` at the beginning of a line: a call through the provider's own interface, whose
    /// result names it.
    Structured {
        /// What its result bears as call id.
        call_id: String,
    },
    /// `<tool-use><tool>…</tool></tool-use>`, or `<function_calls><invoke name="tool">…</invoke></function_calls>`.
    Xml,
    /// A code block whose language begins with the tool. Most code blocks are none: who knows the tools tells.
    Block,
}

/// All tool calls of a text: the structured ones, those in XML, and every code block (see [`CallForm::Block`]).
///
/// What looks like a structured call within a code block is text. One whose JSON does not end is none, and
/// nothing is looked for behind it.
///
/// ```
/// use convlog_context::{CallForm, tool_calls};
///
/// let calls = tool_calls("Let me look.\n@shell(c1): {\"command\": \"ls\"}\n```save a.txt\nhi\n```");
/// assert_eq!(calls[0].tool, "shell");
/// assert_eq!(calls[0].arguments, "{\"command\": \"ls\"}");
/// assert_eq!(calls[0].form, CallForm::Structured { call_id: "c1".to_owned() });
/// assert_eq!((calls[1].tool.as_str(), &calls[1].form), ("save", &CallForm::Block));
/// ```
#[must_use]
pub fn tool_calls(text: &str) -> Vec<ToolCall> {
    let structured = structured_calls(text).into_iter().map(|call| ToolCall {
        tool: call.tool.to_owned(),
        arguments: call.arguments.to_owned(),
        form: CallForm::Structured { call_id: call.call_id.to_owned() },
    });
    let in_xml = xml::xml_calls(text).into_iter().map(|(tool, content)| ToolCall {
        tool: tool.to_owned(),
        arguments: content.to_owned(),
        form: CallForm::Xml,
    });
    let blocks = codeblocks(text).map(|block| ToolCall {
        tool: block.lang().split(' ').next().unwrap_or_default().to_owned(),
        arguments: block.content().to_owned(),
        form: CallForm::Block,
    });
    structured.chain(in_xml).chain(blocks).collect()
}
