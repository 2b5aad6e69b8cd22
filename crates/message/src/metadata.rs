//! What a program notes about a message: [`Metadata`].

mod timings;
mod usage;

use crate::json::{Key, Number, Object, Value};

pub use timings::Timings;
pub use usage::Usage;

/// A JSON object beside a message: model, cost, token counts and anything else.
///
/// The members that gptme 0.35.1 is known to write have getters; every other is kept, in its place and
/// in its digits. A member of a wrong type reads as absent and is kept too.
///
/// ```
/// use convlog_message::{Metadata, Usage, json::Value};
///
/// let mut usage = Usage::default();
/// usage.input_tokens = Some(100);
/// let metadata = Metadata::new().with("model", "claude-sonnet").with_cost(0.005).with_usage(usage).with("mine", 1);
/// assert_eq!(metadata.model(), Some("claude-sonnet"));
/// assert_eq!(metadata.usage().input_tokens, Some(100));
/// assert_eq!(metadata.get("mine"), Some(&Value::from(1)));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Metadata(Object);

impl Metadata {
    /// No metadata.
    #[must_use]
    pub const fn new() -> Self {
        Self(Object::new())
    }

    /// Whether there is no member; such metadata is not written.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Any member, as it stands.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key)
    }

    /// All members, in order.
    #[must_use]
    pub const fn as_object(&self) -> &Object {
        &self.0
    }

    /// Sets a member, in its place when it is there, at the end otherwise.
    #[must_use]
    pub fn with(mut self, key: impl Into<Key>, value: impl Into<Value>) -> Self {
        self.0.insert(key, value);
        self
    }

    /// Takes a member out.
    #[must_use]
    pub fn without(mut self, key: &str) -> Self {
        self.0.remove(key);
        self
    }

    /// Sets the cost in US dollars. What is not finite is left out, since JSON cannot say it.
    #[must_use]
    pub fn with_cost(self, dollars: f64) -> Self {
        match Number::from_f64(dollars) {
            Some(number) => self.with("cost", number),
            None => self.without("cost"),
        }
    }

    /// Sets the token counts, in the nested form; counts in the old flat form are taken out.
    #[must_use]
    pub fn with_usage(mut self, usage: Usage) -> Self {
        for key in usage::KEYS {
            self.0.remove(key);
        }
        let nested = self.0.get("usage").and_then(Value::as_object).cloned().unwrap_or_default();
        self.with("usage", usage.write_to(nested))
    }

    /// The metadata as gptme sees it: where token counts stand in the old flat form, beside `model`, they
    /// are moved into a `usage` at the end.
    #[must_use]
    pub fn with_nested_usage(self) -> Self {
        if self.0.get("usage").is_some() || !usage::KEYS.iter().any(|key| self.0.get(key).is_some()) {
            return self;
        }
        let (flat, mut rest): (Vec<_>, Vec<_>) = self.0.into_iter().partition(|(key, _)| usage::KEYS.contains(&&**key));
        rest.push(("usage".into(), Value::Object(flat.into_iter().collect())));
        Self(rest.into_iter().collect())
    }

    /// The model that was asked for.
    #[must_use]
    pub fn model(&self) -> Option<&str> {
        self.text("model")
    }

    /// The model with the provider that served it, when that differs from [`Self::model`].
    #[must_use]
    pub fn resolved_model(&self) -> Option<&str> {
        self.text("resolved_model")
    }

    /// The model as the provider named it in its answer.
    #[must_use]
    pub fn served_model(&self) -> Option<&str> {
        self.text("served_model")
    }

    /// The cost in US dollars, when it is a finite number.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        self.get("cost")?.as_number()?.as_f64()
    }

    /// The token counts: from `usage`, or from the old flat form when there is no `usage`.
    #[must_use]
    pub fn usage(&self) -> Usage {
        match self.get("usage") {
            Some(Value::Object(nested)) => Usage::read_from(nested),
            Some(_) => Usage::default(),
            None => Usage::read_from(&self.0),
        }
    }

    /// How long the steps took.
    #[must_use]
    pub fn timings(&self) -> Timings {
        self.get("timings").and_then(Value::as_object).map(Timings::read_from).unwrap_or_default()
    }

    /// The level of reasoning that was asked for (`high`, say).
    #[must_use]
    pub fn reasoning_effort(&self) -> Option<&str> {
        self.text("reasoning_effort")
    }

    /// The tool that a result comes from.
    #[must_use]
    pub fn tool(&self) -> Option<&str> {
        self.text("tool")
    }

    /// Which generation of the start prompt this message belongs to.
    #[must_use]
    pub fn prompt_generation(&self) -> Option<&str> {
        self.text("prompt_generation")
    }

    /// The kind of a prompt that was applied again when the conversation was resumed.
    #[must_use]
    pub fn resume_key(&self) -> Option<&str> {
        self.text("resume_key")
    }

    /// The view that a reminder to compact was given for (empty for main).
    #[must_use]
    pub fn compaction_reminder_view(&self) -> Option<&str> {
        self.text("compaction_reminder_view")
    }

    /// Whether a limit on steps ended the turn: only a real `true` counts.
    #[must_use]
    pub fn max_steps_stop(&self) -> bool {
        self.get("max_steps_stop") == Some(&Value::Bool(true))
    }

    fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.as_str()
    }
}

impl From<Object> for Metadata {
    fn from(object: Object) -> Self {
        Self(object)
    }
}

impl From<Metadata> for Object {
    fn from(metadata: Metadata) -> Self {
        metadata.0
    }
}
