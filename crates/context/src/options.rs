//! What a caller can ask of [`prepare`](crate::prepare): [`Options`].

use std::fmt;

use convlog_message::Message;

use crate::{Estimate, Recall, TokenCounter};

/// Adds to messages what a model should see beside them, the content of files say. A closure is one too.
///
/// It gets the messages before anything has expired and gives those to go on with. It may do I/O: this crate
/// does not.
pub trait Enrich {
    /// The messages with what is to be added.
    fn enrich(&self, messages: Vec<Message>) -> Vec<Message>;
}

impl<F: Fn(Vec<Message>) -> Vec<Message>> Enrich for F {
    fn enrich(&self, messages: Vec<Message>) -> Vec<Message> {
        self(messages)
    }
}

/// How a log is prepared: the limit, and the caller's part in it.
///
/// ```
/// use convlog_context::{Options, prepare};
/// use convlog_message::{Log, Message, Role, Timestamp};
///
/// let shout = |messages: Vec<Message>| {
///     let upper = |message: Message| { let text = message.content().to_uppercase(); message.with_content(text) };
///     messages.into_iter().map(upper).collect()
/// };
/// let log = Log::new().append(Message::new(Role::User, "hi", Timestamp::now()));
/// let prepared = prepare(&log, &Options::new().with_enrichment(&shout));
/// assert_eq!(prepared.messages[0].content(), "HI");
/// assert_eq!(log.last().map(Message::content), Some("hi"));
/// ```
#[derive(Clone, Copy)]
pub struct Options<'a> {
    pub(crate) limit: Option<usize>,
    pub(crate) counter: &'a dyn TokenCounter,
    pub(crate) is_tool: Option<&'a dyn Fn(&str) -> bool>,
    pub(crate) enrich: Option<&'a dyn Enrich>,
    pub(crate) recall: Option<&'a dyn Recall>,
}

impl<'a> Options<'a> {
    /// No limit, no hooks; tokens are estimated.
    #[must_use]
    pub fn new() -> Self {
        Self { limit: None, counter: &Estimate, is_tool: None, enrich: None, recall: None }
    }

    /// At most so many tokens.
    #[must_use]
    pub fn with_limit(self, tokens: usize) -> Self {
        Self { limit: Some(tokens), ..self }
    }

    /// Counts tokens so.
    #[must_use]
    pub fn with_counter(self, counter: &'a dyn TokenCounter) -> Self {
        Self { counter, ..self }
    }

    /// Shortens long code blocks before messages are left out for the limit (see [`reduce`](crate::reduce), and
    /// there for `is_tool`).
    #[must_use]
    pub fn with_reduction(self, is_tool: &'a dyn Fn(&str) -> bool) -> Self {
        Self { is_tool: Some(is_tool), ..self }
    }

    /// Adds to the messages what the caller knows.
    #[must_use]
    pub fn with_enrichment(self, enrich: &'a dyn Enrich) -> Self {
        Self { enrich: Some(enrich), ..self }
    }

    /// Brings back earlier messages that the caller finds.
    #[must_use]
    pub fn with_recall(self, recall: &'a dyn Recall) -> Self {
        Self { recall: Some(recall), ..self }
    }
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Options<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options").field("limit", &self.limit).finish_non_exhaustive()
    }
}
